/* The peer of the compiled learner: rounds dealt, played and learned from in plain C, by lookup tables.

   learning infinite|fresh qlearning|random-play ROUNDS SEED
   prints: the learned decisions, 484 times 0 or 1 by total and dealer column; wins losses-without-busts pushes
   busts; and the seconds of processor time */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HIT, STAND, WEIGHT = 2 };

static const double initial[] = {0.7, -0.7}, variance[] = {0.36, 0.81};
static const int shares[] = {2, 3};

static uint64_t s[4];
static uint8_t after[64][13], total[64], deck[52];
static int states[64][13], dealt;
static double values[968];
static long sums[968], counts[968], ends[4];

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/* xoshiro256++ (Blackman and Vigna, 2019) */
static inline uint64_t next(void) {
    uint64_t result = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return result;
}

static inline uint32_t below(uint32_t n) { return (uint32_t)(((next() >> 32) * n) >> 32); }

static inline int from_infinite(void) { return below(13); }

static inline int from_deck(void) {
    int picked = dealt + below(52 - dealt);
    uint8_t card = deck[picked];
    deck[picked] = deck[dealt];
    deck[dealt++] = card;
    return card;
}

/* A hand is its points with aces as 1, and whether there is an ace. */
static void make_tables(void) {
    for (int hand = 0; hand < 64; hand++) {
        int points = hand >> 1, ace = hand & 1, soft = ace && points <= 11;
        total[hand] = points + 10 * soft;
        for (int rank = 0; rank < 13; rank++) {
            int more = rank < 9 ? rank + 1 : 10, upcard = rank ? more : 11;
            after[hand][rank] = points + more < 32 ? (points + more) << 1 | ace | !rank : 63;
            states[hand][rank] = total[hand] <= 21 ? 22 * total[hand] + upcard + 10 * soft : 0;
        }
    }
}

static inline int choose(int state) {
    long hits = counts[2 * state], stands = counts[2 * state + 1];
    if (hits && stands) {
        double lead = values[2 * state] - values[2 * state + 1];
        double spread = variance[HIT] / hits + variance[STAND] / stands;
        if (lead * lead > log(hits + stands + 1) * spread) return lead > 0 ? HIT : STAND;
    }
    long owed = shares[HIT] * stands - shares[STAND] * hits;
    return !owed ? (int)(next() >> 63) : owed > 0 ? HIT : STAND;
}

static inline void learn(const int *steps, int taken, int payoff) {
    double target = payoff;
    for (int place = taken - 1; place >= 0; place--) {
        int index = steps[place], other = index ^ 1;
        double value = counts[index] ? values[index] : initial[index & 1];
        value += (target - value) / (++counts[index] + WEIGHT);
        values[index] = value;
        double rival = counts[other] ? values[other] : initial[other & 1];
        target = value > rival ? value : rival;
    }
}

#define PLAY(draw, action, update)                                                                         \
    for (long round = 0; round < rounds; round++) {                                                        \
        int steps[32], taken = 0, payoff = -1, end = 3;                                                    \
        dealt = 0;                                                                                         \
        int mine = after[after[0][draw()]][draw()];                                                        \
        int upcard = draw(), theirs = after[after[0][upcard]][draw()];                                     \
        while (total[mine] <= 21) {                                                                        \
            int state = states[mine][upcard], chosen = action;                                             \
            steps[taken++] = 2 * state + chosen;                                                           \
            if (chosen == STAND) break;                                                                    \
            mine = after[mine][draw()];                                                                    \
        }                                                                                                  \
        if (total[mine] <= 21) {                                                                           \
            while (total[theirs] < 17) theirs = after[theirs][draw()];                                     \
            end = total[theirs] > 21 || total[mine] > total[theirs] ? 0 : total[mine] < total[theirs] ? 1 : 2; \
            payoff = end == 0 ? 1 : end == 1 ? -1 : 0;                                                     \
        }                                                                                                  \
        ends[end]++;                                                                                       \
        update;                                                                                            \
    }

#define COIN ((int)(next() >> 63))
#define ADD_UP for (int i = 0; i < taken; i++) { sums[steps[i]] += payoff; counts[steps[i]]++; }

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int infinite = !strcmp(argv[1], "infinite"), at_random = !strcmp(argv[2], "random-play");
    long rounds = atol(argv[3]);
    uint64_t x = strtoull(argv[4], NULL, 10);
    for (int i = 0; i < 4; i++) { /* splitmix64 */
        uint64_t z = (x += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        s[i] = z ^ (z >> 31);
    }
    make_tables();
    for (int i = 0; i < 52; i++) deck[i] = i % 13;
    clock_t start = clock();
    if (infinite && at_random) PLAY(from_infinite, COIN, ADD_UP)
    else if (infinite) PLAY(from_infinite, choose(state), learn(steps, taken, payoff))
    else if (at_random) PLAY(from_deck, COIN, ADD_UP)
    else PLAY(from_deck, choose(state), learn(steps, taken, payoff))
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    for (int i = 0; i < 968; i++)
        if (at_random && counts[i]) values[i] = (double)sums[i] / counts[i];
    for (int state = 0; state < 484; state++) putchar(values[2 * state] > values[2 * state + 1] ? '1' : '0');
    printf(" %ld %ld %ld %ld %.6f\n", ends[0], ends[1], ends[2], ends[3], seconds);
    return 0;
}
