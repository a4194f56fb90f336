#!/usr/bin/python3
"""What Haloscope says of the kernels and programs in judged/: none in judged/sound has a fault, each in judged/faulty has one.

  judged.py HALOSCOPE              all of them: fails where one that is sound is accused that was not, and where less is said
                                   of a faulty one than judged.json has
  judged.py HALOSCOPE --every 20   a sample: every 20th
  judged.py HALOSCOPE --languages  instead: whether all but the sentences is the same in English and in Chinese
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


def identifiers(haloscope: Path, file: Path, language: str) -> tuple:
    """The exit status and what a script reads: no sentence."""
    done = subprocess.run(
        [haloscope, "--language", language, "check", file, "--json"], capture_output=True, text=True, timeout=SECONDS
    )
    rows = []
    for row in json.loads(done.stdout or "[]"):
        verdict = row["verdict"]
        evidence = [(one["basis"], one["outcome"]) for one in verdict["evidence"]]
        findings = [(one["kind"], one["line"], one["column"], one.get("occurrences"), str(one.get("fix"))) for one in row["findings"]]
        counts = [len(row[key]) for key in ("notes", "refusals", "host_faults")]
        rows.append((row["kernel"], verdict["kind"], verdict["scope"], verdict["line"], evidence, findings, counts))
    return done.returncode, rows


def compare_languages(haloscope: Path, files: list[Path]) -> int:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        english, chinese = (list(pool.map(lambda file: identifiers(haloscope, file, one), files)) for one in ("en", "zh"))
    unlike = [(file, *both) for file, *both in zip(files, english, chinese) if both[0] != both[1]]
    for file, one, other in unlike:
        print(f"{file.stem}: in English {one}, in Chinese {other}")
    print(f"{len(files) - len(unlike)} of {len(files)} are the same in both languages")
    return 1 if unlike else 0


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
    parser.add_argument("--languages", action="store_true")
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
    if options.languages:
        return compare_languages(haloscope, files)
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
