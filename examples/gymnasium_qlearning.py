"""Tabular Q-learning for Gymnasium: only the name of the environment refers to this project.

    python examples/gymnasium_qlearning.py 500000 my_table.txt
    analysis value my_table.txt

The agent plays at random and learns the best play from it (Q-learning is off-policy): the value of a decision
moves towards the payoff, or towards the best value of the hand that it led to, by 1 / count. Action 0 is to
hit and 1 is to stand. In Gymnasium's own Blackjack-v1 it is the other way round.
"""

import argparse
import random
from pathlib import Path

import gymnasium

HIT, STAND = 0, 1


def learn(env, rounds, seed):
    """Play rounds at random; return the action values and visit counts by (total, upcard, soft)."""
    values, counts = {}, {}
    draw = random.Random(seed).random
    for played in range(rounds):
        hand, _ = env.reset(seed=seed if played == 0 else None)
        steps, is_over = [], False
        while not is_over:
            action = STAND if draw() < 0.5 else HIT
            steps.append((hand, action))
            hand, payoff, is_over, _, _ = env.step(action)
        # From the last decision backwards, so that the payoff reaches the first one at once.
        target = payoff
        for hand, action in reversed(steps):
            value = values.setdefault(hand, [0.0, 0.0])
            count = counts.setdefault(hand, [0, 0])
            count[action] += 1
            value[action] += (target - value[action]) / count[action]
            # An action that has never been tried has no value yet.
            target = max(value[action] for action in (HIT, STAND) if count[action])
    return values, counts


def save(path, rules, rounds, seed, values, counts):
    """Write the table in the format that `analysis value` grades: 22 totals x 22 columns x 2 actions.

    The column is the upcard (2 to 11, an ace is 11) for a hard hand, and 10 more for a soft one.
    """
    header = {"format": 1, "rules": f"preset={rules}", "method": "qlearning", "rounds": rounds, "seed": seed}
    lines = [f"# {key}: {text}" for key, text in header.items()]
    for total in range(22):
        for column in range(22):
            hand = (total, column, 0) if column < 12 else (total, column - 10, 1)
            for action in (HIT, STAND):
                value, count = values.get(hand, [0.0, 0.0])[action], counts.get(hand, [0, 0])[action]
                lines.append(f"{total} {column} {action} {value!r} {count}")
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    """Learn, and write the table."""
    parser = argparse.ArgumentParser(description="Learn blackjack by Q-learning, and write a Q table.")
    parser.add_argument("rounds", type=int, help="how many rounds to learn from")
    parser.add_argument("file", help="the file to write")
    parser.add_argument("--rules", choices=["course", "study", "devs", "casino"], default="course")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same table")
    options = parser.parse_args()
    try:
        Path(options.file).open("a").close()  # to fail before learning, not after it
    except OSError as error:
        parser.error(f"cannot write {options.file}: {error.strerror}")
    # The part before the colon is the package that registers the environment.
    env = gymnasium.make("twentyone.environments:twentyone/Blackjack-v0", rules=options.rules)
    values, counts = learn(env, options.rounds, options.seed)
    env.close()
    save(options.file, options.rules, options.rounds, options.seed, values, counts)
    print(f"{options.rounds} rounds learned; grade them by: analysis value {options.file}")


if __name__ == "__main__":
    main()
