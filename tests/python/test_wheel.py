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
passed = failed = 0


def step(name: str, *command: object, prints: str = "", cwd: str = "/") -> None:
    global passed, failed
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=cwd, timeout=300)
    if done.returncode == 0 and prints in done.stdout:
        passed += 1
        return
    failed += 1
    print(f"FAILED: wheel.{name}\n{done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as scratch:
    python, tools = Path(scratch, "fresh/bin/python"), Path(scratch, "jupyter/bin/python")
    step("environment", sys.executable, "-m", "venv", Path(scratch, "fresh"))
    step("install", python, "-m", "pip", "install", "-q", "--no-index", wheel)
    step("numpy", python, "-m", "pip", "install", "-q", "numpy")
    step("command", python.with_name("haloscope"), "count", "stencil/tiled", prints="OP/B")
    step("functions", python, HERE / "functions.py", cwd=scratch)
    step("tools", sys.executable, "-m", "venv", Path(scratch, "jupyter"))
    step("install_tools", tools, "-m", "pip", "install", "-q", "jupyterlab", "auditwheel", wheel)
    step("glibc", tools.with_name("auditwheel"), "show", wheel, prints='platform tag to "manylinux_2_34_x86_64"')
    step("notebook", tools, HERE / "notebook.py", scratch, picture, cwd=scratch)
print(f"{passed} passed, {failed} failed, 0 skipped")
sys.exit(1 if failed else 0)
