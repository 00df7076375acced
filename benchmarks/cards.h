/* What the peers in C share: random numbers, and hands as lookup tables. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t s[4];
static uint8_t after[64][13], total[64], row[64], draws[64], points[13], shoe[416];
static uint32_t cards, dealt;

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/* xoshiro256++ (Blackman and Vigna, 2019) */
static inline uint64_t next(void) {
    uint64_t result = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return result;
}

static inline uint32_t below(uint32_t n) { return (uint32_t)(((next() >> 32) * n) >> 32); }

/* Its state from a seed, by SplitMix64. */
static void seed(uint64_t x) {
    for (int i = 0; i < 4; i++) {
        uint64_t z = (x += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        s[i] = z ^ (z >> 31);
    }
}

/* The next card of a shoe that is shuffled as it is dealt; 0 cards are an infinite deck. */
static inline int draw(void) {
    if (!cards) return below(13);
    uint32_t picked = dealt + below(cards - dealt);
    uint8_t card = shoe[picked];
    shoe[picked] = shoe[dealt];
    shoe[dealt++] = card;
    return card;
}

/* A hand is its points with aces as 1, and whether there is an ace. Its total is 0 if it is bust. Its row is that of
   hard 2 to 21, and then soft 12 to 21. The dealer draws by `draws`, with `hits_soft_17` also then. */
static void make_tables(int decks, int hits_soft_17) {
    cards = 52 * decks;
    for (uint32_t i = 0; i < cards; i++) shoe[i] = i % 13;
    for (int rank = 0; rank < 13; rank++) points[rank] = rank < 9 ? rank + 1 : 10;
    for (int hand = 0; hand < 64; hand++) {
        int sum = hand >> 1, ace = hand & 1, soft = ace && sum <= 11;
        total[hand] = sum + 10 * soft > 21 ? 0 : sum + 10 * soft;
        row[hand] = soft ? 8 + total[hand] : total[hand] >= 2 ? total[hand] - 2 : 0;
        draws[hand] = total[hand] && (total[hand] < 17 || (hits_soft_17 && total[hand] == 17 && soft));
        for (int rank = 0; rank < 13; rank++)
            after[hand][rank] = sum + points[rank] < 32 ? (sum + points[rank]) << 1 | ace | !rank : 62;
    }
}
