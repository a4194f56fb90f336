#!/usr/bin/python3
"""Run changed programs with `haloscope run`, host process and all, and report those that break a promise.

Each case is a program of tests/programs, tests/kernels/styles or tests/fuzz/regressions/programs with a few changes, and
depends on the seed and its number alone; those of the regressions come first, as they are. A promise is broken where
haloscope crashes or is stopped by a sanitizer, ends with another status than its own, takes or prints too much, leaves a
process behind, writes a file, blames its own host process, or prints JSON that is none. Such a program is made smaller
and written to the folder of --found.
"""

import argparse
import collections
import ctypes
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
REGRESSIONS = "tests/fuzz/regressions/programs"  # what once broke a promise
SEEDS = ["tests/programs", "tests/kernels/styles", REGRESSIONS]

LIMIT = "1"  # seconds for the host and for the kernels, of each of up to five sizes that are tried
MOST_SECONDS = 60  # of processors
MOST_WAITING = 240  # on a busy machine
MOST_PRINTED = 4 << 20
MOST_MEMORY = 9 << 30
STATUSES = {0: "good", 1: "mistakes", 2: "refused", 3: "missing"}

TOKEN = re.compile(
    r'\s+|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*|[A-Za-z_]\w*|\.?\d[\w.]*'
    r"|<<<|>>>|<<|>>|[-+*/%&|^=<>!]=|&&|\|\||\+\+|--|->|::|.",
    re.S,
)
NUMBERS = ["0", "1", "-1", "2", "3", "31", "33", "255", "1024", "1025", "65536", "1000000000", "2147483647", "2147483648LL",
           "-2147483648", "4294967295u", "0x7fffffffffffffff", "18446744073709551615ull", "1e30", "0.5f", "1 << 30"]  # fmt: skip
OPERATORS = [["+", "-", "*", "/", "%"], ["<", ">", "<=", ">=", "==", "!="], ["&&", "||"], ["++", "--"], ["+=", "-=", "*=", "/="]]
TYPES = ["int", "float", "double", "char", "short", "long", "unsigned", "size_t", "bool"]
KEYWORDS = set("if else for while do return const void static struct class template typename using namespace include "
               "define sizeof new delete true false auto extern inline switch case break continue".split())  # fmt: skip
# Statements; A stands for a variable of the program, and another A for another.
STATEMENTS = """
cudaFree(A);
cudaFree(A); cudaFree(A);
free(A);
free((void*)A); free((void*)A);
cudaFreeHost(A);
cudaDeviceReset();
cudaDeviceSynchronize();
__syncthreads();
main();
return main();
throw 1;
throw "text";
exit(3);
abort();
_Exit(200);
__builtin_trap();
raise(9);
kill(getppid(), 9);
if (fork() == 0) for (;;) {}
system("touch written");
fopen("written", "w");
fclose(stdout);
close(1); close(3);
for (int fd = 0; fd < 1024; ++fd) close(fd);
for (int fd = 3; fd < 100; ++fd) write(fd, "01234567890123456789", 20);
freopen("written", "w", stdout);
setvbuf(stdout, nullptr, _IONBF, 0);
for (;;) {}
for (;;) printf("x");
for (;;) puts("line");
while (true) malloc(1 << 20);
while (true) memset(malloc(1 << 24), 1, 1 << 24);
while (true) cudaMalloc(&A, 1 << 20);
while (true) cudaMalloc(&A, 1);
while (true) cudaMallocManaged(&A, 1 << 16);
while (true) cudaMallocHost((void**)&A, 64);
while (true) cudaMemset(A, 0, 1 << 16);
while (true) { cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e); }
while (true) { cudaStream_t s; cudaStreamCreate(&s); }
while (true) cudaGetLastError();
{ void* all; cudaMalloc(&all, (size_t)1 << 31); while (true) cudaMemset(all, 1, (size_t)1 << 31); }
{ void* all; cudaMalloc(&all, (size_t)1 << 30); while (true) cudaMemcpy(all, all, (size_t)1 << 30, cudaMemcpyDeviceToDevice); }
cudaMemset(A, 0, -1);
cudaMemcpy(A, A, 64, cudaMemcpyDefault);
cudaMemcpy(A, A, 64, cudaMemcpyDeviceToHost);
cudaMemcpy(A, A, 1 << 30, cudaMemcpyHostToDevice);
cudaMemcpy(A, nullptr, 16, cudaMemcpyHostToDevice);
cudaMemcpy((void*)A, (void*)16, 16, cudaMemcpyDeviceToHost);
cudaMemcpy2D(A, 1 << 20, A, 4, 1 << 10, 1 << 10, cudaMemcpyDefault);
cudaMallocManaged((void**)&A, (size_t)1 << 40);
cudaMalloc((void**)&A, 0);
cudaMalloc(nullptr, 16);
cudaEventElapsedTime(nullptr, nullptr, nullptr);
A = A + 1;
A = 0;
A = -1;
A = A;
A[0] = 1;
A[1 << 28] = 1;
A[-1] = A[1 << 20];
*(volatile int*)0 = 1;
((volatile int*)A)[0] = 1;
((void (*)())A)();
memset((void*)A, 255, 1 << 20);
{ volatile int zero = 0; printf("%d", 1 / zero); }
{ char big[1 << 24]; memset(big, 1, sizeof big); puts(big + sizeof big - 1); }
printf("%s", (const char*)A);
printf("%n", (int*)A);
printf("%1000000d", 1);
printf("\\033[2J\\xff\\xfe");
fputc(0, stdout);
fflush(nullptr);
asm("int3");
asm("syscall");
longjmp(*(jmp_buf*)A, 1);
__assert_fail("text", "file", 1, "function");
""".strip().splitlines()


def tokens_of(text: str) -> list[str]:
    return TOKEN.findall(text)


def is_word(token: str) -> bool:
    return bool(re.match(r"[A-Za-z_]", token)) and token not in KEYWORDS


class Mutator:
    def __init__(self, chance: random.Random, seeds: list[str]):
        self.chance, self.seeds = chance, seeds

    def changed(self, text: str) -> str:
        changes = [
            (6, self.insert_statement), (5, self.change_number), (3, self.swap_words), (2, self.delete_line),
            (2, self.double_line), (2, self.move_line), (3, self.exchange_arguments), (3, self.make_endless),
            (2, self.change_operator), (2, self.change_type), (1, self.delete_token), (1, self.take_line),
        ]  # fmt: skip
        for _ in range(self.chance.choice([1, 1, 1, 2, 2, 3])):
            text = self.chance.choices([one for _, one in changes], [weight for weight, _ in changes])[0](text)
        return text

    def any_index(self, tokens: list[str], fits) -> int | None:
        found = [i for i, token in enumerate(tokens) if fits(token)]
        return self.chance.choice(found) if found else None

    def replaced(self, text: str, fits, by) -> str:
        tokens = tokens_of(text)
        i = self.any_index(tokens, fits)
        if i is not None:
            tokens[i] = by(tokens[i])
        return "".join(tokens)

    def variables(self, text: str) -> list[str]:
        """Names that are declared as pointers or numbers, roughly."""
        found = re.findall(r"(?:\*|\b(?:%s))\s*(\w+)\s*(?=[,;=)\[])" % "|".join(TYPES), text)
        return [name for name in found if is_word(name)] or ["x"]

    def insert_statement(self, text: str) -> str:
        variables = self.variables(text)
        statement = re.sub(r"\bA\b", lambda _: self.chance.choice(variables), self.chance.choice(STATEMENTS))
        if self.chance.random() < 0.2:
            statement = f"if ({self.chance.choice(variables)} > {self.chance.choice(NUMBERS)}) {{ {statement} }}"
        tokens = tokens_of(text)
        i = self.any_index(tokens, lambda token: token in "{;")
        if i is not None:
            tokens.insert(i + 1, f" {statement} ")
        return "".join(tokens)

    def change_number(self, text: str) -> str:
        return self.replaced(text, lambda token: token[0].isdigit(), lambda _: self.chance.choice(NUMBERS))

    def swap_words(self, text: str) -> str:
        tokens = tokens_of(text)
        one, other = self.any_index(tokens, is_word), self.any_index(tokens, is_word)
        if one is not None:
            if self.chance.random() < 0.5:
                tokens[one], tokens[other] = tokens[other], tokens[one]
            else:
                tokens[one] = tokens[other]
        return "".join(tokens)

    def change_operator(self, text: str) -> str:
        group = self.chance.choice(OPERATORS)
        return self.replaced(text, lambda token: token in group, lambda _: self.chance.choice(group))

    def change_type(self, text: str) -> str:
        return self.replaced(text, lambda token: token in TYPES, lambda _: self.chance.choice(TYPES))

    def delete_token(self, text: str) -> str:
        return self.replaced(text, lambda token: not token.isspace(), lambda _: "")

    def delete_line(self, text: str) -> str:
        lines = text.splitlines(keepends=True)
        del lines[self.chance.randrange(len(lines))]
        return "".join(lines) or "\n"

    def double_line(self, text: str) -> str:
        lines = text.splitlines(keepends=True)
        i = self.chance.randrange(len(lines))
        return "".join(lines[:i] + [lines[i]] * self.chance.choice([2, 2, 3, 200]) + lines[i + 1 :])

    def move_line(self, text: str) -> str:
        lines = text.splitlines(keepends=True)
        line = lines.pop(self.chance.randrange(len(lines)))
        lines.insert(self.chance.randrange(len(lines) + 1), line)
        return "".join(lines)

    def take_line(self, text: str) -> str:
        lines = text.splitlines(keepends=True)
        other = self.chance.choice(self.seeds).splitlines(keepends=True)
        lines.insert(self.chance.randrange(len(lines) + 1), self.chance.choice(other))
        return "".join(lines)

    def exchange_arguments(self, text: str) -> str:
        calls = [match for match in re.finditer(r"\b\w+\s*(?:<<<[^;]*?>>>)?\s*\(([^()]*,[^()]*)\)", text)]
        launches = [match for match in re.finditer(r"<<<([^;]*?)>>>", text)]
        found = self.chance.choice([calls, calls, launches] if launches else [calls])
        if not found:
            return text
        match = self.chance.choice(found)
        arguments = match[1].split(",")
        how = self.chance.randrange(3)
        if how == 0:
            self.chance.shuffle(arguments)
        elif how == 1:
            arguments[self.chance.randrange(len(arguments))] = self.chance.choice(arguments)
        else:
            arguments[self.chance.randrange(len(arguments))] = self.chance.choice(NUMBERS + ["nullptr"])
        return text[: match.start(1)] + ",".join(arguments) + text[match.end(1) :]

    def make_endless(self, text: str) -> str:
        if self.chance.random() < 0.5:
            loops = list(re.finditer(r"for\s*\(([^;()]*);([^;]*);", text))
            if loops:
                match = self.chance.choice(loops)
                return text[: match.start(2)] + self.chance.choice([" true", " 1 | (" + match[2] + ")"]) + text[match.end(2) :]
        statements = [match for match in re.finditer(r"^[ \t]*(?=\w[^{}\n]*;[ \t]*$)", text, re.M)]
        if not statements:
            return text
        at = self.chance.choice(statements).end()
        return text[:at] + self.chance.choice(["while (true) ", "for (;;) ", "for (int again = 0; again < 100000; ++again) "]) + text[at:]


class Runner:
    """Runs one program at a time in folders of its own, and says what is wrong with how that went."""

    def __init__(self, haloscope: Path):
        self.haloscope = haloscope
        self.root = Path(tempfile.mkdtemp(prefix="haloscope-fuzz-"))
        self.ends: collections.Counter = collections.Counter()
        PR_SET_CHILD_SUBREAPER = 36  # what a case leaves behind becomes a child of this process
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def close(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def problem(self, text: str, as_json: bool) -> str:
        """What is wrong: its first word is the kind. Empty: nothing."""
        here = self.root / "here"
        shutil.rmtree(here, ignore_errors=True)
        here.mkdir()
        (here / "case.cu").write_text(text)
        command = [str(self.haloscope), "run", "case.cu", "--seconds", LIMIT] + (["--json"] if as_json else [])
        environment = {"PATH": os.environ["PATH"], "HOME": str(here), "TMPDIR": str(here), "LC_ALL": "C.UTF-8",
                       "ASAN_OPTIONS": "exitcode=99:allow_user_poisoning=0", "UBSAN_OPTIONS": "exitcode=99"}  # fmt: skip
        printed, errors = self.root / "printed", self.root / "errors"
        begun = time.monotonic()
        with printed.open("wb") as out, errors.open("wb") as err:
            process = subprocess.Popen(
                command, cwd=here, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20)),
            )  # fmt: skip
            status, memory, busy = self.wait(process.pid, begun + MOST_WAITING)
        seconds = time.monotonic() - begun
        left = self.left_behind()
        message = errors.read_bytes()[: 64 << 10].decode(errors="replace")
        if status is None:
            return f"slow: no end within {MOST_WAITING} s"
        if busy > MOST_SECONDS:
            return f"slow: {busy:.0f} s of processors"
        if status not in STATUSES:
            return f"crash: status {status} after {seconds:.1f} s: {message[-3000:]}"
        if left:
            return f"process: left behind: {', '.join(left)}"
        written = sorted(str(path.relative_to(here)) for path in here.rglob("*") if path.name != "case.cu")
        if written:
            return f"file: written: {', '.join(written)}"
        if (here / "case.cu").read_text() != text:
            return "file: the program itself is changed"
        if memory > MOST_MEMORY:
            return f"memory: {memory >> 20} MiB"
        size = printed.stat().st_size + errors.stat().st_size
        if size > MOST_PRINTED:
            return f"output: {size} bytes"
        said = printed.read_bytes().decode(errors="replace")
        if "the host process" in said + message or "terminate called" in message:
            return f"blame: {message[-500:]}{said[-500:]}"
        end = STATUSES[status]
        if as_json and said:
            try:
                end = json.loads(said)["end"]
            except (ValueError, KeyError) as error:
                return f"json: {error}"
        self.ends[end] += 1
        return ""

    @staticmethod
    def wait(process: int, until: float) -> tuple[int | None, int, float]:
        """The exit status, negative for a signal, or None after the process had to be ended; bytes and processors' seconds."""
        while time.monotonic() < until:
            ended, status, usage = os.wait4(process, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status), usage.ru_maxrss << 10, usage.ru_utime + usage.ru_stime
            time.sleep(0.005)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        return None, 0, 0

    @staticmethod
    def left_behind() -> list[str]:
        """Processes that outlive their parent by more than a moment. They are ended."""
        me = os.getpid()
        until = time.monotonic() + 3
        while True:
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                return []
            if time.monotonic() > until:
                break
            time.sleep(0.01)
        names = []
        for child in Path(f"/proc/{me}/task/{me}/children").read_text().split():
            names.append(Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:200])
            os.kill(int(child), signal.SIGKILL)
            os.waitpid(int(child), 0)
        return names


def smaller(text: str, still_wrong, until: float) -> str:
    """A program with fewer lines, then fewer tokens, that is wrong in the same way."""
    for split, join in ((lambda one: one.splitlines(keepends=True), "".join), (tokens_of, "".join)):
        parts = split(text)
        size = max(1, len(parts) // 2)
        while size >= 1:
            at = 0
            while at < len(parts):
                if time.monotonic() > until:
                    return join(parts)
                fewer = parts[:at] + parts[at + size :]
                if fewer and still_wrong(join(fewer)):
                    parts = fewer
                else:
                    at += size
            size //= 2
        text = join(parts)
    return text


def read_seeds() -> dict[str, str]:
    seeds = {}
    for folder in SEEDS:
        for path in sorted((SOURCE / folder).glob("*.cu")):
            text = path.read_text(errors="replace")
            if "main" in text:
                seeds[path.name] = text
    return seeds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("haloscope", type=Path, help="the program")
    parser.add_argument("--seconds", type=float, default=60, help="how long to go on (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of all cases (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case (default: %(default)s)")
    parser.add_argument("--found", type=Path, help="folder for the programs that break a promise; without, they are printed")
    parser.add_argument("--unchanged", action="store_true", help="run the programs as they are, once")
    parser.add_argument("programs", type=Path, nargs="*", help="run these as they are instead")
    arguments = parser.parse_args()
    runner = Runner(arguments.haloscope.resolve())
    seeds = read_seeds()
    names = sorted(seeds)
    if arguments.programs:
        cases = iter([(path.name, path.read_text(errors="replace"), False) for path in arguments.programs])
    elif arguments.unchanged:
        cases = iter([(name, seeds[name], False) for name in names])
    else:
        def changed():
            number = arguments.first
            for path in sorted((SOURCE / REGRESSIONS).glob("*.cu")):
                yield path.name, path.read_text(), False
            while True:
                chance = random.Random(f"{arguments.seed}:{number}")
                name = chance.choice(names)
                text = Mutator(chance, [seeds[one] for one in names]).changed(seeds[name])
                yield f"{arguments.seed}-{number}-{name}", text, number % 2 == 1
                number += 1

        cases = changed()
    end = time.monotonic() + arguments.seconds
    count, found = 0, []
    slowest = (0.0, "")
    for name, text, as_json in cases:
        begun = time.monotonic()
        wrong = runner.problem(text, as_json)
        slowest = max(slowest, (time.monotonic() - begun, name))
        count += 1
        if wrong:
            kind = wrong.split(":")[0]
            found.append(name)
            print(f"{name}: {wrong}", flush=True)
            if arguments.found:
                arguments.found.mkdir(parents=True, exist_ok=True)
                (arguments.found / name).write_text(text)
                if kind == "slow":  # each try would take as long
                    continue
                least = smaller(text, lambda one: runner.problem(one, as_json).startswith(kind + ":"), time.monotonic() + 120)
                (arguments.found / f"small-{name}").write_text(least)
            else:
                print(text)
        if time.monotonic() > end:
            break
    runner.close()
    ends = ", ".join(f"{number} {end}" for end, number in runner.ends.most_common())
    print(f"{count} programs ({ends}), {len(found)} broke a promise; the slowest took {slowest[0]:.1f} s ({slowest[1]})")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
