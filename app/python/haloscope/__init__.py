"""Haloscope: a microscope for CUDA stencil and convolution kernels.

    import haloscope
    haloscope.check("mine.cu")                             # verdicts and findings, one dictionary for each kernel
    haloscope.count("stencil/tiled", IN_TILE_DIM=8)        # operations, bytes, OP/B
    haloscope.ask("stencil/tiled", "block.halo")           # a quantity by name
    haloscope.run("program.cu")                            # a whole program: its host code, confined, and its kernels
    haloscope.block("stencil/coarsened", IN_TILE_DIM=8)    # in a notebook: a page that executes the block

A kernel is the id of a variant ("stencil/tiled"), the path of a .cu file, or CUDA source. Names with values are sizes
and tunables. Every function runs the program of this package, which is also the command ``haloscope``: results are those
that the command prints with ``--json``. In a notebook ``%load_ext haloscope`` adds ``%%haloscope`` for a cell of CUDA.
"""

from __future__ import annotations

import html
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    import numpy

__all__ = ["Block", "HaloscopeError", "arrays", "ask", "block", "check", "count", "main", "program", "run", "variants"]

Source = Union[str, "os.PathLike[str]"]
Value = Union[int, str]
_COLOURED = ("FORCE_COLOR", "CLICOLOR_FORCE")  # Jupyter sets them for what it shows as a terminal does


class HaloscopeError(RuntimeError):
    """What the program says when it cannot do what it was asked; ``status`` is its exit status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def program() -> Path:
    """The path of the program in this package."""
    return Path(__file__).resolve().parent / "bundle" / "bin" / "haloscope"


def _execute(arguments: list[str], allowed: tuple[int, ...]) -> str:
    done = subprocess.run([str(program()), "--language", "en", *arguments], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, encoding="utf-8")
    if done.returncode not in allowed:
        said = done.stderr.strip().removeprefix("haloscope: error: ")
        raise HaloscopeError(said or f"the program ended with status {done.returncode}", done.returncode)
    return done.stdout


class _Target:
    """A variant or a file by its name; source text as a file that is there as long as this is."""

    def __init__(self, source: Source) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.name = os.fspath(source)
        if "\n" in self.name or "{" in self.name:
            self._folder = tempfile.TemporaryDirectory(prefix="haloscope-")
            self.name = str(Path(self._folder.name) / "source.cu")
            Path(self.name).write_text(os.fspath(source), encoding="utf-8")

    def __enter__(self) -> str:
        return self.name

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()


def _settings(kernel: str | None, values: dict[str, Value]) -> list[str]:
    chosen = [] if kernel is None else ["--kernel", kernel]
    for name, value in values.items():
        chosen += ["-D", f"{name}={value}"]
    return chosen


def check(source: Source, *, kernel: str | None = None, reference: Source | None = None,
          **values: Value) -> list[dict[str, Any]]:
    """What is wrong with the kernels of a file, a folder, a variant or CUDA source.

    One dictionary for each kernel, as ``haloscope check --json`` prints it: ``verdict`` has its ``kind`` and what that
    rests on, ``findings`` what was found, with lines, threads and the fix that was executed. Host code runs confined.
    ``reference`` ("FILE.cu:KERNEL") names a kernel that computes what this one should.
    """
    with _Target(source) as target:
        wanted = _settings(kernel, values)
        if reference is not None:
            wanted += ["--reference", os.fspath(reference)]
        # 1: something was found; 2: something could not be read, which is among the verdicts.
        said = _execute(["check", target, "--json", *wanted], (0, 1, 2))
        if not said:
            raise HaloscopeError(f"{target} cannot be checked", 2)
        return json.loads(said)


def run(source: Source, *arguments: str) -> dict[str, Any]:
    """Executes a whole program, its host code in a confined process, its kernels under all checks.

    The dictionary is that of ``haloscope run --json``: output, status, each call, launch and verdict. ``arguments`` are
    those of its main().
    """
    with _Target(source) as target:
        said = _execute(["run", target, "--json", *(["--", *arguments] if arguments else [])], (0, 1))
        return json.loads(said)


def count(source: Source, *, kernel: str | None = None, **values: Value) -> dict[str, Any]:
    """What a launch does, counted while it was executed: operations, bytes, sectors, bank conflicts, OP/B."""
    with _Target(source) as target:
        return json.loads(_execute(["count", target, "--json", *_settings(kernel, values)], (0,)))


def ask(source: Source, query: str, *, kernel: str | None = None, **values: Value) -> Any:
    """A quantity by name, or a calculation with some: ``ask("stencil/tiled", "block.halo / block.inputs")``.

    A number, a list of cells, or a list of line numbers. ``haloscope ask --list`` has the names.
    """
    with _Target(source) as target:
        said = _execute(["ask", target, query, "--json", *_settings(kernel, values)], (0,))
        answer = json.loads(said)["answers"][0]
        return answer[{"number": "value", "cells": "cells", "line": "lines"}[answer["kind"]]]


def arrays(source: Source, *, kernel: str | None = None, **values: Value) -> dict[str, numpy.ndarray]:
    """The arrays in global memory after a launch, by name, as NumPy arrays in the kernel's type and shape."""
    import numpy  # noqa: PLC0415 -- only here is it needed

    with _Target(source) as target, tempfile.TemporaryDirectory(prefix="haloscope-") as folder:
        _execute(["count", target, "--arrays", folder, "--json", *_settings(kernel, values)], (0,))
        return {file.stem: numpy.load(file) for file in sorted(Path(folder).glob("*.npy"))}


def variants() -> list[dict[str, Any]]:
    """The kernels of the catalogue with their sizes and tunables."""
    return json.loads(_execute(["list", "--json"], (0,)))


class Block:
    """A block as a page that executes it in the reader's browser; shown below a notebook's cell."""

    def __init__(self, page: str, height: int) -> None:
        self.page = page  #: the whole page, HTML; it needs no network
        self.height = height  #: in pixels, in a notebook

    def save(self, path: Source) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self.page, encoding="utf-8")

    def _repr_html_(self) -> str:
        return (f'<iframe title="Haloscope" sandbox="allow-scripts" srcdoc="{html.escape(self.page)}" '
                f'style="width: 100%; height: {self.height}px; border: 0"></iframe>')


def block(source: Source, *, kernel: str | None = None, step: int | None = None, at: tuple[int, ...] | None = None,
          questions: bool = False, height: int = 720, **values: Value) -> Block:
    """A block of a kernel, to be stepped through below the cell, with sliders, by the emulator in the page.

    ``at`` is the block (x, y, z), otherwise an interior one; ``step`` where the page opens.
    """
    with _Target(source) as target, tempfile.TemporaryDirectory(prefix="haloscope-") as folder:
        page = Path(folder) / "page.html"
        wanted = _settings(kernel, values)
        if at is not None:
            wanted += ["--block", ",".join(str(place) for place in at)]
        if step is not None:
            wanted += ["--step", str(step)]
        if questions:
            wanted.append("--questions")
        _execute(["export", target, "--html", str(page), *wanted], (0,))
        return Block(page.read_text(encoding="utf-8"), height)


class _Verdicts:
    """The command's own words on a cell, and the block in which the first finding shows."""

    def __init__(self, text: str, shown: Block | None) -> None:
        self.text, self.shown = text, shown

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        words = f'<pre style="white-space: pre-wrap; word-break: normal">{html.escape(self.text)}</pre>'
        return words + (self.shown._repr_html_() if self.shown is not None else "")


def load_ipython_extension(ipython: Any) -> None:
    """``%load_ext haloscope``: adds ``%%haloscope``, which checks the cell's CUDA and shows its block."""

    def haloscope(line: str, cell: str) -> _Verdicts:
        """%%haloscope [NAME=VALUE ...]: checks the CUDA of this cell and shows a block of it."""
        values: dict[str, Value] = {}
        for word in line.split():
            name, equals, value = word.partition("=")
            if not equals:
                raise HaloscopeError(f"%%haloscope takes NAME=VALUE, not {word}", 2)
            values[name] = value
        with tempfile.TemporaryDirectory(prefix="haloscope-") as folder:
            Path(folder, "cell.cu").write_text(cell, encoding="utf-8")
            done = subprocess.run([str(program()), "--language", "en", "check", "cell.cu", *_settings(None, values)],
                                  capture_output=True, text=True, encoding="utf-8", cwd=folder,
                                  stdin=subprocess.DEVNULL,
                                  env={name: text for name, text in os.environ.items() if name not in _COLOURED})
        try:
            shown = block(cell, **values)
        except HaloscopeError:  # the words above say why there is none
            shown = None
        return _Verdicts((done.stdout + done.stderr).strip(), shown)

    ipython.register_magic_function(haloscope, "cell")


def main() -> None:
    """The command ``haloscope``."""
    import sys  # noqa: PLC0415

    os.execv(program(), [str(program()), *sys.argv[1:]])
