#!/usr/bin/env python3
"""Times `haloscope grade` on hand-ins made of tests/kernels/styles and tests/programs, each with a line of its own.

    tests/bench/grading.py [PROGRAM] [--count 200] [--cores 0,1] [--seconds N]
"""

import argparse
import json
import resource
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("program", nargs="?", default=ROOT / "build/release/haloscope")
    arguments.add_argument("--count", type=int, default=200)
    arguments.add_argument("--cores", default="0,1")
    arguments.add_argument("--seconds", type=int, default=20)
    chosen = arguments.parse_args()
    styles = sorted((ROOT / "tests/kernels/styles").glob("*.cu"))
    programs = sorted((ROOT / "tests/programs").glob("*.cu"))
    texts = styles + programs
    with tempfile.TemporaryDirectory() as folder:
        hand = Path(folder) / "hand-ins"
        hand.mkdir()
        for header in (ROOT / "tests/kernels/styles").glob("stencil_*.*h"):
            shutil.copy(header, hand)
        # Evenly over both: a style, then programs.
        step = len(texts) / min(chosen.count, len(texts))
        for i in range(chosen.count):
            source = texts[int(i * step) % len(texts)]
            text = source.read_bytes() + f"\n// hand-in {i}\n".encode()
            (hand / f"{i:03}_{source.name}").write_bytes(text)
        for what in ("graded", "again"):
            begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            command = ["taskset", "-c", chosen.cores, str(chosen.program), "grade", str(hand), "--json",
                       "--seconds", str(chosen.seconds)]
            done = subprocess.run(command, capture_output=True, check=False)
            seconds, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
            busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            rows = json.loads(done.stdout)["hand_ins"]
            verdicts = ", ".join(f"{count} {word}" for word, count in Counter(row["verdict"] for row in rows).items())
            print(f"{what}: {len(rows)} hand-ins in {seconds:.1f} s ({busy:.0f} s of processors) on cores {chosen.cores}: {verdicts}")


if __name__ == "__main__":
    main()
