"""What a CUDA program copies back to the host, found without Haloscope: compiled as plain C++ with simulated/cuda_runtime.h."""

import os
import re
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPILER = ["clang++-19", "-std=c++20", "-O1", "-g0", "-w", "-fsanitize=address", "-fno-math-errno", "-ffp-contract=off"]
HEADERS = ["cuda_runtime.h", "algorithm", "cmath", "cstdio", "cstdlib", "string", "utility", "vector"]  # read once
SECONDS = 20


def closing(text: str, at: int) -> int:
    """Where the parenthesis that opens at `at` is closed."""
    depth = 0
    for place in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    raise ValueError("a parenthesis is not closed")


def with_calls(text: str) -> str:
    """The text with `kernel<<<grid, block>>>(arguments)` as a call of simulated::launch()."""
    while found := re.search(r"([A-Za-z_]\w*(?:<[^<>;]*>)?)\s*<<<", text):
        configured = text.index(">>>", found.end())
        opened = text.index("(", configured)
        closed = closing(text, opened)
        configuration, call = text[found.end() : configured], found[1] + text[opened : closed + 1]
        text = (
            text[: found.start()] + f"::simulated::launch(::simulated::Config({configuration}), [&] {{ {call}; }})" + text[closed + 1 :]
        )
    return text


class Simulator:
    """Owns a folder with the headers that all programs read, compiled."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        here = Path(self.folder.name)
        (here / "all.h").write_text("".join(f"#include <{header}>\n" for header in HEADERS))
        self.compiler = [*COMPILER, "-I", HERE / "simulated"]
        subprocess.run([*self.compiler, "-x", "c++-header", here / "all.h", "-o", here / "all.pch"], check=True)
        self.compiler += ["-include-pch", here / "all.pch"]

    def outcome(self, text: str) -> str:
        """The digest of what is copied back, the same in both orders of the threads; or why there is none."""
        with tempfile.TemporaryDirectory() as folder:
            source, program = Path(folder) / "program.cpp", Path(folder) / "program"
            source.write_text(with_calls(text))
            built = subprocess.run([*self.compiler, source, "-fuse-ld=lld", "-o", program], capture_output=True, text=True)
            if built.returncode != 0:
                return "does not compile: " + next((line for line in built.stderr.splitlines() if "error" in line), "")
            return run_in_both_orders(program)


def run_in_both_orders(program: Path) -> str:
    digests = []
    for order in "01":
        environment = {**os.environ, "SIMULATED_ORDER": order, "ASAN_OPTIONS": "detect_stack_use_after_return=0:detect_leaks=0"}
        try:
            ran = subprocess.run([program], capture_output=True, text=True, errors="replace", timeout=SECONDS, env=environment)
        except subprocess.TimeoutExpired:
            return "does not end"
        if "AddressSanitizer" in ran.stderr:
            return "out of bounds"
        digest = re.search(r"simulated digest (\w+)", ran.stdout)
        if not digest:
            return f"ends with {ran.returncode}"
        digests.append(digest[1])
    return digests[0] if digests[0] == digests[1] else "depends on the order"
