#!/usr/bin/python3
"""Installs the wheel into a fresh virtual environment and uses it as a reader does: test_wheel.py WHEEL [PICTURE].

Its functions against the command, auditwheel's view of it, and a notebook in JupyterLab in Chromium, whose page must
execute its block. The last line is "N passed, N failed, N skipped".
"""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
wheel = Path(sys.argv[1]).resolve()
picture = Path(sys.argv[2] if len(sys.argv) > 2 else wheel.parent / "notebook.png").resolve()
passed = failed = skipped = 0
NO_INDEX = "No matching distribution found"  # so pip ends where it reaches no index


def step(name: str, *command: object, prints: str = "", cwd: str = "/", needs: bool = True) -> bool:
    """Whether it passed. Without what it needs it is skipped, as is what pip cannot fetch."""
    global passed, failed, skipped
    if not needs:
        skipped += 1
        return False
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=cwd, timeout=300)
    if done.returncode == 0 and prints in done.stdout:
        passed += 1
        return True
    if "pip" in command and NO_INDEX in done.stderr and "--no-index" not in command:
        skipped += 1
        print(f"skipped (no Python package index): wheel.{name}, and what needs it")
        return False
    failed += 1
    print(f"FAILED: wheel.{name}\n{done.stdout}{done.stderr}")
    return False


with tempfile.TemporaryDirectory() as scratch:
    python, tools = Path(scratch, "fresh/bin/python"), Path(scratch, "jupyter/bin/python")
    step("environment", sys.executable, "-m", "venv", Path(scratch, "fresh"))
    step("install", python, "-m", "pip", "install", "-q", "--no-index", wheel)
    numpy = step("numpy", python, "-m", "pip", "install", "-q", "numpy")
    step("command", python.with_name("haloscope"), "count", "stencil/tiled", prints="OP/B")
    step("functions", python, HERE / "functions.py", cwd=scratch, needs=numpy)
    step("tools", sys.executable, "-m", "venv", Path(scratch, "jupyter"))
    fetched = step("install_tools", tools, "-m", "pip", "install", "-q", "jupyterlab", "auditwheel", wheel)
    step("glibc", tools.with_name("auditwheel"), "show", wheel, prints='platform tag to "manylinux_2_34_x86_64"',
         needs=fetched)
    step("notebook", tools, HERE / "notebook.py", scratch, picture, cwd=scratch, needs=fetched)
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed else 0)
