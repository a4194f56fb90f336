#!/usr/bin/python3
"""Installs libhaloscope and the program into a scratch prefix, builds the programs of this folder against it, and runs
them: build_and_run.py BUILD."""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
build = Path(sys.argv[1]).resolve()
failures = []


def run(*command: object, status: int = 0) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd="/")
    if done.returncode != status:
        failures.append(f"{command[0]} ended with {done.returncode}, not {status}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(condition: bool, what: str) -> None:
    if not condition:
        failures.append(what)


with tempfile.TemporaryDirectory() as scratch:
    prefix, examples = Path(scratch) / "prefix", Path(scratch) / "build"
    for component in ("development", "program"):
        run("cmake", "--install", build, "--prefix", prefix, "--component", component)
    # With the compiler that a user of the package has, whatever the build was made with.
    run("cmake", "-G", "Ninja", "-S", HERE, "-B", examples, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug")
    run("cmake", "--build", examples)
    if not failures:
        text = run(examples / "halo_by_step")
        counted = run(build / "haloscope", "count", "stencil/tiled")
        lines = text.splitlines()
        expect(len(lines) > 2 and lines[0].startswith("step "), f"no steps:\n{text}")
        share = float(lines[-1].removeprefix("block.halo / block.inputs: "))
        expect(f"{100 * share:.1f} % of an interior block" in counted, f"halo_by_step: {share}, count:\n{counted}")

        kernel = prefix / "share/haloscope/kernels/stencil/tiled.cu"
        faulty = prefix / "share/haloscope/assets/buglab/one_too_many/faulty.cu"
        run(examples / "check_file", kernel)
        text = run(examples / "check_file", faulty, status=1)
        expect(": fault\n  line " in text, f"no finding with its line:\n{text}")
        text = run(examples / "check_file", kernel, "/bin/false", status=2)
        expect("is not haloscope " in text, f"another program is taken for haloscope:\n{text}")
        text = run(examples / "check_file", kernel, "/nowhere/haloscope", status=2)
        expect("/nowhere/haloscope is not a program" in text, text)
        text = run(examples / "unnamed", status=2)
        expect(text.count("started") == 1 and "useHaloscope" in text, text)

    headers = [path.relative_to(prefix / "include") for path in (prefix / "include").rglob("*.h")]
    archive = prefix / "lib/libhaloscope.a"
    size = archive.stat().st_size / 2**20 if archive.exists() else 0
    print(f"{len(headers)} headers, {size:.1f} MiB")
print("\n".join(failures))
sys.exit(1 if failures else 0)
