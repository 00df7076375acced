/* The peer of the compiled kernels of the whole game: rounds of one seat in plain C, by lookup tables.

   The dealer peeks, a natural pays 3:2, a pair may be split up to four hands, aces too, and surrender is late:
   the game of `vegas` from any shoe. Insurance is declined.

   whole DECKS FEWEST ROUNDS SEED POLICY      DECKS: 0 for an infinite deck
                                              FEWEST: with fewer cards left before a round, the shoe is made fresh
                                              POLICY: 9 x 40 x 10 digits, the decision by what is allowed (1 to
                                              double, 2 to split, 4 to surrender; 8: a split ace), by hand (hard
                                              2 to 21, soft 12 to 21, pairs from aces) and upcard (from aces)
   prints: wins losses pushes busts surrenders tenths seconds
           losses without busts and surrenders, what was won in tenths of a bet, processor time */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HIT, STAND, DOUBLE, SPLIT, SURRENDER };
enum { MAY_DOUBLE = 1, MAY_SPLIT = 2, MAY_SURRENDER = 4, SPLIT_ACE = 8 };
enum { WON, LOST, PUSHED, BUST, GIVEN_UP };
enum { MOST_HANDS = 4, FIRST_PAIR = 30, NATURAL = 22 };

static uint64_t s[4];
static uint8_t after[64][13], total[64], row[64], draws[64], points[13], decide[9][40][10], shoe[416];
static uint32_t cards, dealt, start;
static long counts[5], tenths;

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/* xoshiro256++ (Blackman and Vigna, 2019) */
static inline uint64_t next(void) {
    uint64_t result = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return result;
}

static inline uint32_t below(uint32_t n) { return (uint32_t)(((next() >> 32) * n) >> 32); }

/* All cards but those of this round go back; shuffled as they are dealt. */
static void refill(void) {
    uint8_t table[416];
    memcpy(table, shoe + start, dealt - start);
    memmove(shoe + dealt - start, shoe, start);
    memcpy(shoe, table, dealt - start);
    dealt -= start;
    start = 0;
}

static inline int draw(void) {
    if (!cards) return below(13);
    if (dealt == cards) refill();
    uint32_t picked = dealt + below(cards - dealt);
    uint8_t card = shoe[picked];
    shoe[picked] = shoe[dealt];
    shoe[dealt++] = card;
    return card;
}

/* A hand is its points with aces as 1, and whether there is an ace. */
static void make_tables(const char *policy) {
    for (int rank = 0; rank < 13; rank++) points[rank] = rank < 9 ? rank + 1 : 10;
    for (int hand = 0; hand < 64; hand++) {
        int sum = hand >> 1, ace = hand & 1, soft = ace && sum <= 11;
        total[hand] = sum + 10 * soft > 21 ? 0 : sum + 10 * soft;
        row[hand] = soft ? 8 + total[hand] : total[hand] >= 2 ? total[hand] - 2 : 0;
        draws[hand] = total[hand] && (total[hand] < 17 || (total[hand] == 17 && soft));
        for (int rank = 0; rank < 13; rank++)
            after[hand][rank] = sum + points[rank] < 32 ? (sum + points[rank]) << 1 | ace | !rank : 62;
    }
    for (int i = 0; i < 9 * 40 * 10; i++) decide[i / 400][i / 10 % 40][i % 10] = policy[i] - '0';
}

static inline void count(int outcome, int payoff) { counts[outcome]++; tenths += payoff; }

static void play(void) {
    int first = draw(), second = draw(), up = draw(), upcard = points[up] - 1;
    int hand = after[after[0][first]][second], dealer = after[after[0][up]][draw()];
    int pair = points[first] == points[second] ? points[first] : 0, split = 0;
    if (total[dealer] == 21) { count(total[hand] == 21 ? PUSHED : LOST, total[hand] == 21 ? 0 : -10); return; }
    if (total[hand] == 21) { count(WON, 15); return; }
    int hands = 1, of_split = after[0][pair ? pair - 1 : 0], stands = 0, totals[MOST_HANDS], stakes[MOST_HANDS];
    for (int number = 0; number < hands; number++) {
        int is_pair = pair && !number, more = 0, stake = 10;
        if (number) {
            int card = draw();
            hand = after[of_split][card];
            is_pair = points[card] == pair;
        }
        for (;;) {
            int asked = (more ? 0 : MAY_DOUBLE) | (is_pair && hands < MOST_HANDS ? MAY_SPLIT : 0) |
                        (more || split ? 0 : MAY_SURRENDER);
            if (split && pair == 1) {
                if (!(asked & MAY_SPLIT)) break;
                asked = SPLIT_ACE;
            }
            int decision = decide[asked][asked & (MAY_SPLIT | SPLIT_ACE) ? FIRST_PAIR + pair - 1 : row[hand]][upcard];
            if (decision == STAND) break;
            if (decision == SURRENDER) { count(GIVEN_UP, -5); return; }
            int card = draw();
            if (decision == SPLIT) {
                hands++;
                split = 1;
                hand = after[of_split][card];
                is_pair = points[card] == pair;
                continue;
            }
            hand = after[hand][card];
            more = 1;
            is_pair = 0;
            if (decision == DOUBLE) stake = 20;
            if (decision == DOUBLE || !total[hand]) break;
        }
        totals[number] = total[hand];
        stakes[number] = stake;
        stands |= total[hand];
    }
    if (stands) while (draws[dealer]) dealer = after[dealer][draw()];
    int payoff = 0;
    for (int number = 0; number < hands; number++)
        if (!totals[number] || totals[number] < total[dealer]) payoff -= stakes[number];
        else if (totals[number] > total[dealer]) payoff += stakes[number];
    count(!stands ? BUST : payoff > 0 ? WON : payoff < 0 ? LOST : PUSHED, payoff);
}

int main(int argc, char **argv) {
    if (argc != 6 || strlen(argv[5]) != 9 * 40 * 10) return 2;
    cards = 52 * atoi(argv[1]);
    uint32_t fewest = atoi(argv[2]);
    long rounds = atol(argv[3]);
    uint64_t x = strtoull(argv[4], NULL, 10);
    for (int i = 0; i < 4; i++) { /* splitmix64 */
        uint64_t z = (x += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        s[i] = z ^ (z >> 31);
    }
    make_tables(argv[5]);
    for (uint32_t i = 0; i < cards; i++) shoe[i] = i % 13;
    clock_t began = clock();
    for (long round = 0; round < rounds; round++) {
        if (cards - dealt < fewest) dealt = 0;
        start = dealt;
        play();
    }
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    printf("%ld %ld %ld %ld %ld %ld %.6f\n", counts[WON], counts[LOST], counts[PUSHED], counts[BUST],
           counts[GIVEN_UP], tenths, seconds);
    return 0;
}
