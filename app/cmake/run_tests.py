#!/usr/bin/python3
"""Run the tests of a build folder and print "N passed, N failed, N skipped" as the last line.

A test program reads the catalogue and opens OpenGL before its first case, so a process runs many cases. The cases of all
programs are cut into batches, of which a few run at a time: one more than there are cores, because some wait for a child
process or for a deadline. What cannot be cut begins first, and the last batches are small, so that no core is left with
a long one at the end. Each case is reported by name, and where a process crashes
or hangs, its case fails and the cases after it run in a new process. Cases that change their process for good (`alone`)
get one of their own, and those that change the machine (`last`) run after all others, one at a time.

The build lists its programs in tests/programs.json. The report, in JUnit's format, is tests.xml in the build folder.
"""

import argparse
import fnmatch
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ElementTree
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

BATCH = 40  # cases at most; larger batches start fewer processes, smaller ones share the work better
TIMEOUT = 300  # seconds for a case
LAST_LINES = 20  # of what a failed case printed, said again at the end

BEGIN = re.compile(r"^\[ RUN      \] (\S+)$")
# A case may have printed a line without its end before.
END = re.compile(r"\[(       OK |  FAILED  |  SKIPPED )\] (\S+?)(?:, where .*)? \((\d+) ms\)$")


@dataclass
class Result:
    name: str  # with the label: "unit.Suite.Case"
    status: str  # "passed", "failed" or "skipped"
    seconds: float
    output: str = ""

    def reason(self) -> str:
        """What a skipped case said: GoogleTest puts the message between the file name and the verdict."""
        lines = [line.strip() for line in self.output.splitlines()]
        for line, following in zip(lines, lines[1:]):
            if line.endswith(": Skipped"):
                return following
        return "no reason given"


@dataclass
class Batch:
    """What one process runs: cases of a test program, or a command that is one test."""

    label: str
    command: list[str]
    cases: list[str] = field(default_factory=list)  # without the label; empty for a command
    name: str = ""  # of a command
    last: bool = False  # after all others, alone


def cases_of(command: list[str]) -> list[str]:
    """The cases of a test program as GoogleTest lists them, without those that are disabled."""
    listing = subprocess.run(
        [*command, "--gtest_list_tests"], capture_output=True, text=True, timeout=60, check=True
    ).stdout
    cases, suite = [], ""
    for line in listing.splitlines():
        name = line.split("#")[0].strip()
        if line.startswith("  "):
            if "DISABLED_" not in suite + name:
                cases.append(suite + name)
        elif name.endswith("."):
            suite = name
    return cases


def by_parameter(cases: list[str], patterns: list[str]) -> list[str]:
    """The cases in the same order, but those of the patterns that have the same parameter follow each other."""
    first: dict[str, int] = {}
    places = []
    for place, case in enumerate(cases):
        shares = any(fnmatch.fnmatchcase(case, pattern) for pattern in patterns)
        places.append(first.setdefault(case.rpartition("/")[2], place) if shares else place)
    return [case for _, case in sorted(zip(places, cases), key=lambda one: one[0])]


class Runner:
    def __init__(self, batches: list[Batch], jobs: int, folder: Path):
        self.queue = deque(batch for batch in batches if not batch.last)
        self.last = [batch for batch in batches if batch.last]
        self.jobs = jobs
        self.folder = folder
        self.lock = threading.Condition()
        self.running = 0
        self.total = sum(len(batch.cases) or 1 for batch in batches)
        self.results: list[Result] = []

    def run(self) -> list[Result]:
        threads = [threading.Thread(target=self.work, daemon=True) for _ in range(self.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.queue.extend(self.last)
        self.work()
        return self.results

    def work(self) -> None:
        while True:
            with self.lock:
                # A batch that runs may still put back what a crash left over.
                while not self.queue and self.running:
                    self.lock.wait()
                if not self.queue:
                    return
                batch = self.queue.popleft()
                self.running += 1
            try:
                if batch.cases:
                    self.run_cases(batch)
                else:
                    self.run_command(batch)
            except Exception as error:  # a program that cannot be started, say: its cases failed
                names = batch.cases or [batch.name]
                for name in names:
                    self.report(Result(f"{batch.label}.{name}", "failed", 0, f"{type(error).__name__}: {error}\n"))
            finally:
                with self.lock:
                    self.running -= 1
                    self.lock.notify_all()

    def report(self, result: Result) -> None:
        with self.lock:
            self.results.append(result)
            print(f"[{len(self.results):4}/{self.total}] {result.status:7} {result.name}  {result.seconds:.2f} s", flush=True)
            if result.status == "failed":
                print(result.output, end="" if result.output.endswith("\n") else "\n", flush=True)

    def run_command(self, batch: Batch) -> None:
        start = time.monotonic()
        done = subprocess.run(batch.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
        status = "passed" if done.returncode == 0 else "failed"
        self.report(Result(f"{batch.label}.{batch.name}", status, time.monotonic() - start, done.stdout))

    def run_cases(self, batch: Batch) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".flags", delete=False) as flags:
            flags.write("--gtest_filter=" + ":".join(batch.cases) + "\n")  # may be too long for an argument
        process = subprocess.Popen(
            batch.command + [f"--gtest_flagfile={flags.name}", "--gtest_color=no"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            start_new_session=True,
        )  # fmt: skip
        waiting = list(batch.cases)
        current, begun, output = "", time.monotonic(), []
        failed = hung = False

        def stop() -> None:
            nonlocal hung
            hung = True
            os.killpg(process.pid, signal.SIGKILL)

        watch = threading.Timer(TIMEOUT, stop)
        watch.start()
        for line in process.stdout:
            begin, end = BEGIN.search(line), END.search(line)
            if begin:
                current, begun, output = begin[1], time.monotonic(), []
                watch.cancel()
                watch = threading.Timer(TIMEOUT, stop)
                watch.start()
            elif end and end[2] == current:
                status = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}[end[1].strip()]
                failed = failed or status == "failed"
                self.report(Result(f"{batch.label}.{current}", status, int(end[3]) / 1e3, "".join(output) + line))
                waiting.remove(current)
                current, output = "", []
            else:
                output.append(line)
        code = process.wait()
        watch.cancel()
        os.unlink(flags.name)

        if current:  # it ended in the middle of a case
            how = f"no answer within {TIMEOUT} s" if hung else describe(code)
            self.report(Result(f"{batch.label}.{current}", "failed", time.monotonic() - begun, "".join(output) + f"{how}\n"))
            waiting.remove(current)
            if waiting:
                with self.lock:
                    self.queue.append(Batch(batch.label, batch.command, waiting))
            return
        # GoogleTest runs every case that it is asked for and exits with 1 if one failed. Anything else is a fault of the
        # program around them: a suite that could not be set up, a crash or a leak at the end.
        text = "".join(output)
        for case in waiting:
            self.report(Result(f"{batch.label}.{case}", "failed", 0, f"did not run: {describe(code)}\n{text}"))
        if code != 0 and not failed and not waiting:
            self.report(Result(f"{batch.label}.{batch.cases[-1]} (end of its process)", "failed", 0, f"{text}{describe(code)}\n"))


def describe(code: int) -> str:
    if code < 0:
        return f"ended by {signal.Signals(-code).name}"
    return f"ended with exit status {code}"


def batches_of(programs: list[dict], folder: Path, selected, jobs: int) -> list[Batch]:
    """`folder`: what the programs' paths are relative to; `selected`: whether the test of a label and name is to be run."""
    batches, shared = [], []
    for program in programs:
        label = program["label"]
        if "command" in program:
            if selected(label, program["name"]):
                batches.append(Batch(label, program["command"], name=program["name"]))
            continue
        if not selected(label, None):
            continue
        command = [str(folder / program["program"])]
        try:
            cases = cases_of(command)
        except (OSError, subprocess.SubprocessError) as error:
            batches.append(Batch(label, ["/bin/sh", "-c", f"echo '{label}: {error}'; exit 1"], name="(list of cases)"))
            continue
        cases = [case for case in cases if selected(label, case)]
        last = [case for case in cases if any(fnmatch.fnmatchcase(case, pattern) for pattern in program["last"])]
        cases = [case for case in cases if case not in last]
        alone = [case for case in cases if any(fnmatch.fnmatchcase(case, pattern) for pattern in program["alone"])]
        together = by_parameter([case for case in cases if case not in alone], program["shared"])
        shared.append((label, command, together))
        batches += [Batch(label, command, [case]) for case in alone]
        batches += [Batch(label, command, [case], last=True) for case in last]
    rest = sum(len(cases) for _, _, cases in shared)
    for label, command, cases in shared:
        largest = max(1, min(BATCH, len(cases) // (2 * jobs)))
        while cases:
            size = max(1, min(largest, rest // (2 * jobs)))
            batches.append(Batch(label, command, cases[:size]))
            cases = cases[size:]
            rest -= len(batches[-1].cases)
    return batches


def write_junit(results: list[Result], path: Path) -> None:
    suite = ElementTree.Element("testsuite", name="haloscope", tests=str(len(results)))
    for status, attribute in (("failed", "failures"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(result.status == status for result in results)))
    suite.set("time", f"{sum(result.seconds for result in results):.3f}")
    for result in results:
        label = result.name.split(".")[0]
        case = ElementTree.SubElement(suite, "testcase", classname=label, name=result.name, time=f"{result.seconds:.3f}")
        printable = "".join(c for c in result.output if c.isprintable() or c in "\n\t")
        if result.status == "failed":
            ElementTree.SubElement(case, "failure", message="failed").text = printable
        elif result.status == "skipped":
            ElementTree.SubElement(case, "skipped", message=result.reason())
    ElementTree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def tests_of(names: list[str]) -> list[str]:
    """The tests of these cases; one with parameters stands for all its cases: "gpu.Way/FieldTest.Sweeps (3)"."""
    counts: dict[str, int] = {}
    for name in names:
        test, _, parameter = name.rpartition("/")
        if not test or "." in parameter:
            test = name
        counts[test] = counts.get(test, 0) + 1
    return [test if count == 1 else f"{test} ({count})" for test, count in counts.items()]


def summarise(results: list[Result]) -> int:
    """Prints what was skipped and why, what failed, and the counts. The exit status: 0 if everything passed."""
    by_reason: dict[str, list[str]] = {}
    for result in results:
        if result.status == "skipped":
            by_reason.setdefault(result.reason(), []).append(result.name)
    for reason, names in by_reason.items():
        print(f"skipped ({reason}): {', '.join(tests_of(names))}")
    failed = [result for result in results if result.status == "failed"]
    for result in failed:
        print(f"FAILED: {result.name}")
        for line in result.output.splitlines()[-LAST_LINES:]:
            print(f"    {line[:200]}")
    skipped = sum(len(names) for names in by_reason.values())
    passed = len(results) - skipped - len(failed)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(f"{seconds:.0f} s of processor time")
    print(f"{passed} passed, {len(failed)} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="the build folder, or a list of programs in JSON")
    parser.add_argument("-L", "--label", metavar="REGEX", default="", help="only programs whose label matches: unit, kernels, …")
    parser.add_argument("-R", "--tests", metavar="REGEX", default="", help='only tests whose name ("unit.Suite.Case") matches')
    parser.add_argument("-E", "--exclude", metavar="REGEX", help="without the tests whose name matches")
    parser.add_argument("--thorough", action="store_true", help="also the tests whose name begins with Thorough/")
    parser.add_argument("-N", "--list", action="store_true", help="list the tests instead of running them")
    parser.add_argument("--report", type=Path, help="file for the report (default: tests.xml in the build folder)")
    jobs = (os.cpu_count() or 1) + 1
    parser.add_argument("-j", "--jobs", type=int, default=jobs, help="processes at a time (default: %(default)s)")
    arguments = parser.parse_args()

    def selected(label: str, name: str | None) -> bool:
        if not re.search(arguments.label, label):
            return False
        if name is None:
            return True
        if name.startswith("Thorough/") and not arguments.thorough:
            return False
        full = f"{label}.{name}"
        return bool(re.search(arguments.tests, full)) and not (arguments.exclude and re.search(arguments.exclude, full))

    build = arguments.build.resolve()
    programs = build if build.is_file() else build / "tests" / "programs.json"
    folder = programs.parent
    jobs = max(1, arguments.jobs)
    batches = batches_of(json.loads(programs.read_text()), folder, selected, jobs)
    if arguments.list:
        for batch in batches:
            for name in batch.cases or [batch.name]:
                print(f"{batch.label}.{name}")
        return 0
    results = Runner(batches, jobs, folder).run()
    write_junit(results, arguments.report or (folder if build.is_file() else build) / "tests.xml")
    return summarise(results)


if __name__ == "__main__":
    sys.exit(main())
