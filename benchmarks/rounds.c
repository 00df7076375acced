/* The peer of the compiled kernels: rounds of hit and stand in plain C, by lookup tables, counted by outcome.

   rounds infinite|fresh ROUNDS SEED HITS      HITS: 484 times 0 or 1, the decision by total and dealer column
   prints: wins losses-without-busts pushes busts seconds    (of processor time) */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t s[4];
static uint8_t after[64][13], total[64], hits[64][13], ends[64][64], deck[52];

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/* xoshiro256++ (Blackman and Vigna, 2019) */
static inline uint64_t next(void) {
    uint64_t result = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return result;
}

static inline uint32_t below(uint32_t n) { return (uint32_t)(((next() >> 32) * n) >> 32); }

static int dealt;

static inline int from_infinite(void) { return below(13); }

static inline int from_deck(void) {
    int picked = dealt + below(52 - dealt);
    uint8_t card = deck[picked];
    deck[picked] = deck[dealt];
    deck[dealt++] = card;
    return card;
}

/* A hand is its points with aces as 1, and whether there is an ace. */
static void make_tables(const char *policy) {
    for (int hand = 0; hand < 64; hand++) {
        int points = hand >> 1, ace = hand & 1, soft = ace && points <= 11;
        total[hand] = points + 10 * soft;
        for (int rank = 0; rank < 13; rank++) {
            int more = rank < 9 ? rank + 1 : 10, upcard = rank ? more : 11;
            after[hand][rank] = points + more < 32 ? (points + more) << 1 | ace | !rank : 63;
            hits[hand][rank] = total[hand] <= 21 && policy[22 * total[hand] + upcard + 10 * soft] == '1';
        }
    }
    for (int mine = 0; mine < 64; mine++)
        for (int theirs = 0; theirs < 64; theirs++)
            ends[mine][theirs] = total[theirs] > 21 || total[mine] > total[theirs] ? 0
                                 : total[mine] == total[theirs]                    ? 2
                                                                                   : 1;
}

#define PLAY(draw)                                                                                         \
    for (long round = 0; round < rounds; round++) {                                                        \
        dealt = 0;                                                                                         \
        int mine = after[after[0][draw()]][draw()];                                                        \
        int upcard = draw(), theirs = after[after[0][upcard]][draw()];                                     \
        while (hits[mine][upcard]) mine = after[mine][draw()];                                             \
        if (total[mine] > 21) { counts[3]++; continue; }                                                   \
        while (total[theirs] < 17) theirs = after[theirs][draw()];                                         \
        counts[ends[mine][theirs]]++;                                                                      \
    }

int main(int argc, char **argv) {
    if (argc != 5 || strlen(argv[4]) != 484) return 2;
    long rounds = atol(argv[2]), counts[4] = {0};
    uint64_t x = strtoull(argv[3], NULL, 10);
    for (int i = 0; i < 4; i++) { /* splitmix64 */
        uint64_t z = (x += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        s[i] = z ^ (z >> 31);
    }
    make_tables(argv[4]);
    for (int i = 0; i < 52; i++) deck[i] = i % 13;
    clock_t start = clock();
    if (!strcmp(argv[1], "infinite")) PLAY(from_infinite) else PLAY(from_deck)
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%ld %ld %ld %ld %.6f\n", counts[0], counts[1], counts[2], counts[3], seconds);
    return 0;
}
