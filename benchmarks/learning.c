/* The peer of learning in memory: rounds dealt, played and learned from in plain C, by the project's own method.

   The game is `vegas` with a fresh shoe every round; with -DHIT_OR_STAND it is `course`.

   learning DECKS ROUNDS SEED WEIGHT INITIAL... VARIANCE...
                                              six numbers each, by action: HIT STAND DOUBLE SPLIT SURRENDER INSURE
   prints: tenths seconds, and a line of value and visits for each of 40 x 10 x 6 hands, upcards and actions
           what was won in tenths of a bet, and processor time; hands are hard 2 to 21, soft 12 to 21, pairs from
           aces to tens, and upcards 2 to 10 and an ace */

#include "cards.h"

enum { HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, ACTIONS };
enum { MOST_HANDS = 4, FIRST_PAIR = 30, CELLS = 40 * 10 * ACTIONS, MOST_STEPS = 128 };

typedef struct { int first, allowed, action, hand; } Step;

static double values[CELLS], initial[ACTIONS], variance[ACTIONS], shares[ACTIONS], weight;
static long counts[CELLS], tenths;
static Step steps[MOST_STEPS];
static int taken;

static inline double value_of(int first, int action) {
    return counts[first + action] ? values[first + action] : initial[action];
}

/* Each action in its share of visits, but for those that are clearly worse than the best one. */
static inline int choose(int first, int allowed) {
    int best = STAND, tied = 1;
    long visits = 0;
    double most = -1e9;
    for (int action = 0; action <= SURRENDER; action++) {
        if (!(allowed >> action & 1)) continue;
        visits += counts[first + action];
        double value = value_of(first, action);
        if (value > most) { best = action; most = value; }
    }
    long of_best = counts[first + best];
    double bound = log(visits + 1), uncertain = variance[best] / (of_best ? of_best : 1);
    int chosen = best;
    double claim = of_best * shares[best];
    for (int action = 0; action <= SURRENDER; action++) {
        if (action == best || !(allowed >> action & 1)) continue;
        long visited = counts[first + action];
        if (visited && of_best) {
            double difference = most - values[first + action];
            if (difference * difference > bound * (uncertain + variance[action] / visited)) continue;
        }
        double owed = visited * shares[action];
        if (owed == claim) {
            tied++;
            if (!below(tied)) chosen = action;
        } else if (owed < claim) {
            chosen = action;
            claim = owed;
            tied = 1;
        }
    }
    return chosen;
}

static inline void towards(int first, int action, double target) {
    double value = value_of(first, action);
    long visits = ++counts[first + action];
    values[first + action] = value + (target - value) / (visits + weight);
}

/* Insure as long as it is not clear that it loses. */
static inline int insures(int index) {
    long visits = counts[index];
    double value = values[index];
    return value >= 0 || value * value <= log(visits + 1) * variance[INSURE] / (visits ? visits : 1);
}

/* From the last decision backwards; hands that were played later wait for the split that made them. */
static inline void learn(const double *payoffs, int hands) {
    double waiting[MOST_HANDS], ahead = payoffs[hands - 1];
    int hand = hands - 1, later = 0;
    for (int number = taken - 1; number >= 0; number--) {
        const Step *step = steps + number;
        while (step->hand < hand) {
            waiting[later++] = ahead;
            ahead = payoffs[--hand];
        }
        if (step->action == SPLIT) ahead += waiting[--later];
        towards(step->first, step->action, ahead);
        ahead = -1e9;
        for (int action = 0; action <= SURRENDER; action++)
            if (step->allowed >> action & 1) {
                double value = value_of(step->first, action);
                if (value > ahead) ahead = value;
            }
    }
}

static inline int cell(int of_row, int upcard) { return (of_row * 10 + (upcard ? upcard - 1 : 9)) * ACTIONS; }

static void play(void) {
    int first = draw(), second = draw(), up = draw(), upcard = points[up] - 1;
    int hand = after[after[0][first]][second], dealer = after[after[0][up]][draw()];
    int pair = points[first] == points[second] ? points[first] : 0, split = 0, is_natural = total[dealer] == 21;
    taken = 0;
#ifdef HIT_OR_STAND
    double payoff = -1;
    while (total[hand]) {
        int asked = cell(row[hand], upcard), allowed = 1 << HIT | 1 << STAND, decision = choose(asked, allowed);
        steps[taken++] = (Step){asked, allowed, decision, 0};
        if (decision == STAND) break;
        hand = after[hand][draw()];
    }
    if (total[hand]) {
        while (draws[dealer]) dealer = after[dealer][draw()];
        payoff = (total[hand] > total[dealer]) - (total[hand] < total[dealer]);
    }
    tenths += 10 * payoff;
    learn(&payoff, 1);
    return;
#endif
    if (!upcard) {
        int asked = cell(row[hand], upcard);
        if (insures(asked + INSURE)) {
            towards(asked, INSURE, is_natural ? 1 : -0.5);
            tenths += is_natural ? 10 : -5;
        }
    }
    if (is_natural) { tenths -= total[hand] == 21 ? 0 : 10; return; }
    if (total[hand] == 21) { tenths += 15; return; }
    int hands = 1, of_split = after[0][pair ? pair - 1 : 0], stands = 0, totals[MOST_HANDS], stakes[MOST_HANDS];
    double payoffs[MOST_HANDS] = {-0.5};
    for (int number = 0; number < hands; number++) {
        int is_pair = pair && !number, more = 0, stake = 1;
        if (number) {
            int card = draw();
            hand = after[of_split][card];
            is_pair = points[card] == pair;
        }
        for (;;) {
            int may_split = is_pair && hands < MOST_HANDS;
            int allowed = 1 << HIT | 1 << STAND | (more ? 0 : 1 << DOUBLE) | (may_split ? 1 << SPLIT : 0) |
                          (more || split ? 0 : 1 << SURRENDER);
            if (split && pair == 1) {
                if (!may_split) break;
                allowed = 1 << STAND | 1 << SPLIT;
            }
            int asked = cell(may_split ? FIRST_PAIR + pair - 1 : row[hand], upcard), decision = choose(asked, allowed);
            steps[taken++] = (Step){asked, allowed, decision, number};
            if (decision == STAND) break;
            if (decision == SURRENDER) { tenths -= 5; learn(payoffs, 1); return; }
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
            if (decision == DOUBLE) stake = 2;
            if (decision == DOUBLE || !total[hand]) break;
        }
        totals[number] = total[hand];
        stakes[number] = stake;
        stands |= total[hand];
    }
    if (stands) while (draws[dealer]) dealer = after[dealer][draw()];
    for (int number = 0; number < hands; number++) {
        int lost = !totals[number] || totals[number] < total[dealer], won = !lost && totals[number] > total[dealer];
        int payoff = won ? stakes[number] : lost ? -stakes[number] : 0;
        payoffs[number] = payoff;
        tenths += 10 * payoff;
    }
    learn(payoffs, hands);
}

int main(int argc, char **argv) {
    if (argc != 5 + 2 * ACTIONS) return 2;
    long rounds = atol(argv[2]);
    seed(strtoull(argv[3], NULL, 10));
#ifdef HIT_OR_STAND
    make_tables(atoi(argv[1]), 0);
#else
    make_tables(atoi(argv[1]), 1);
#endif
    weight = atof(argv[4]);
    for (int action = 0; action < ACTIONS; action++) {
        initial[action] = atof(argv[5 + action]);
        variance[action] = atof(argv[5 + ACTIONS + action]);
        shares[action] = 1 / sqrt(variance[action]);
    }
    clock_t began = clock();
    for (long round = 0; round < rounds; round++) {
        dealt = 0;
        play();
    }
    printf("%ld %.6f\n", tenths, (double)(clock() - began) / CLOCKS_PER_SEC);
    for (int index = 0; index < CELLS; index++) printf("%.17g %ld\n", values[index], counts[index]);
    return 0;
}
