#!/usr/bin/python3
"""How fast `haloscope run` executes host code, beside the same text built with `clang++ -O2`; and how long programs take
to open: to compile and link, up to the first launch.

usage: host_speed.py HALOSCOPE [--runs N]

Prints the native time divided by the executed one for each piece of tests/bench/host_speed.cu (0.9 is asked), then
seconds from the start of the program to the end of its first launch for a file in C style (0.5 is asked) and one with
large C++ headers (1.5). Needs a quiet machine and a release build.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent

KERNEL = """
__global__ void scale(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2.0f;
}
"""
BODY = """
  float *h = (float*)malloc(1024 * sizeof(float)), *d;
  for (int i = 0; i < 1024; ++i) h[i] = i;
  cudaMalloc(&d, 1024 * sizeof(float));
  cudaMemcpy(d, h, 1024 * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<4, 256>>>(d, 1024);
  cudaMemcpy(h, d, 1024 * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d);
  free(h);
"""
C_STYLE = "#include <stdio.h>\n#include <stdlib.h>\n" + KERNEL + "int main() {" + BODY + '  printf("done\\n");\n}\n'
LARGE_HEADERS = (
    "#include <iostream>\n#include <vector>\n#include <chrono>\n#include <random>\n#include <algorithm>\n#include <cstdlib>\n"
    + KERNEL
    + """int main() {
  std::vector<float> v(1024);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::generate(v.begin(), v.end(), [&] { return uniform(random); });
  std::sort(v.begin(), v.end());
  const auto began = std::chrono::steady_clock::now();
"""
    + BODY
    + '  std::cout << v[3] << " " << (std::chrono::steady_clock::now() - began).count() << std::endl;\n}\n'
)


PIECES = ("sweep_128", "convolution_2048", "sort_10M", "vector_sum_4M", "push_back_4M")


def seconds(output: str, piece: str) -> float:
    for line in output.splitlines():
        if line.startswith(piece + " "):
            return float(line.split()[1])
    sys.exit(f"{piece} was not measured: {output}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("haloscope", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        native = Path(folder) / "native"
        subprocess.run(
            ["clang++-19", "-O2", "-std=c++20", "-x", "c++", HERE / "host_speed.cu", "-o", native], check=True
        )
        for piece in PIECES:
            ours, theirs = [], []
            for _ in range(options.runs):
                run = subprocess.run([native, piece], capture_output=True, text=True, check=True)
                theirs.append(seconds(run.stdout, piece))
                run = subprocess.run(
                    [options.haloscope, "run", HERE / "host_speed.cu", "--json", "--", piece],
                    capture_output=True,
                    text=True,
                )
                ours.append(seconds(json.loads(run.stdout)["output"], piece))
            print(
                f"{piece:18} native {min(theirs) * 1e3:9.2f} ms   executed {min(ours) * 1e3:9.2f} ms   "
                f"ratio {min(theirs) / min(ours):.2f}",
                flush=True,
            )

        for name, text in (("c_style", C_STYLE), ("large_headers", LARGE_HEADERS)):
            program = Path(folder) / f"{name}.cu"
            program.write_text(text)
            wall, processor = [], []
            for _ in range(options.runs):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                began = time.monotonic()
                subprocess.run([options.haloscope, "run", program, "--json"], capture_output=True, check=True)
                wall.append(time.monotonic() - began)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            print(f"opening {name:14} {min(wall):.2f} s, of a processor {min(processor):.2f} s")


if __name__ == "__main__":
    main()
