"""A small neural network learns blackjack from a thousand rounds at once: by numpy, and no learning library.

    python examples/neural_network.py my_network.npy --seed 1
    analysis value my_network.npy

The network has three inputs, the total, the upcard and whether the hand is soft (`observation="box"`: each is
between 0 and 1), two hidden layers of 32, and two outputs, the values of hitting and of standing. It plays at
random and learns the best play from it: the output of the action that was taken moves towards the payoff or,
where the round goes on, towards the greater value of the hand that came of it. That value is told by a slow
average of the network, which is also what is written at the end, as action values of all hands.

The method is that of Mnih and others, "Human-level control through deep reinforcement learning", Nature 518
(2015), without its memory of old rounds: of a thousand at once no two are related. The steps are those of
Kingma and Ba, "Adam: a method for stochastic optimization" (2015).
"""

import argparse
from itertools import pairwise, product
from pathlib import Path

import gymnasium
import numpy as np

ROUNDS = 1024
LAYERS = [3, 32, 32, 2]
LEARNING_RATE = 0.01  # at first; it falls to 0


def new_network(random):
    """Weights and offsets, layer after layer; the first are large, since one more point changes much."""
    network = []
    for size, after in pairwise(LAYERS):
        is_first = not network
        network += [random.normal(0, (6 if is_first else 1) * size**-0.5, (size, after))]
        network += [random.normal(0, 3 if is_first else 0, after)]
    return [part.astype(np.float32) for part in network]


def activations(network, seen):
    """The input, and the output of each layer; the last are the values of the actions."""
    layers = [seen]
    for weights, offsets in zip(network[::2], network[1::2], strict=True):
        sums = layers[-1] @ weights + offsets
        layers.append(sums if offsets is network[-1] else np.tanh(sums))
    return layers


def gradients(network, layers, error):
    """The gradient of half the squared error in all weights and offsets (back-propagation)."""
    found = []
    for weights, inputs in zip(network[-2::-2], layers[-2::-1], strict=True):
        found = [inputs.T @ error, error.sum(axis=0), *found]
        error = (error @ weights.T) * (1 - inputs**2)
    return found


def step_by_adam(network, means, squares, slopes, number, rate):
    """Change a network by step `number`, from 1 on, against gradients as far as they have been steady."""
    steady, spread = 1 - 0.9**number, 1 - 0.999**number
    for part, mean, square, slope in zip(network, means, squares, slopes, strict=True):
        mean += 0.1 * (slope - mean)
        square += 0.001 * (slope**2 - square)
        part -= rate * mean / steady / (np.sqrt(square / spread) + 1e-8)


def learn(env, steps, seed):
    """Play at random for some steps in every environment; return the average network."""
    random = np.random.default_rng(seed)
    network, average = new_network(random), new_network(random)
    means, squares = ([np.zeros_like(part) for part in network] for _ in range(2))
    each = np.arange(env.num_envs)
    seen, _ = env.reset(seed=seed)
    was_over = np.zeros(env.num_envs, bool)
    for number in range(1, steps + 1):
        action = random.integers(0, 2, env.num_envs)
        later, payoff, is_over, _, _ = env.step(action)
        target = np.where(is_over, payoff, activations(average, later)[-1].max(axis=1))
        layers = activations(network, seen)
        error = np.zeros_like(layers[-1])
        error[each, action] = (layers[-1][each, action] - target) / env.num_envs
        error[was_over] = 0  # a step that deals is no decision
        slopes = gradients(network, layers, error)
        step_by_adam(network, means, squares, slopes, number, LEARNING_RATE * (1 - number / steps))
        for slow, part in zip(average, network, strict=True):
            slow += max(0.01, 1 / number) * (part - slow)
        seen, was_over = later, is_over
    return average


def action_values(network):
    """The values of 22 totals x 22 columns x 2 actions: the upcard, 2 to 11, and 10 more for a soft hand."""
    values = np.zeros((22, 22, 2))
    for is_soft, totals in ((0, range(4, 22)), (1, range(12, 22))):
        for total, upcard in product(totals, range(2, 12)):
            seen = np.array([total / 32, upcard / 11, is_soft], np.float32)
            values[total, upcard + 10 * is_soft] = activations(network, seen)[-1]
    return values


def main():
    """Learn, and write the action values."""
    parser = argparse.ArgumentParser(description="Learn blackjack with a small neural network.")
    parser.add_argument("file", help="the file to write: action values as an array of numpy, such as a.npy")
    parser.add_argument("--steps", type=int, default=12_000, help=f"steps in each of {ROUNDS} rounds at once")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same network")
    options = parser.parse_args()
    try:
        Path(options.file).open("ab").close()  # to fail before learning, not after it
    except OSError as error:
        parser.error(f"cannot write {options.file}: {error.strerror}")
    env = gymnasium.make_vec(
        "twentyone.environments:twentyone/Blackjack-v0", num_envs=ROUNDS, observation="box"
    )
    values = action_values(learn(env, options.steps, options.seed))
    with Path(options.file).open("wb") as file:  # by its name, np.save would add an ending
        np.save(file, values)
    print(f"{options.steps} steps of {ROUNDS} rounds learned; grade them by: analysis value {options.file}")


if __name__ == "__main__":
    main()
