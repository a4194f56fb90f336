#!/usr/bin/env python3
"""Compares what the emulator says a kernel asks of memory with the hardware's own counters, variant by variant.

    counters.py HALOSCOPE [SIZE]

HALOSCOPE is the program; SIZE (default: each variant's own) sets every size of the problem. Needs `ncu` (Nsight
Compute) and the right to read counters. Prints a table and, as its last line, the largest deviation; exits 1 if a
number of sectors differs by more than one per cent, 2 if nothing could be measured. Counters:

  l1tex__t_sectors_pipe_lsu_mem_global_op_ld/_st.sum   32-byte sectors that requests of global memory touch in L1
  l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
                                                       passes of shared memory beyond the one that a request needs;
                                                       also those in which other traffic of L1 was in the way, which
                                                       varies from run to run
"""

import csv
import json
import shutil
import subprocess
import sys

LOADS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
STORES = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"


def fail(message):
    print(f"haloscope: error: {message}", file=sys.stderr)
    sys.exit(2)


def run(command):
    finished = subprocess.run(command, capture_output=True, text=True)
    if finished.returncode != 0:
        fail(f"{' '.join(command)}\n{finished.stdout[-2000:]}{finished.stderr[-2000:]}")
    return finished.stdout


def measured(haloscope, kernel, size):
    """The counters of the first kernel that `haloscope verify` launches: the variant's own."""
    output = run(["ncu", "--metrics", ",".join([LOADS, STORES, CONFLICTS]), "--launch-count", "1", "--csv",
                  "--print-units", "base", haloscope, "verify", kernel, *size])
    lines = output.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if begin is None:
        fail(f"ncu measured nothing of {kernel}:\n{output[-2000:]}")
    return {row["Metric Name"]: float(row["Metric Value"].replace(",", "")) for row in csv.DictReader(lines[begin:])}


def executed(haloscope, kernel, size):
    counts = json.loads(run([haloscope, "count", kernel, "--json", *size]))
    shared = [statement["shared"] for statement in counts["statements"] if "shared" in statement]
    return {
        "sectors": counts["l1_sectors"],
        "conflicts": sum(access["passes"] - access["ideal_passes"] for access in shared),
    }


def main():
    if len(sys.argv) not in (2, 3):
        fail(__doc__.strip().splitlines()[2].strip())
    if shutil.which("ncu") is None:
        fail("ncu is missing: it comes with the CUDA toolkit (nsight-compute)")
    haloscope = sys.argv[1]
    size = ["--size", sys.argv[2]] if len(sys.argv) == 3 else []
    worst = 0.0
    print(f"{'variant':32} {'L1 sectors':>12} {'counter':>12} {'differ':>8} {'conflicts':>10} {'counter':>10}")
    for variant in json.loads(run([haloscope, "list", "--json"])):
        kernel = variant["id"]
        counters = measured(haloscope, kernel, size)
        counted = executed(haloscope, kernel, size)
        sectors = counters[LOADS] + counters[STORES]
        differ = counted["sectors"] / sectors - 1 if sectors else float("inf")
        worst = max(worst, abs(differ))
        print(f"{kernel:32} {counted['sectors']:12d} {sectors:12.0f} {differ:8.2%} {counted['conflicts']:10d} "
              f"{counters[CONFLICTS]:10.0f}")
    print(f"largest difference in sectors: {worst:.2%}")
    sys.exit(1 if worst > 0.01 else 0)


main()
