"""Makes the pictures of the documentation again: `make pictures`, for all of them or those that are named.

    python docs/pictures/make.py strategy learned

The commands draw them. Those of the pages are taken in a real browser (Debian: chromium and
chromium-driver).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PIL import Image

FOLDER: Final = Path(__file__).parent
SCRIPTS: Final = Path(sys.executable).parent
COLOURS: Final = 192

METHODS: Final = {
    "qlearning": "qlearning,q-decaying,random-play",
    "q_constant": "qlearning,q-constant,q-constant:alpha=0.01",
    "q_decaying": "qlearning,q-decaying,q-decaying:epsilon=1",
    "double_q": "qlearning,double-q,q-constant:alpha=0.05",
    "sarsa": "qlearning,sarsa,sarsa:alpha=0.01",
    "expected_sarsa": "qlearning,expected-sarsa,expected-sarsa:alpha=0.01",
    "n_step_sarsa": "qlearning,n-step-sarsa,n-step-sarsa:alpha=0.01",
    "sarsa_lambda": "qlearning,sarsa-lambda,sarsa-lambda:alpha=0.01",
    "monte_carlo": "qlearning,monte-carlo,sarsa:alpha=1:alpha-decay=1",
    "monte_carlo_es": "qlearning,monte-carlo-es,monte-carlo",
    "random_play": "qlearning,random-play",
    "model": "qlearning,model,random-play",
}
"""The methods in the picture of each page on a method, `method_...png`."""


def run(folder: Path, command: str) -> None:
    """Run a command of the project in a folder."""
    name, *arguments = command.split()
    subprocess.run([SCRIPTS / name, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def strategy(folder: Path, file: Path) -> None:
    """Basic strategy as a chart."""
    run(folder, f"analysis solve --plot {file}")


def chart(folder: Path, file: Path) -> None:
    """Draw basic strategy with every option."""
    run(folder, f"analysis solve --rules vegas --plot {file}")


def learned(folder: Path, file: Path) -> None:
    """A table after 50,000 rounds over the wire, and its learning curve."""
    with dealer(folder, "--quiet") as port:
        run(folder, f"training 127.0.0.1 {port} 50000 --seed 1 --plot {file}")


def thresholds(folder: Path, file: Path) -> None:
    """The thresholds of the study on the same cards."""
    run(folder, f"analysis compare --seed 1 --plot {file}")


def cut_card(folder: Path, file: Path) -> None:
    """Draw the effect of the cut card under `vegas`, with six decks."""
    run(folder, f"analysis compare 200M --rules vegas --sweep cutoff:26,78,156,312 --seed 1 --plot {file}")


def variability(folder: Path, file: Path) -> None:
    """Draw the error of a result by the number of games."""
    run(folder, f"analysis variability --seed 1 --games 10,100,1000 --repeats 200 --plot {file}")


def count(folder: Path, file: Path) -> None:
    """Hi-Lo under the rules of `vegas`."""
    run(folder, f"analysis count --seed 1 --rounds 20M --plot {file}")


def curves(folder: Path, file: Path) -> None:
    """Six methods of learning over 20 seeds."""
    methods = "qlearning,q-decaying,q-constant,sarsa,monte-carlo-es,random-play"
    run(folder, f"analysis learn 1M --compare {methods} --seed 1 --plot {file}")


def counted(folder: Path, file: Path) -> None:
    """Draw the table of counting after a billion rounds, which takes ten minutes and more."""
    run(folder, "analysis learn 1000M --rules vegas --count hi-lo --seed 1 --table counted.txt")
    run(folder, f"analysis count --policy counted:counted.txt --rounds 0 --indices --plot {file}")


def betting(folder: Path, file: Path) -> None:
    """Sessions with four ways of betting."""
    run(folder, f"analysis betting --seed 1 --sessions 2000 --plot {file}")


def lengths(folder: Path, file: Path) -> None:
    """The lengths of games of Mancala."""
    run(folder, f"mancala facts --plot {file}")


def environment(folder: Path, file: Path) -> None:
    """Draw an environment's picture of a round: eights that were split, one doubled."""
    sys.path.insert(0, str(FOLDER.parent.parent))
    from twentyone.environments.blackjack import BlackjackEnv

    env = BlackjackEnv("vegas", render_mode="rgb_array")
    env.reset(seed=18252)
    for action in (3, 1, 3, 1, 2):
        env.step(action)
    Image.fromarray(env.render()).save(file)


def curves_of(methods: str) -> Callable[[Path, Path], None]:
    """The drawing of the learning curves of some methods, over 20 seeds."""

    def draw(folder: Path, file: Path) -> None:
        run(folder, f"analysis learn 1M --compare {methods} --seed 1 --plot {file}")

    return draw


def table(folder: Path, file: Path) -> None:
    """Draw a full table of `vegas` after a round, in dark."""
    sys.path.insert(0, str(FOLDER.parent.parent))
    from tests.helpers.browser import open_browser
    from tests.web import evening

    options = "--rules vegas --seats 9 --bots 8 --bets 5-500 --bankroll 500 --bot-delay 0 --quiet"
    with dealer(folder, options) as port, open_browser(folder / "profile") as browser:
        page = browser.visit(f"http://127.0.0.1:{port}/", (1366, 768))
        page.media(prefers_color_scheme="dark")
        page.sit("ada")
        for number in range(2):
            evening.bet(page, 25)
            while not page.ask("one('#table').dataset.phase === 'results'"):
                usable = [key for key, id_ in (("c", "decline"), ("s", "stand")) if page.is_usable(f"#{id_}")]
                page.press(*usable[:1])
                time.sleep(0.3)
            page.until_results()
            if number == 0:
                evening.go_on(page)
        page.driver.save_screenshot(str(file))


def split(folder: Path, file: Path) -> None:
    """Three hands of one player, with chips on each, in light."""
    seen(file, "three-hands", (1366, 768), "light")


def phone(folder: Path, file: Path) -> None:
    """A player's turn on a phone."""
    seen(file, "hint", (390, 844), "dark")


def trainer(folder: Path, file: Path) -> None:
    """The trainer's verdict on an answer, beside its chart."""
    seen(file, "trainer-chart", (1366, 768), "light")


def seen(file: Path, state: str, size: tuple[int, int], theme: str) -> None:
    """A picture of a state that the tests of the pages go through."""
    sys.path.insert(0, str(FOLDER.parent.parent))
    from tests.web.states import picture

    picture(file, state, size, theme)


def replay(folder: Path, file: Path) -> None:
    """A round of a running table seen again: the player's, with two bots, and what each decision cost."""
    sys.path.insert(0, str(FOLDER.parent.parent))
    from tests.helpers.browser import open_browser

    options = "--rules vegas --seats 3 --bots 2 --bot-policy threshold:17 --pause 1 --quiet"
    with dealer(folder, options) as port, open_browser(folder / "profile") as browser:
        page = browser.visit(f"http://127.0.0.1:{port}/")
        page.sit()
        for _ in range(12):
            page.until("isUsable(one('#hit')) || isUsable(one('#decline')) || isUsable(one('#next'))")
            page.press("h" if page.is_usable("#hit") else "c" if page.is_usable("#decline") else "x")
            time.sleep(0.3)
        page.driver.get(page.ask("one('#replay').href"))
        page.until("all('#rows tr').length > 1 && one('.replay-place')")
        page.click("#by-cost")
        for _ in range(40):
            page.click("[aria-keyshortcuts='ArrowRight']")
        page.driver.save_screenshot(str(file))


@contextmanager
def dealer(folder: Path, options: str) -> Iterator[str]:
    """A dealer whose cards repeat, on a free port."""
    port_file = folder / "port"
    process = subprocess.Popen(
        [SCRIPTS / "dealer", "0", "0", "--seed", "1", "--port-file", port_file, *options.split()],
        stdout=subprocess.DEVNULL,
    )
    try:
        while not port_file.exists():
            time.sleep(0.05)
        yield port_file.read_text().strip()
    finally:
        process.terminate()
        process.wait()


PICTURES: Final[dict[str, Callable[[Path, Path], None]]] = {
    made.__name__: made
    for made in (
        table,
        split,
        phone,
        trainer,
        replay,
        environment,
        strategy,
        chart,
        learned,
        thresholds,
        cut_card,
        variability,
        count,
        counted,
        curves,
        betting,
        lengths,
    )
}
PICTURES.update((f"method_{name}", curves_of(methods)) for name, methods in METHODS.items())


def shrink(file: Path) -> None:
    """Keep a picture small, by few colours."""
    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(file, optimize=True)


def main(names: list[str]) -> None:
    """Make the pictures with these names, or all."""
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            file = FOLDER / f"{name}.png"
            PICTURES[name](Path(folder), file)
            shrink(file)
            print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
