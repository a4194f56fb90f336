#!/usr/bin/python3
"""Run the tests of a build folder and print "N passed, N failed, N skipped" as the last line.

A test program reads the catalogue and opens OpenGL before its first case, so a process runs many cases. The cases of all
programs are cut into batches, of which a few run at a time: one more than there are cores, because some wait for a child
process or for a deadline. What cannot be cut begins first, and the last batches are small, so that no core is left with
a long one at the end. Each case is reported by name, and where a process crashes
or hangs, its case fails and the cases after it run in a new process. Cases that change their process for good (`alone`)
get one of their own, and those that change the machine (`last`) run after all others, one at a time.

Where each case executes a text, the texts resemble each other: of a program's `sampled` cases run so many that each name
of CUDA, of its libraries or of MPI, each expectation, and each call at which something is found occurs in one that is
executed; of C++'s names, its keywords and the words of the texts' names, those that two texts have. --thorough runs all.
Loops within a case are shortened likewise (tests/kernels/Sampled.h). What was left out is said at the end.

The build lists its programs in tests/programs.json. The report, in JUnit's format, is tests.xml in the build folder.
"""

import argparse
import ctypes
import fnmatch
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter, deque
from dataclasses import dataclass, field
from pathlib import Path

BATCH = 40  # cases at most; larger batches start fewer processes, smaller ones share the work better
TIMEOUT = 300  # seconds for a case; with --thorough ten times as long
LAST_LINES = 20  # of what a failed case printed, said again at the end

# What texts have in common or not: includes, what a test expects, launches, names of CUDA and of C++'s library, keywords.
WORDS = re.compile(
    r"#include\s*<[\w./]+>|//\s*(?:finds|fails|expects|matches|allocates|runs|ends)[\w ]*:\s*[\w-]*|<<<"
    r"|\b(?:__\w+|cuda\w+|cu[A-Z]\w+|cublas\w+|curand\w+|(?:cg|cub|thrust)::\w+|MPI_\w+|(?:tex|surf)[A-Z\d]\w+"
    r"|atomic\w+|std::\w+|(?:float|double|u?int|uchar)[1-4]|half2?"
    r"|template|struct|class|while|do|goto|switch|asm|operator|virtual|static|extern|volatile|malloc|new)\b"
)
# What is executed even if one text alone has it: the device's language, interfaces and expectations.
ALWAYS = re.compile(r"__|//|<<<|cu(?:da|blas|rand|[A-Z])\w|(?:cg|cub|thrust)::|MPI_|tex[A-Z\d]|surf[A-Z\d]|atomic")
# A call and what is found, or fails, in its line.
FOUND_AT = re.compile(r"\b((?:cu|MPI_|thrust::)\w+)[(<].*?(//\s*(?:finds|fails): [\w-]+)")

BEGIN = re.compile(r"^\[ RUN      \] (\S+)$")
# A case may have printed a line without its end before.
SAMPLED = re.compile(r"^\[ SAMPLED  \] (\d+) of (\d+) (.+)$")
END = re.compile(r"\[(       OK |  FAILED  |  SKIPPED )\] (\S+?)(?:, where .*)? \((\d+) ms\)$")


@dataclass
class Result:
    name: str  # with the label: "unit.Suite.Case"
    status: str  # "passed", "failed" or "skipped"
    seconds: float
    output: str = ""
    processor: float = 0  # seconds of its process and of the processes that it has waited for

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


def cases_of(command: list[str]) -> tuple[list[str], dict[str, list[int]]]:
    """The cases of a test program as GoogleTest lists them, without those that are disabled; and of what it tries how many."""
    listing = subprocess.run(
        [*command, "--gtest_list_tests"], capture_output=True, text=True, timeout=60, check=True
    ).stdout
    cases, suite, left_out = [], "", {}
    for line in listing.splitlines():
        if said := SAMPLED.match(line):
            counts = left_out.setdefault(said[3], [0, 0])
            counts[0] += int(said[1])
            counts[1] += int(said[2])
        name = line.split("#")[0].strip()
        if line.startswith("  "):
            if "DISABLED_" not in suite + name:
                cases.append(suite + name)
        elif name.endswith("."):
            suite = name
    return cases, left_out


def by_parameter(cases: list[str], patterns: list[str]) -> list[str]:
    """The cases in the same order, but those of the patterns that have the same parameter follow each other."""
    first: dict[str, int] = {}
    places = []
    for place, case in enumerate(cases):
        shares = any(fnmatch.fnmatchcase(case, pattern) for pattern in patterns)
        places.append(first.setdefault(case.rpartition("/")[2], place) if shares else place)
    return [case for _, case in sorted(zip(places, cases), key=lambda one: one[0])]


def texts_in(folder: Path) -> dict[str, str]:
    """The texts of a folder by their names in tests: "sub/a-b.cu" is sub_a_b. A folder is one text, too."""
    texts: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".cu", ".cuh", ".h", ".cpp"):
            continue
        text = path.read_text(errors="replace")
        relative = path.relative_to(folder)
        for one in (relative.with_suffix(""), *relative.parents[:-1]):
            name = re.sub(r"\W", "_", str(one))
            texts[name] = texts.get(name, "") + text
    return texts


def words_of(name: str, text: str) -> set[str | tuple[str, str]]:
    """Those of the text, each call with what is found at it, and those of its name, each and two by two."""
    named = name.split("_")
    words = {re.sub(r"\s+", " ", word) for word in WORDS.findall(text)}
    return words | {f"{found} {call}" for call, found in FOUND_AT.findall(text)} | set(named) | set(zip(named, named[1:]))


def covering(cases: list[str], texts: dict[str, str]) -> list[str]:
    """Some of the cases, in the same order, whose texts have all words that at least two texts have, and those of `ALWAYS`
    that one alone has; and those whose text is not known."""
    texts = {case: texts[name] for case in cases if (name := case.rpartition("/")[2]) in texts}
    words = {case: words_of(case.rpartition("/")[2], text) for case, text in texts.items()}
    chosen = {case for case in cases if case not in words}
    counts = Counter(word for of in words.values() for word in of)
    left = {word for word, count in counts.items() if count > 1 or isinstance(word, str) and ALWAYS.match(word)}
    while left:
        best = max(words, key=lambda case: (len(words[case] & left), -len(texts[case])))
        chosen.add(best)
        left -= words[best]
    return [case for case in cases if case in chosen]


class Runner:
    def __init__(self, batches: list[Batch], jobs: int, folder: Path, timeout: int):
        self.queue = deque(batch for batch in batches if not batch.last)
        self.last = [batch for batch in batches if batch.last]
        self.jobs = jobs
        self.folder = folder
        self.timeout = timeout
        self.lock = threading.Condition()
        self.running = 0
        self.total = sum(len(batch.cases) or 1 for batch in batches)
        self.results: list[Result] = []
        self.processor: dict[str, float] = {}  # seconds of all processes of a label

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
            times = f"{result.seconds:.2f} s, {result.processor:.2f} s of processor time"
            print(f"[{len(self.results):4}/{self.total}] {result.status:7} {result.name}  {times}", flush=True)
            if result.status == "failed":
                print(result.output, end="" if result.output.endswith("\n") else "\n", flush=True)

    def run_command(self, batch: Batch) -> None:
        start = time.monotonic()
        process = subprocess.Popen(
            batch.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            start_new_session=True,
        )  # fmt: skip
        watch = threading.Timer(self.timeout, os.killpg, (process.pid, signal.SIGKILL))
        watch.start()
        output = process.stdout.read()
        code, used = self.wait(process, batch.label)
        watch.cancel()
        status = "passed" if code == 0 else "failed"
        if code != 0:
            output += describe(code) + "\n"
        self.report(Result(f"{batch.label}.{batch.name}", status, time.monotonic() - start, output, used))

    def wait(self, process: subprocess.Popen, label: str) -> tuple[int, float]:
        """The exit status, as Popen has it, and the seconds of processor time, which are added to the label's."""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = used.ru_utime + used.ru_stime
        # What it has left behind, such as the server of its compiler, ends in a moment.
        patience = time.monotonic() + 2
        while time.monotonic() < patience:
            try:
                orphan, _, used = os.wait4(-process.pid, os.WNOHANG)
            except ChildProcessError:
                break
            if orphan == 0:
                time.sleep(0.01)
            else:
                seconds += used.ru_utime + used.ru_stime
        with self.lock:
            self.processor[label] = self.processor.get(label, 0) + seconds
        return process.returncode, seconds

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
        used = 0.0
        failed = hung = False

        def stop() -> None:
            nonlocal hung
            hung = True
            os.killpg(process.pid, signal.SIGKILL)

        watch = threading.Timer(self.timeout, stop)
        watch.start()
        for line in process.stdout:
            begin, end = BEGIN.search(line), END.search(line)
            if begin:
                current, begun, output = begin[1], time.monotonic(), []
                watch.cancel()
                watch = threading.Timer(self.timeout, stop)
                watch.start()
            elif end and end[2] == current:
                status = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}[end[1].strip()]
                failed = failed or status == "failed"
                before, used = used, processor_time(process.pid)
                text = "".join(output) + line
                self.report(Result(f"{batch.label}.{current}", status, int(end[3]) / 1e3, text, used - before))
                waiting.remove(current)
                current, output = "", []
            else:
                output.append(line)
        code, all_used = self.wait(process, batch.label)
        watch.cancel()
        os.unlink(flags.name)

        if current:  # it ended in the middle of a case
            how = f"no answer within {self.timeout} s" if hung else describe(code)
            text = "".join(output) + f"{how}\n"
            self.report(Result(f"{batch.label}.{current}", "failed", time.monotonic() - begun, text, all_used - used))
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


def processor_time(pid: int) -> float:
    """Seconds of a process that has not been waited for, and of the processes that it has waited for."""
    stat = Path(f"/proc/{pid}/stat").read_text()
    return sum(map(int, stat.rpartition(")")[2].split()[11:15])) / os.sysconf("SC_CLK_TCK")


def describe(code: int) -> str:
    if code < 0:
        return f"ended by {signal.Signals(-code).name}"
    return f"ended with exit status {code}"


def sample_of(label: str, cases: list[str], folders: dict[str, str], left_out: list[str]) -> list[str]:
    """The cases without those that others stand for. `folders`: where the texts of the cases of a pattern are;
    `left_out`: gets a line on each test."""
    for pattern, folder in folders.items():
        texts = texts_in(Path(folder))
        tests: dict[str, list[str]] = {}
        for case in cases:
            if fnmatch.fnmatchcase(case, pattern):
                tests.setdefault(case.rpartition("/")[0], []).append(case)
        for test, all_of_it in tests.items():
            some = covering(all_of_it, texts)
            if len(some) < len(all_of_it):
                left_out.append(f"{label}.{test}: {len(some)} of {len(all_of_it)} texts")
            others = set(all_of_it) - set(some)
            cases = [case for case in cases if case not in others]
    return cases


def batches_of(programs: list[dict], folder: Path, selected, jobs: int, left_out: list[str] | None) -> list[Batch]:
    """`folder`: what the programs' paths are relative to; `selected`: whether the test of a label and name is to be run;
    `left_out`: gets what a sample leaves out; None: everything runs."""
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
            cases, unlisted = cases_of(command)
        except (OSError, subprocess.SubprocessError) as error:
            batches.append(Batch(label, ["/bin/sh", "-c", f"echo '{label}: {error}'; exit 1"], name="(list of cases)"))
            continue
        cases = [case for case in cases if selected(label, case)]
        if left_out is not None:
            left_out += [f"{label}: {some} of {whole} {what}" for what, (some, whole) in unlisted.items()]
            cases = sample_of(label, cases, program.get("sampled", {}), left_out)
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


def tried_in(results: list[Result]) -> list[str]:
    """What tests tried instead of everything, a line for each test and kind of thing."""
    tried: dict[tuple[str, str], list[int]] = {}
    for result in results:
        for line in result.output.splitlines():
            if said := SAMPLED.match(line):
                test = result.name.rpartition("/")[0] if "/" in result.name.rpartition(".")[2] else result.name
                counts = tried.setdefault((test, said[3]), [0, 0])
                counts[0] += int(said[1])
                counts[1] += int(said[2])
    return [f"{test}: {some} of {whole} {what}" for (test, what), (some, whole) in tried.items()]


def summarise(results: list[Result], processor: dict[str, float], left_out: list[str]) -> int:
    """Prints what was left out, what was skipped and why, what failed, and the counts. The exit status: 0 if everything
    passed. `processor`: the seconds of each label."""
    for line in sorted(left_out + tried_in(results)):
        print(f"sampled (all with --thorough): {line}")
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
    shares = ", ".join(f"{label} {seconds:.0f}" for label, seconds in sorted(processor.items(), key=lambda one: -one[1]))
    print(f"{sum(processor.values()):.0f} s of processor time: {shares}")
    print(f"{passed} passed, {len(failed)} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="the build folder, or a list of programs in JSON")
    parser.add_argument("-L", "--label", metavar="REGEX", default="", help="only programs whose label matches: unit, kernels, …")
    parser.add_argument("-R", "--tests", metavar="REGEX", default="", help='only tests whose name ("unit.Suite.Case") matches')
    parser.add_argument("-E", "--exclude", metavar="REGEX", help="without the tests whose name matches")
    parser.add_argument("--thorough", action="store_true", help="all of what is sampled otherwise; -R: all texts of a test")
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
        full = f"{label}.{name}"
        return bool(re.search(arguments.tests, full)) and not (arguments.exclude and re.search(arguments.exclude, full))

    build = arguments.build.resolve()
    programs = build if build.is_file() else build / "tests" / "programs.json"
    folder = programs.parent
    jobs = max(1, arguments.jobs)
    # Processes that lose their parent are waited for here, so that their time is counted, too.
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    left_out: list[str] = []
    if arguments.thorough:
        os.environ["HALOSCOPE_THOROUGH"] = "1"
    sampled = not arguments.thorough and not arguments.tests
    batches = batches_of(json.loads(programs.read_text()), folder, selected, jobs, left_out if sampled else None)
    if arguments.list:
        for batch in batches:
            for name in batch.cases or [batch.name]:
                print(f"{batch.label}.{name}")
        return 0
    runner = Runner(batches, jobs, folder, TIMEOUT * (10 if arguments.thorough else 1))
    results = runner.run()
    write_junit(results, arguments.report or (folder if build.is_file() else build) / "tests.xml")
    return summarise(results, runner.processor, left_out)


if __name__ == "__main__":
    sys.exit(main())
