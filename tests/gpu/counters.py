#!/usr/bin/env python3
"""Compares what the emulator says a kernel asks of memory with the hardware's own counters, variant by variant.

    counters.py HALOSCOPE [--size SIZE] [--kernels FOLDER] [-D NAME=VALUE ...] [VARIANT ...]

HALOSCOPE is the program; SIZE sets every size of the problem (default: what `count --hardware` chooses); the variants
are the catalogue's ids (default: all), or those of FOLDER, such as tests/gpu/requests; -D sets a tunable. Needs a GPU, CUPTI and the right to read counters. Prints a table of each
variant's OP/B four ways and of what both count, and, as its last line, the largest difference; exits 1 if a number
differs by more than one per cent, 2 if nothing could be measured.
"""

import argparse
import json
import subprocess
import sys

MOST = 0.01


def fail(message):
    print(f"haloscope: error: {message}", file=sys.stderr)
    sys.exit(2)


def run(command):
    finished = subprocess.run(command, capture_output=True, text=True)
    if finished.returncode != 0:
        fail(f"{' '.join(command)}\n{finished.stdout[-2000:]}{finished.stderr[-2000:]}")
    return json.loads(finished.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("haloscope", metavar="HALOSCOPE", help="the program")
    parser.add_argument("--size", help="of every axis of the problem (default: what count --hardware chooses)")
    parser.add_argument("--kernels", metavar="FOLDER", help="kernels to use instead of the catalogue")
    parser.add_argument("-D", dest="define", metavar="NAME=VALUE", action="append", default=[], help="set a tunable")
    parser.add_argument("variants", metavar="VARIANT", nargs="*", help="ids of the catalogue (default: all)")
    chosen = parser.parse_args()
    haloscope = [chosen.haloscope] + (["--kernels", chosen.kernels] if chosen.kernels else [])
    choices = ["--size", chosen.size] if chosen.size else []
    for define in chosen.define:
        choices += ["-D", define]
    known = [variant["id"] for variant in run([*haloscope, "list", "--json"])]
    for variant in chosen.variants:
        if variant not in known:
            fail(f"the catalogue has no {variant}")
    worst = 0.0
    print(f"{'variant':32} {'book':>6} {'exec.':>6} {'DRAM':>6} {'time':>6}   {'counted':22} {'emulator':>12} "
          f"{'hardware':>12} {'differ':>8}")
    for variant in chosen.variants or known:
        reading = run([*haloscope, "count", variant, "--hardware", "--json", *choices])
        ways = reading["op_per_byte"]
        begin = f"{variant:32} {ways['formula'] or 0:6.2f} {ways['executed']:6.2f} {ways['dram']:6.2f} " \
                f"{ways['implied_by_time']:6.2f}"
        for one in reading["compared"]:
            differ = float("inf") if one["difference"] is None else one["difference"]
            worst = max(worst, abs(differ))
            print(f"{begin}   {one['what']:22} {one['emulator']:12.0f} {one['hardware']:12.0f} {differ:8.2%}")
            begin = " " * len(begin)
        print(f"{begin}   {'cycles of L1 conflicts':22} {'':12} {reading['bank_conflict_cycles']:12.0f}")
    print(f"largest difference: {worst:.2%}")
    sys.exit(1 if worst > MOST else 0)


main()
