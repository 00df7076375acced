"""Objects of the user's own Python modules: `module:name`, or `file.py:name`."""

from __future__ import annotations

import sys
import traceback
from contextlib import AbstractContextManager, redirect_stdout
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from twentyone.support.command import USAGE, CommandError


@cache
def object_named(text: str) -> Any:
    """The object of a name; modules in the working directory are found too.

    It runs the module, so a name that came over the wire must not get here.

    Args:
        text: `module:name` or `file.py:name`; a name may have points in it.

    Raises:
        CommandError: if there is no such module, file or name, or the module fails.
    """
    where, _, name = text.rpartition(":")
    with users_code():
        return _found(where, name)


def users_code() -> AbstractContextManager[object]:
    """While the user's own code runs: what it prints goes to standard error, and not into the results."""
    return redirect_stdout(sys.stderr)


def _found(where: str, name: str) -> Any:
    found: Any = _module(where)
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise CommandError(
                f"there is no {name!r} in {where}: expected what this module defines{_hint(where, name)}",
                USAGE,
            ) from None
        except Exception as error:
            raise failed(f"{where}:{name}", error) from None
    return found


def _hint(where: str, name: str) -> str:
    """The hint for a file of the working directory that has the name of another module."""
    file = Path(f"{where}.py")
    found = getattr(sys.modules.get(where), "__file__", None)
    is_other = file.is_file() and (found is None or Path(found).resolve() != file.resolve())
    return f"; what the file {file} defines is {file}:{name}" if is_other else ""


def failed(what: str, error: BaseException) -> CommandError:
    """The one sentence about an error of the user's own code: what it is, and where it came up."""
    text = " ".join(str(error).split())
    place = _place(error)
    return CommandError(
        f"{what} failed: {type(error).__name__}{f': {text}' if text else ''}{f' ({place})' if place else ''}"
    )


def _module(where: str) -> ModuleType:
    folder, is_file = str(Path.cwd()), where.endswith(".py")
    if is_file:
        folder = str(Path(where).resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return _from_file(Path(where)) if is_file else import_module(where)
    except CommandError:
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and f"{where}.".startswith(f"{error.name}."):
            raise CommandError(
                f"there is no module {where!r}: expected one in the working directory or an installed one",
                USAGE,
            ) from None
        raise failed(f"the import of {where}", error) from None
    except (Exception, SystemExit) as error:
        raise failed(f"the import of {where}", error) from None


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise CommandError(f"there is no file {path}: expected one with Python in it", USAGE)
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None, "a name that ends in .py has a loader"
    module = module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)  # dataclasses and pickle look a module up by its name
    spec.loader.exec_module(module)
    return module


def _place(error: BaseException) -> str:
    """The file and the line: of the user's code where the error passed through it, not of a library's.

    Empty if it came up in neither, as for a function that cannot be called with an observation.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}:{error.lineno}"
    here = str(Path(__file__).parent)
    found = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in found if not frame.filename.startswith((here, "<frozen"))]
    own = [frame for frame in frames if not _is_library(frame.filename)] or frames
    return f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else ""


def _is_library(file: str) -> bool:
    return bool({"site-packages", "dist-packages", "lib"} & {*Path(file).parts})
