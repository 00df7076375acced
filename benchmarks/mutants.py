"""Faults that the tests notice: small ones, put into the product one at a time.

python -m benchmarks.mutants choose FILE    draws mutants from the sources, with --seed, --each of a package
python -m benchmarks.mutants reach FOLDER   runs the tests once, and keeps which of them reaches which line
python -m benchmarks.mutants run FILE --reach FOLDER    puts each mutant in a copy of the tree, runs the tests
                                            that reach its line until one fails, and writes into FILE who did
python -m benchmarks.mutants follow FILE    finds the mutants again in sources that have changed

`reach` and `run` take `--mark "not check"` for the tests of `make test`; `run` writes its verdicts under
`--name`, so one file tells them before and after a change. A line that is compiled is reached by all tests of
its package and by those that import it. A mutant that hangs for five times as long as its tests take (and at
least three minutes) is noticed.

A mutant is a comparison turned, a constant changed, a branch dropped, a statement removed, or two arguments
swapped. It is told by its file, its line and both texts, so it is the same for as long as the product is. The
verdict `equivalent` is written by hand, with the reason, where no test could see a difference.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Annotated, Any, Final, NamedTuple

import coverage
import typer

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = (
    *("cards", "protocol", "dealer", "player", "tournament"),
    *("twentyone/support", "twentyone/policies", "twentyone/kernels", "twentyone/exact"),
    *("twentyone/learning", "twentyone/environments", "twentyone/analysis"),
    *("twentyone/devs", "twentyone/mancala"),
)
TURNED: Final[Mapping[type[ast.cmpop], tuple[str, ...]]] = {
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
}
TRIVIAL: Final = {"isinstance", "getattr", "setattr", "object.__setattr__"}
"""Functions that fail at once when their arguments are swapped, whatever is tested."""

SHORTEST: Final = 180.0
"""Seconds that a run may always take: kernels may have to be compiled."""

LONGEST: Final = 60.0
"""Seconds of processor time of the tests that are tried, quick ones first: what takes longer to be noticed
counts as not noticed."""

FIRST: Final = 25
"""Functions of tests that are tried first; only if they notice nothing, all others."""

DISTINCT: Final = 12
"""Letters from which on a text is looked for in other files, too."""

app = typer.Typer(add_completion=False, help=__doc__)


class Mutant(NamedTuple):
    """A fault: where it is, of which kind, and the text before and after."""

    file: str
    line: int
    kind: str
    column: int
    before: str
    after: str

    def applied(self, source: str) -> str:
        """A source with this fault."""
        lines = source.splitlines(keepends=True)
        start = len("".join(lines[: self.line - 1])) + self.column
        assert source.startswith(self.before, start), self
        return source[:start] + self.after + source[start + len(self.before) :]


# Mutants of a source.


class _Finder(ast.NodeVisitor):
    """Collects the mutants of a file, but none of decorators, annotations, and what only types see."""

    def __init__(self, file: str, source: str, chance: random.Random) -> None:
        self.file, self.source, self.chance = file, source.encode(), chance
        self.starts = [0, *(match.end() for match in re.finditer(b"\n", self.source))]
        self.found: list[Mutant] = []

    def _add(self, kind: str, node: ast.expr | ast.stmt, after: str) -> None:
        before = self._text(node)
        start = self.starts[node.lineno - 1]
        column = len(self.source[start : start + node.col_offset].decode())
        if before != after:
            self.found.append(Mutant(self.file, node.lineno, kind, column, before, after))

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start = self.starts[node.lineno - 1] + node.col_offset
        return self.source[
            start : self.starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)
        ].decode()

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            left, right = self._text(node.left), self._text(node.comparators[0])
            operator = self.chance.choice(TURNED[type(node.ops[0])])
            self._add("comparison turned", node, f"{left} {operator} {right}")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add("constant changed", node, str(not node.value))
        elif isinstance(node.value, int | float):
            self._add("constant changed", node, repr(node.value + 1))

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in self._text(node.test):
            return
        self._add("branch dropped", node.test, "False")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._add("branch dropped", node, f"({self._text(node.orelse)})")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call | ast.Await):
            self._add("statement removed", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._add("statement removed", node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._add("statement removed", node, "pass")

    def visit_Call(self, node: ast.Call) -> None:
        first, second = [*map(self._text, node.args[:2]), "", ""][:2]
        if self._text(node.func) in TRIVIAL:
            second = ""
        if second and first != second and not any(isinstance(each, ast.Starred) for each in node.args[:2]):
            text = self._text(node)
            begin = text.index(first, len(self._text(node.func)))
            middle = text[begin + len(first) : text.index(second, begin + len(first))]
            after = text[:begin] + second + middle + first
            self._add("arguments swapped", node, after + text[begin + len(first + middle + second) :])
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for each in [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]:
            self.visit(each)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for each in node.body:
            self.visit(each)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)


def mutants_of(file: Path, chance: random.Random) -> list[Mutant]:
    """All mutants of a source file."""
    source = file.read_text(encoding="utf-8")
    finder = _Finder(str(file.relative_to(ROOT)), source, chance)
    finder.visit(ast.parse(source))
    return finder.found


def _differs(mutant: Mutant) -> bool:
    """Whether a mutant compiles, and is another program."""
    source = (ROOT / mutant.file).read_text(encoding="utf-8")
    try:
        return ast.dump(ast.parse(mutant.applied(source))) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False


@app.command()
def choose(
    file: Path, seed: Annotated[int, typer.Option()] = 1, each: Annotated[int, typer.Option()] = 21
) -> None:
    """Draw mutants, as many of each package, one of a line at most; write them to FILE."""
    chance = random.Random(seed)
    drawn: list[Mutant] = []
    for package in PACKAGES:
        files = sorted(path for path in (ROOT / package).rglob("*.py") if path.name != "__main__.py")
        places: dict[tuple[str, int], list[Mutant]] = defaultdict(list)
        for path in files:
            for mutant in mutants_of(path, chance):
                places[mutant.file, mutant.line].append(mutant)
        of_package: list[Mutant] = []
        for line in chance.sample(sorted(places), len(places)):
            if len(of_package) == each:
                break
            mutant = _of_the_rarest_kind(places[line], [*drawn, *of_package], chance)
            if _differs(mutant):
                of_package.append(mutant)
        drawn += of_package
    rows = [mutant._asdict() | {"verdicts": {}} for mutant in drawn]
    _write(file, rows)
    print(len(rows), dict(Counter(row["kind"] for row in rows)))


def _of_the_rarest_kind(there: list[Mutant], drawn: list[Mutant], chance: random.Random) -> Mutant:
    """One of the mutants of a line, of the kind that was drawn least so far."""
    so_far = Counter(mutant.kind for mutant in drawn)
    return min(there, key=lambda mutant: (so_far[mutant.kind], chance.random()))


def _read(file: Path) -> list[dict[str, Any]]:
    try:
        return list(json.loads(file.read_text(encoding="utf-8")))
    except ValueError as error:
        raise typer.BadParameter(f"{file} is no list of mutants, as `choose` writes it: {error}") from None


def _write(file: Path, rows: list[dict[str, Any]]) -> None:
    file.write_text(
        "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n", "utf-8"
    )


# Which test reaches which line.


@app.command()
def reach(folder: Path, mark: str = "", workers: int = 2) -> None:
    """Run the tests, and keep which of them reaches which line, in FOLDER."""
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "settings"
    settings.write_text(
        f"[run]\nbranch = true\nparallel = true\npatch = subprocess\nsource = {ROOT}\n"
        f"omit =\n  {ROOT}/tests/*\n  {ROOT}/benchmarks/*\n  {ROOT}/.*/*\n"
        f"data_file = {folder}/data\n"
    )
    words = ["coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-p", "benchmarks.reaching", "-q"]
    environment = os.environ | {"COVERAGE_RCFILE": str(settings), "REACHING_TIMES": str(folder / "times")}
    environment |= {"TRUE_STARTS": "1", "PYTHONPATH": str(ROOT)}
    (folder / "times").unlink(missing_ok=True)
    subprocess.run(
        [sys.executable, "-m", *words, f"--numprocesses={workers}", "--dist=worksteal", "-m", mark],
        cwd=ROOT,
        env=environment,
        check=False,
    )
    subprocess.run(
        [sys.executable, "-m", "coverage", "combine", "-q", f"--rcfile={settings}"], cwd=ROOT, check=True
    )


class Reach:
    """The tests that reach a line, and how many seconds of processor time each takes."""

    def __init__(self, folder: Path, root: Path, mark: str) -> None:
        self._data = coverage.CoverageData(str(folder / "data"))
        self._data.read()
        self._root = root
        self.seconds: dict[str, float] = defaultdict(float)
        selected = _selected(root, mark)
        for line in (folder / "times").read_text().splitlines():
            name, _, own, others, _ = json.loads(line)
            if (function := name.split("[")[0]) in selected:
                self.seconds[function] += own + others

    def of(self, mutant: Mutant) -> list[str]:
        """The functions of tests that reach a mutant: first those of its package, quick ones first.

        Then those of the package, where it is not known who reaches it: the line is compiled, or is run once
        when it is imported.
        """
        contexts = self._data.contexts_by_lineno(str(self._root / mutant.file)).get(mutant.line, [])
        found = {name for context in contexts for name in context.split("|") if name in self.seconds}
        near = self._of_the_package(mutant)
        is_compiled = "twentyone.support.compiling" in _text_of(self._root / mutant.file)
        if not _is_in_a_function(mutant, self._root):
            in_order = self._in_order(found | near, mutant)
        elif not found or "" in contexts or is_compiled:
            in_order = [*self._in_order(found, mutant), *self._in_order(near - found, mutant)]
        else:
            in_order = self._in_order(found, mutant)
        so_far = accumulate(map(self.seconds.__getitem__, in_order))
        return [
            name for name, seconds in zip(in_order, so_far, strict=True) if seconds < LONGEST
        ] or in_order[:1]

    def _in_order(self, names: set[str], mutant: Mutant) -> list[str]:
        near = tuple(f"tests/{each}/" for each in PACKAGES if mutant.file.startswith(f"{each}/"))
        return sorted(names, key=lambda name: (not name.startswith(near), self.seconds[name], name))

    def _of_the_package(self, mutant: Mutant) -> set[str]:
        """The tests of a line that is compiled, or is run once when it is imported.

        That is what tests its package or a package that imports its module, or names the module.
        """
        module = mutant.file.removesuffix(".py").replace("/", ".")
        parent, _, name = module.rpartition(".")
        imported = re.compile(rf"{re.escape(module)}\b|from {re.escape(parent)} import .*\b{name}\b")
        near = tuple(
            f"tests/{package}/"
            for package in PACKAGES
            if mutant.file.startswith(f"{package}/")
            or any(imported.search(_text_of(file)) for file in (self._root / package).rglob("*.py"))
        )
        return {
            function
            for function in self.seconds
            if function.startswith(near) or module in _text_of(self._root / function.split("::")[0])
        }


@cache
def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _selected(root: Path, mark: str) -> set[str]:
    """The functions of tests that there are now, with a mark."""
    words = ["-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-m", mark]
    done = subprocess.run([sys.executable, *words], cwd=root, stdout=subprocess.PIPE, text=True, check=True)
    return {line.split("[")[0] for line in done.stdout.splitlines() if "::" in line}


def _is_in_a_function(mutant: Mutant, root: Path) -> bool:
    tree = ast.parse((root / mutant.file).read_text(encoding="utf-8"))
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body[0].lineno <= mutant.line <= (node.end_lineno or 0)
        for node in ast.walk(tree)
    )


# Which test notices them.


@app.command()
def run(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)],
    reach: Annotated[Path, typer.Option(exists=True, file_okay=False)],
    mark: str = "",
    name: str = "noticed",
    workers: int = 2,
    root: Path = ROOT,
) -> None:
    """Put each mutant of FILE into a copy of the tree at ROOT, and write down which test notices it."""
    if not (reach / "times").exists():
        raise typer.BadParameter(
            f"{reach} does not say which test reaches which line: expected what `reach` writes"
        )
    rows = _read(file)
    reached = Reach(reach.absolute(), root, mark)
    with tempfile.TemporaryDirectory() as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(workers):
            copy = Path(folder, str(number))
            shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".*", "__pycache__"))
            copies.put(copy)
        (root / ".pytest_cache" / "numba").mkdir(parents=True, exist_ok=True)

        def judge(row: dict[str, Any]) -> None:
            copy = copies.get()
            try:
                row["verdicts"][name] = _verdict(row, copy, reached, mark, root)
            finally:
                copies.put(copy)
            print(row["file"], row["line"], row["kind"], "|", row["verdicts"][name], flush=True)
            _write(file, rows)

        missing = (row for row in rows if "equivalent" not in row and name not in row["verdicts"])
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(judge, missing))
    print(dict(Counter(row["verdicts"].get(name, "equivalent").split(":")[0] for row in rows)))


def _verdict(row: Mapping[str, Any], copy: Path, reached: Reach, mark: str, root: Path) -> str:
    """The verdict on a mutant: `noticed: TEST`, `noticed: it hangs`, `not reached` or `not noticed`."""
    mutant = Mutant(**{field: row[field] for field in Mutant._fields})
    tests = reached.of(mutant)
    if not tests:
        return "not reached"
    path = copy / mutant.file
    source = path.read_text(encoding="utf-8")
    _put(path, mutant.applied(source))
    try:
        for some in filter(None, (tests[:FIRST], tests[FIRST:])):
            seconds = max(SHORTEST, 5 * sum(reached.seconds[test] for test in some))
            if by := _who_fails(some, copy, mark, root, seconds):
                return f"noticed: {by}"
    finally:
        _put(path, source)
    return "not noticed"


def _put(path: Path, source: str) -> None:
    """Write a module; what was compiled of it goes, for it may be of the same second and length."""
    path.write_text(source, encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink(missing_ok=True)


def _who_fails(tests: list[str], copy: Path, mark: str, root: Path, seconds: float) -> str:
    """The first test that fails; empty if none does."""
    words = ["-m", "pytest", "-q", "-x", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly", "-m", mark]
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": ""}
    environment |= {"NUMBA_CACHE_DIR": str(root / ".pytest_cache" / "numba")}
    start = monotonic()
    process = subprocess.Popen(
        [sys.executable, *words, *tests],
        cwd=copy,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        out, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return f"it hangs ({monotonic() - start:.0f} s)"
    assert "file or directory not found" not in out, out
    if process.returncode in (0, 5):
        return ""
    return _failure_in(out) or f"status {process.returncode}"


def _failure_in(out: str) -> str:
    lines = (line for line in out.splitlines() if line.startswith(("FAILED ", "ERROR ")))
    return next((line.split(" ")[1] for line in lines), "")


@app.command()
def follow(file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)]) -> None:
    """Find the mutants of FILE again after the sources have changed; those whose text is gone are left out.

    A text is looked for in its own file, nearest to its line; a long one then in files of the same name, and
    in all others. The verdict of a test that is gone is left out, so `run` asks for it again.
    """
    there: dict[tuple[str, str], list[Mutant]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for mutant in mutants_of(path, random.Random(1)):
                there[mutant.kind, mutant.before].append(mutant)
    rows, tests, found = _read(file), _selected(ROOT, ""), list[dict[str, Any]]()
    for row in rows:
        alike = there[row["kind"], row["before"]]
        if len(row["before"]) < DISTINCT:
            alike = [each for each in alike if each.file == row["file"]]
        if alike:
            near = min(alike, key=partial(_distance, row))
            there[row["kind"], row["before"]].remove(near)
            verdicts = {
                name: verdict
                for name, verdict in row["verdicts"].items()
                if "::" not in verdict or verdict.removeprefix("noticed: ").split("[")[0] in tests
            }
            place = {"file": near.file, "line": near.line, "column": near.column}
            found.append(row | place | {"verdicts": verdicts})
    _write(file, found)
    print(f"{len(found)} of {len(rows)} mutants are found")


def _distance(row: Mapping[str, Any], mutant: Mutant) -> tuple[bool, bool, int]:
    """The order of places: those of the file, those of files with its name, and those near the line."""
    is_alike = Path(mutant.file).name == Path(row["file"]).name
    return mutant.file != row["file"], not is_alike, abs(mutant.line - row["line"])


@app.command()
def tell(file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)]) -> None:
    """Print a table: of each package how many mutants there are, and how many each run has noticed."""
    rows = [row for row in _read(file) if "equivalent" not in row]
    names = sorted({name for row in rows for name in row["verdicts"]})
    print(f"| package | mutants | {' | '.join(names)} |\n| --- | ---: |{' ---: |' * len(names)}")
    for package in (*PACKAGES, ""):
        own = [row for row in rows if row["file"].startswith(package)]
        noticed = [_noticed(own, name) for name in names]
        print(f"| {package or 'all'} | {len(own)} | {' | '.join(map(str, noticed))} |")


def _noticed(rows: list[dict[str, Any]], name: str) -> int:
    return sum(row["verdicts"].get(name, "").startswith("noticed") for row in rows)


if __name__ == "__main__":
    app()
