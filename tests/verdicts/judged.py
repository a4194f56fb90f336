#!/usr/bin/python3
"""What Haloscope says of the kernels and programs in judged/: none in judged/sound has a fault, each in judged/faulty has one.

  judged.py HALOSCOPE              all of them: fails where one that is sound is accused that was not, and where less is said
                                   of a faulty one than judged.json has
  judged.py HALOSCOPE --sample     a sample, of the faulty one of each kind of finding; all with HALOSCOPE_THOROUGH set
  judged.py HALOSCOPE --languages  instead: whether all but the sentences is the same in English and in Chinese
  judged.py HALOSCOPE --update     writes judged.json with what is said today

Words: found (a finding, exit status 1) with its kinds, refused (2), unjudged (no fault, not known to be right) and right.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
STORED = HERE / "judged.json"
SECONDS = 120
EVERY = 16  # of those that are sound
# What is said of a mistake, from most to least.
ORDER = ["found", "unjudged", "refused", "right"]
HOST_FAULT = re.compile(r".*?:\d+: ([\w-]+): ")


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


def sample_of(files: list[Path], stored: dict[str, str]) -> list[Path]:
    """Some that are sound; of the faulty the first of which each kind of finding, or that there is none, is said."""
    some = [file for file in files if file.parent.name == "sound"][::EVERY]
    said: set[str] = set()
    for file in (file for file in files if file.parent.name == "faulty"):
        kinds = set(re.findall(r"[\w-]+", stored.get(name_of(file), "unjudged")))
        if not kinds <= said:
            some.append(file)
            said |= kinds
    return some


def name_of(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


def said_of(haloscope: Path, file: Path) -> str:
    """The word, and after "found" the kinds of what was found."""
    done = subprocess.run([haloscope, "check", file, "--json"], capture_output=True, text=True, timeout=SECONDS)
    if done.returncode == 1:
        rows = json.loads(done.stdout)
        kinds = {one["kind"] for row in rows for one in row.get("findings", [])}
        kinds |= {found[1] for row in rows for one in row.get("host_faults", []) if (found := HOST_FAULT.match(one))}
        return " ".join(["found", *sorted(kinds)])
    if done.returncode != 0:
        return "refused"
    return "right" if all(row["verdict"]["kind"] == "right" for row in json.loads(done.stdout)) else "unjudged"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("haloscope", type=Path)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--languages", action="store_true")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    sampled = options.sample and not os.environ.get("HALOSCOPE_THOROUGH")
    haloscope = options.haloscope.resolve()
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    all_files = sorted((HERE / "judged").glob("*/*.cu"))
    files = sample_of(all_files, stored) if sampled else all_files
    if len(files) < len(all_files):  # for app/cmake/run_tests.py
        print(f"[ SAMPLED  ] {len(files)} of {len(all_files)} programs")
    if options.languages:
        return compare_languages(haloscope, files)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = dict(zip(files, pool.map(lambda file: said_of(haloscope, file), files)))
    if options.update:
        STORED.write_text(json.dumps({name_of(file): what for file, what in said.items()}, indent=1) + "\n")
    worse = []
    words = {file: what.split()[0] for file, what in said.items()}
    for file, word in words.items():
        before = stored.get(name_of(file), "unjudged").split()[0]
        if file.parent.name == "sound":
            lost = word == "found" and before != "found"
        else:
            lost = ORDER.index(word) > ORDER.index(before)
        if lost and not options.update:
            worse.append(f"{name_of(file)}: {word}, was {before}")
    for group in ("sound", "faulty"):
        of_it = [word for file, word in words.items() if file.parent.name == group]
        print(f"{group}: " + ", ".join(f"{of_it.count(word)} {word}" for word in ORDER))
    for line in worse:
        print(line)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
