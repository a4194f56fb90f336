#!/usr/bin/python3
"""What `haloscope check` says of public programs, of which only the names are kept here.

  survey.py HALOSCOPE CLONES             all of repositories.json, from CLONES/OWNER+NAME at the commits that it names
  survey.py HALOSCOPE CLONES --update    writes the outcomes to repositories.json
  survey.py … --data FOLDER              has the pictures that some are given, DATA in their arguments

The last lines say of how many files that nvcc accepts the program's own launches were executed, how many were judged, and
how long it took. A file that is listed with several arguments counts once, with the best of its outcomes.
"""

import argparse
import json
import subprocess
import time
from pathlib import Path

STORED = Path(__file__).resolve().parent / "repositories.json"
SECONDS = 150
SCOPES = ["all-launches", "part-of-launches", "given-launch", "proposed-launch", "nothing"]
OWN = SCOPES[:2]
JUDGED = ["right", "wrong", "fault", "consistent", "disagrees"]


def outcome(haloscope: Path, clones: Path, data: Path, entry: dict) -> dict:
    command = [haloscope, "check", entry["file"], "--json", *(one.replace("DATA/", f"{data}/").replace("CLONES/", f"{clones}/") for one in entry["arguments"])]
    begun = time.monotonic()
    try:
        done = subprocess.run(command, cwd=clones / entry["repository"].replace("/", "+"), capture_output=True, text=True,
                              errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"status": None, "seconds": SECONDS, "kernels": {}}
    seconds = round(time.monotonic() - begun, 1)
    try:
        rows = json.loads(done.stdout)
    except json.JSONDecodeError:
        rows = []
    kernels = {}
    for row in rows:
        verdict = row.get("verdict", {})
        kinds = sorted({finding["kind"] for finding in row.get("findings", [])})
        said = [verdict.get("kind", "unread"), verdict.get("scope", "nothing"), *kinds]
        kernels[row.get("kernel", "")] = " ".join(said)
    return {"status": done.returncode, "seconds": seconds, "kernels": kernels}


def best(entries: list[dict]) -> tuple[str, bool]:
    """The widest scope of a kernel, and whether one that was launched by its program was judged."""
    words = [said.split() for entry in entries for said in entry["outcome"]["kernels"].values()]
    scope = min((word[1] for word in words), key=SCOPES.index, default="nothing")
    return scope, any(word[1] in OWN and word[0] in JUDGED for word in words)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("haloscope", type=lambda path: Path(path).resolve())
    parser.add_argument("clones", type=lambda path: Path(path).resolve())
    parser.add_argument("--data", type=lambda path: Path(path).resolve(), default=Path("data").resolve())
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    entries = json.loads(STORED.read_text())
    for entry in entries:
        entry["outcome"] = outcome(options.haloscope, options.clones, options.data, entry)
        print(entry["repository"], entry["file"], *entry["arguments"], entry["outcome"], flush=True)
    if options.update:
        STORED.write_text(json.dumps(entries, indent=1) + "\n")
    files: dict[tuple, list[dict]] = {}
    for entry in entries:
        if entry["nvcc"]:
            files.setdefault((entry["repository"], entry["file"]), []).append(entry)
    results = [best(one) for one in files.values()]
    times = sorted(entry["outcome"]["seconds"] for entry in entries)
    print(f"{len(files)} files that nvcc accepts: {sum(scope in OWN for scope, _ in results)} with their own launches,",
          f"{sum(judged for _, judged in results)} judged")
    print(f"seconds: half within {times[len(times) // 2]}, {sum(one <= 5 for one in times)} of {len(times)} within 5")


if __name__ == "__main__":
    main()
