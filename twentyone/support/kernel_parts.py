"""The compilation of the functions that kernels are made of: each is compiled once, for all its calls.

Numba would optimise every function with all that it calls, and make machine code of it, before the function
that calls it is compiled. What is called from five levels below would be compiled five times. So a part is
inlined where it is called, and the rest is left to the kernel: it is optimised once, as a whole, and only of
it machine code is made. This halves the time of a first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import cache
from typing import Any, Final, TypeVar, cast

from numba import njit
from numba.core import types
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler, Flags
from numba.core.registry import CPUDispatcher

Function = TypeVar("Function", bound=Callable[..., object])

OPTIONS: Final[dict[str, Any]] = {"error_model": "numpy", "nogil": True}
"""Divisions follow numpy, without a check for zero, and the interpreter is not held while a kernel runs."""

PART_OPTIONS: Final[dict[str, Any]] = OPTIONS | {
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
"""Options of what is called by kernels only. References to arrays are not counted: they are the caller's, and
to count them for every card is twenty times the work of dealing it. And without the functions by which Python
would call them, which take as long to compile as they do, kernels are compiled in 60 % of the time."""


class PartLibrary(JITCodeLibrary):
    """The code of a part in the language of the compiler, which is linked into kernels and never run."""

    def _finalize_final_module(self) -> None:
        """As numba's, without machine code."""
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of no function, as numba says it."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0


class PartCodegen(JITCPUCodegen):
    """As numba's, for parts: it inlines what has to be inlined, and optimises no further."""

    _library_class = PartLibrary

    def _module_pass_manager(self, **options: Any) -> Any:
        given = {"opt": 0, "loop_vectorize": False, "slp_vectorize": False, "cost": "cheap"}
        return super()._module_pass_manager(**options | given)  # type: ignore[no-untyped-call]

    def set_env(self, env_name: str, env: object) -> None:
        """Set no environment: there is no machine code that could read it."""


class KernelFlags(Flags):
    """As numba's, but compared by what was set alone.

    Numba looks into a cache at every call and operator that it compiles, and compares them each time, ten
    thousand times for a kernel: a sixth of its time, if all forty of them are compared.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, KernelFlags) else NotImplemented

    def __hash__(self) -> int:
        return hash(KernelFlags)


class KernelCompiler(Compiler):
    """As numba's, for kernels."""

    def compile_extra(self, func: Any) -> Any:
        """As numba's, with flags of our own."""
        self.state.flags = KernelFlags(self.state.flags)  # type: ignore[no-untyped-call]
        return super().compile_extra(func)  # type: ignore[no-untyped-call]


class PartCompiler(KernelCompiler):
    """As numba's, for parts."""

    def compile_extra(self, func: Any) -> Any:
        """As numba's, into a library of our own."""
        codegen = copy(self.state.targetctx.codegen())
        codegen.__class__ = PartCodegen
        self.state.library = codegen.create_library(func.__qualname__)
        return super().compile_extra(func)


class KernelPart(CPUDispatcher):
    """A function that is compiled for kernels; Python calls another one, compiled when it is first called."""

    def __call__(self, *given: object) -> object:
        """As the function that kernels call."""
        return _for_python(self.py_func)(*given)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """As numba's, which would compile the function again for each number that stands in a call."""
        return super().get_call_template(tuple(map(types.unliteral, args)), kws)


@cache
def _for_python(function: Callable[..., object]) -> Callable[..., object]:
    return cast(Callable[..., object], njit(**OPTIONS)(function))


def new_part(function: Function, options: Mapping[str, Any]) -> Function:
    """A part of kernels, to be compiled with some options besides those of every part."""
    dispatcher = njit(pipeline_class=PartCompiler, **PART_OPTIONS, **options)(function)
    dispatcher.__class__ = KernelPart
    return cast(Function, dispatcher)
