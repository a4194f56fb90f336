#!/usr/bin/python3
"""What Haloscope says of the kernels and programs in judged/: none in judged/sound has a fault, each in judged/faulty has one.

  judged.py HALOSCOPE              all of them: fails where one that is sound is accused that was not, and where less is said
                                   of a faulty one than judged.json has
  judged.py HALOSCOPE --every 20   a sample: every 20th
  judged.py HALOSCOPE --update     writes judged.json with what is said today

Words: found (a finding, exit status 1), refused (2), unjudged (no fault, not known to be right) and right.
"""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
STORED = HERE / "judged.json"
SECONDS = 120
# What is said of a mistake, from most to least.
ORDER = ["found", "unjudged", "refused", "right"]


def said_of(haloscope: Path, file: Path) -> str:
    done = subprocess.run([haloscope, "check", file, "--json"], capture_output=True, text=True, timeout=SECONDS)
    if done.returncode == 1:
        return "found"
    if done.returncode != 0:
        return "refused"
    return "right" if all(row["verdict"]["kind"] == "right" for row in json.loads(done.stdout)) else "unjudged"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("haloscope", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if os.environ.get("HALOSCOPE_THOROUGH"):
        options.every = 1
    haloscope = options.haloscope.resolve()
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    all_files = sorted((HERE / "judged").glob("*/*.cu"))
    files = all_files[:: options.every]
    if len(files) < len(all_files):  # for app/cmake/run_tests.py
        print(f"[ SAMPLED  ] {len(files)} of {len(all_files)} programs")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = dict(zip(files, pool.map(lambda file: said_of(haloscope, file), files)))
    names = {file: f"{file.parent.name}/{file.stem}" for file in files}
    if options.update:
        STORED.write_text(json.dumps({names[file]: word for file, word in said.items()}, indent=1) + "\n")
    worse = []
    for file, word in said.items():
        before = stored.get(names[file], "unjudged")
        if file.parent.name == "sound":
            lost = word == "found" and before != "found"
        else:
            lost = ORDER.index(word) > ORDER.index(before)
        if lost and not options.update:
            worse.append(f"{names[file]}: {word}, was {before}")
    for group in ("sound", "faulty"):
        words = [word for file, word in said.items() if file.parent.name == group]
        print(f"{group}: " + ", ".join(f"{words.count(word)} {word}" for word in ORDER))
    for line in worse:
        print(line)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
