/* The peer of the compiled kernels: rounds of one seat in plain C, by lookup tables.

   The dealer peeks, a natural pays 3:2, a pair may be split up to four hands, aces too, and surrender is late:
   the game of `vegas` from any shoe. Insurance is declined. With -DHIT_OR_STAND it is that of `course`.

   rounds DECKS FEWEST ROUNDS SEED POLICY      DECKS: 0 for an infinite deck
                                              FEWEST: with fewer cards left before a round, the shoe is made fresh
                                              POLICY: 9 x 40 x 10 digits, the decision by what is allowed (1 to
                                              double, 2 to split, 4 to surrender; 8: a split ace), by hand (hard
                                              2 to 21, soft 12 to 21, pairs from aces) and upcard (from aces)
   prints: wins losses pushes busts surrenders tenths seconds
           losses without busts and surrenders, what was won in tenths of a bet, processor time */

#include "cards.h"

enum { HIT, STAND, DOUBLE, SPLIT, SURRENDER };
enum { MAY_DOUBLE = 1, MAY_SPLIT = 2, MAY_SURRENDER = 4, SPLIT_ACE = 8 };
enum { WON, LOST, PUSHED, BUST, GIVEN_UP };
enum { MOST_HANDS = 4, FIRST_PAIR = 30 };

static uint8_t decide[9][40][10];
static uint32_t start;
static long counts[5], tenths;

/* All cards but those of this round go back; shuffled as they are dealt. */
static void refill(void) {
    uint8_t table[416];
    memcpy(table, shoe + start, dealt - start);
    memmove(shoe + dealt - start, shoe, start);
    memcpy(shoe, table, dealt - start);
    dealt -= start;
    start = 0;
}

static inline int take(void) {
    if (cards && dealt == cards) refill();
    return draw();
}

static inline void count(int outcome, int payoff) { counts[outcome]++; tenths += payoff; }

static void play(void) {
    int first = take(), second = take(), up = take(), upcard = points[up] - 1;
    int hand = after[after[0][first]][second], dealer = after[after[0][up]][take()];
    int pair = points[first] == points[second] ? points[first] : 0, split = 0;
#ifdef HIT_OR_STAND
    while (decide[0][row[hand]][upcard] == HIT && total[hand]) hand = after[hand][take()];
    if (!total[hand]) { count(BUST, -10); return; }
    while (draws[dealer]) dealer = after[dealer][take()];
    int lead = total[hand] - total[dealer];
    count(lead > 0 ? WON : lead < 0 ? LOST : PUSHED, lead > 0 ? 10 : lead < 0 ? -10 : 0);
    return;
#endif
    if (total[dealer] == 21) { count(total[hand] == 21 ? PUSHED : LOST, total[hand] == 21 ? 0 : -10); return; }
    if (total[hand] == 21) { count(WON, 15); return; }
    int hands = 1, of_split = after[0][pair ? pair - 1 : 0], stands = 0, totals[MOST_HANDS], stakes[MOST_HANDS];
    for (int number = 0; number < hands; number++) {
        int is_pair = pair && !number, more = 0, stake = 10;
        if (number) {
            int card = take();
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
            int card = take();
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
    if (stands) while (draws[dealer]) dealer = after[dealer][take()];
    int payoff = 0;
    for (int number = 0; number < hands; number++)
        if (!totals[number] || totals[number] < total[dealer]) payoff -= stakes[number];
        else if (totals[number] > total[dealer]) payoff += stakes[number];
    count(!stands ? BUST : payoff > 0 ? WON : payoff < 0 ? LOST : PUSHED, payoff);
}

int main(int argc, char **argv) {
    if (argc != 6 || strlen(argv[5]) != 9 * 40 * 10) return 2;
    uint32_t fewest = atoi(argv[2]);
    long rounds = atol(argv[3]);
    seed(strtoull(argv[4], NULL, 10));
#ifdef HIT_OR_STAND
    make_tables(atoi(argv[1]), 0);
#else
    make_tables(atoi(argv[1]), 1);
#endif
    for (int i = 0; i < 9 * 40 * 10; i++) decide[i / 400][i / 10 % 40][i % 10] = argv[5][i] - '0';
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
