#!/usr/bin/env python3
"""Read ctest's JUnit report: name the tests that were skipped and why, then print "N passed, N failed, N skipped"."""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def reason(case: ElementTree.Element) -> str:
    """What the test printed before it skipped itself: GoogleTest puts the message between the file name and the verdict."""
    lines = [line.strip() for line in (case.findtext("system-out") or "").splitlines()]
    for line, following in zip(lines, lines[1:]):
        if line.endswith(": Skipped"):
            return following
    return ""


def main() -> int:
    path = Path(sys.argv[1])
    if not path.is_file():
        print("haloscope: error: ctest wrote no report", file=sys.stderr)
        print("0 passed, 1 failed, 0 skipped")
        return 1
    cases = ElementTree.parse(path).getroot().findall(".//testcase")
    skipped = [case for case in cases if case.get("status") in ("notrun", "disabled") and case.find("failure") is None]
    failed = [case for case in cases if case.get("status") == "fail" or case.find("failure") is not None]
    passed = len(cases) - len(skipped) - len(failed)

    by_reason: dict[str, list[str]] = {}
    for case in skipped:
        by_reason.setdefault(reason(case) or "no reason given", []).append(case.get("name", "?"))
    for why, names in by_reason.items():
        print(f"skipped ({why}): {', '.join(names)}")
    for case in failed:
        print(f"FAILED: {case.get('name')}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
