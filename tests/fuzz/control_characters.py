#!/usr/bin/python3
"""Send one string of all control characters through every text that haloscope gets from outside, to every place where it
shows one, and report where such a character comes out, or where the string does not.

The string has the control characters of ASCII and Latin-1, the marks that turn the direction of text, the separators of
lines and paragraphs, and bytes that are no UTF-8. What is printed may have line breaks and tabs, nothing else of them;
and no line break or tab that comes from a name.
"""

import argparse
import csv
import io
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

SECONDS = 120  # on a busy machine

INVISIBLE = [*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x2070)]
NO_UTF8 = b"\xff\xc3\x9b\xed\xa0\x80"
# In the middle, so that a name ends as it should.
CONTROLS = "".join(chr(code) for code in INVISIBLE if code != 0).encode()
WHOLE = b"mark " + CONTROLS + NO_UTF8 + b" end"
UTF8 = b"mark " + CONTROLS + b" end"  # for formats that are UTF-8
# Within a literal of C++, where a line cannot end.
LITERAL = b"mark " + CONTROLS.replace(b"\n", b"").replace(b"\r", b"") + NO_UTF8 + b" end"


def visible(text: bytes, lines: bool = False) -> str:
    """What is printed of a text, on one line or on several."""
    if lines:
        text = text.replace(b"\r\n", b"\n")
    shown, at = [], 0
    while at < len(text):
        for length in range(1, 5):
            part = text[at : at + length]
            try:
                character = part.decode()
                break
            except UnicodeDecodeError:
                continue
        else:
            part, character = text[at : at + 1], "\0"
        if lines and character in "\n\t":
            shown.append(character)
        elif character == "\n":
            shown.append("\\n")
        elif ord(character) in INVISIBLE:
            shown.extend(f"\\x{byte:02x}" for byte in part)
        else:
            shown.append(character)
        at += len(part)
    return "".join(shown)


def octal(text: bytes) -> str:
    """The inside of a literal of C++."""
    return "".join(f"\\{byte:03o}" for byte in text)


def quoted(text: bytes) -> bytes:
    """A scalar of YAML."""
    return json.dumps(text.decode()).encode()


@dataclass
class Case:
    """`files` by name; `expected`: what must be printed; `written`: texts that must be in a file."""

    name: str
    files: dict[bytes, bytes]
    arguments: list[bytes]
    expected: list[str] = field(default_factory=list)
    environment: dict[bytes, bytes] = field(default_factory=dict)
    forbidden: list[str] = field(default_factory=list)
    written: dict[bytes, list[str]] = field(default_factory=dict)
    drawn: dict[bytes, list[str]] = field(default_factory=dict)  # the same, of what needs OpenGL
    parsed: Callable[[object], str] | None = None  # of JSON: what is wrong with it
    is_csv: bool = False
    link: bytes = b""  # the program is started under this name


# By a word of the texts that need them: to read one of C++'s takes longer than all else that a case does.
HEADERS = {"cassert": "assert", "cstdio": "", "fstream": "std::", "iostream": "std::c", "stdexcept": "_error", "unistd.h": "write("}


def program(body: str, before: str = "", kernel: str = "out[threadIdx.x] = in[threadIdx.x];") -> bytes:
    needed = [f"#include <{name}>" if word in before + body + kernel else "" for name, word in HEADERS.items()]
    includes = "\n".join(needed)
    return f"""{includes}
{before}
__global__ void copy(const float* in, float* out) {{ {kernel} }}
int main() {{
  float host[32] = {{1}}, *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  copy<<<1, 32>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  {body}
}}
""".encode()


VARIANT = b"""/* haloscope
title: TEXT
book: TEXT
idea: TEXT
sizes:
  N: {default: 32, min: 1, max: 1024, meaning: TEXT}
arrays:
  in: {shape: [N]}
  out: {shape: [N]}
launch:
  grid: [ceil(N / 32), 1, 1]
  block: [32, 1, 1]
*/
__global__ void twice(const float* in, float* out, int N) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < N) out[i] = 2 * in[i];
}
"""


def output_is(text: bytes) -> Callable[[object], str]:
    def check(document) -> str:
        wanted = text.decode(errors="replace")
        return "" if document["output"] == wanted else f"output: {document['output']!r}, not {wanted!r}"

    return check


def has_no_forged_place(document) -> str:
    return "a forged place" if "passwd" in json.dumps(document) else ""


def cases() -> list[Case]:
    found: list[Case] = []

    def add(name, files, arguments, expected, **more):
        found.append(Case(name, files, arguments, expected, **more))

    plain = {b"a.cu": program("")}
    long, line = visible(WHOLE, lines=True), visible(WHOLE)

    # A program's own output: line breaks and tabs stay.
    zero = WHOLE + b"\0"
    for name, statement in {
        "printf": f'printf("%s", "{octal(WHOLE)}");',
        "cout": f'std::cout << "{octal(WHOLE)}";',
        "cerr": f'std::cerr << "{octal(WHOLE)}";',
        "write": f'write(1, "{octal(zero)}", {len(zero)});',
    }.items():
        files = {b"a.cu": program(statement)}
        text = zero if name == "write" else WHOLE
        add(f"{name}", files, [b"run", b"a.cu"], [visible(text, lines=True)])
        add(f"{name} as JSON", files, [b"run", b"a.cu", b"--json"], [], parsed=output_is(text))

    # What a program says otherwise.
    thrown = {b"a.cu": program(f'throw std::runtime_error("{octal(WHOLE)}");')}
    refused = {b"a.cu": program(f'std::ifstream file("{octal(WHOLE)}"); std::ofstream other("{octal(WHOLE)}");')}
    add("exception", thrown, [b"run", b"a.cu"], [line])
    add("exception, checked", thrown, [b"check", b"a.cu"], [])
    add("refused file", refused, [b"run", b"a.cu"], [line])
    add("refused file as JSON", refused, [b"run", b"a.cu", b"--json"], [],
        parsed=lambda all: "" if WHOLE.decode(errors="replace") in [one["name"] for one in all["refused_files"]] else "no name")  # fmt: skip
    asserts = {b"a.cu": program("", kernel="assert(threadIdx.x > 99 && \"TEXT\");").replace(b"TEXT", LITERAL)}
    add("assertion of a kernel", asserts, [b"run", b"a.cu"], [visible(LITERAL)])
    add("assertion of a kernel, checked", asserts, [b"check", b"a.cu"], [visible(LITERAL)])
    add("assertion of a kernel, checked, as JSON", asserts, [b"check", b"a.cu", b"--json"], [])
    add("assertion of the host", {b"a.cu": program('assert(host[0] > 99 && "TEXT");').replace(b"TEXT", LITERAL)},
        [b"run", b"a.cu"], [visible(LITERAL, lines=True)])  # fmt: skip
    for name, text in {
        "#error": b"#error " + LITERAL + b"\n",
        "static_assert": b'static_assert(false, "' + LITERAL + b'");\n',
        "header": b'#include "' + LITERAL.replace(b'"', b"") + b'.h"\n',
    }.items():
        files = {b"a.cu": text + program("")}
        for command in [b"run", b"check", b"count"]:
            add(f"{name}, {command.decode()}", files, [command, b"a.cu"], ["mark "])
            add(f"{name}, {command.decode()} as JSON", files, [command, b"a.cu", b"--json"], [])

    # Places are those of the real text.
    for directive in [b"#line 1 \"/etc/passwd\"\n", b"# 1 \"/etc/passwd\" 1\n", b"#line 7 \"" + LITERAL + b"\"\n"]:
        kind = directive.split()[0].decode() + " " + str(len(directive))
        forged = {
            b"a.cu": b"// first\n" + program("cudaFree(in); throw 1;").replace(b"int main", directive + b"int main"),
            b"b.cu": program("int x = missing;").replace(b"int main", directive + b"int main"),
            b"c.cu": directive + program("", kernel="out[threadIdx.x + 32] = 1;"),
        }
        forbidden = ["passwd", "mark"]
        add(f"{kind}", forged, [b"run", b"a.cu"], ["a.cu:20: freed-twice", "a.cu:20: Nothing catches"], forbidden=forbidden)
        add(f"{kind}, as JSON", forged, [b"run", b"a.cu", b"--json"], [], parsed=has_no_forged_place)
        add(f"{kind}, rejected", forged, [b"run", b"b.cu"], ["b.cu:19:"], forbidden=forbidden)
        add(f"{kind}, of a kernel", forged, [b"check", b"c.cu"], ["c.cu:9:"], forbidden=forbidden)

    # Names of files and folders.
    name = WHOLE.replace(b"/", b"") + b".cu"
    for command, *more in [
        [b"run"], [b"check"], [b"count"], [b"verify"], [b"lower"], [b"ask", b"threads"], [b"trace", b"--output-cell", b"1"],
        [b"compare", b"convolution/1d_basic"], [b"export", b"--html", b"a.html"], [b"render", b"-o", b"a.png"],
    ]:  # fmt: skip
        there = {name: program("cudaFree(in);")}
        # What has been written is not talked about.
        add(f"file, {command.decode()}", there, [command, name, *more], [line] if command not in (b"export", b"render", b"ask", b"trace") else [])
        add(f"missing file, {command.decode()}", {}, [command, name, *more], [visible(name)])
    for command in [b"run", b"check", b"count"]:
        add(f"file, {command.decode()} as JSON", {name: program("cudaFree(in);")}, [command, name, b"--json"], [])
        add(f"rejected file, {command.decode()}", {name: b"int x = ;\n"}, [command, name], [visible(name)])
    header = WHOLE + b".h"
    add("folder", {WHOLE + b"/a.cu": program("cudaFree(in);")}, [b"run", WHOLE], [visible(WHOLE)])
    add("folder, checked", {WHOLE + b"/a.cu": program("cudaFree(in);")}, [b"check", WHOLE], [visible(WHOLE)])
    add("header's name", {b"a.cu": b'#include "' + LITERAL + b'.h"\n' + program(""), LITERAL + b".h": b"int x = ;\n"},
        [b"run", b"a.cu"], [visible(LITERAL + b".h")])  # fmt: skip
    add("header that nothing includes", {**plain, header: b""}, [b"check", b"a.cu"], [])

    # Arguments.
    for given in [[b"--" + WHOLE], [WHOLE], [b"check", b"a.cu", b"--" + WHOLE], [b"list", WHOLE], [b"check"]]:
        add(f"arguments {len(found)}", plain, given, [line] if len(given) != 1 or given[0] != b"check" else [])
    for option in [b"--kernel", b"--define", b"--bind", b"--launch", b"--shared", b"--data", b"--file", b"--size", b"--blocks",
                   b"--reference"]:  # fmt: skip
        add(f"{option.decode()}", plain, [b"check", b"a.cu", option, WHOLE], [])
        add(f"{option.decode()} NAME=", plain, [b"check", b"a.cu", option, b"in=" + WHOLE], [])
        add(f"{option.decode()} =VALUE", plain, [b"check", b"a.cu", option, WHOLE + b"=1"], [])
    add("--language", plain, [b"--language", WHOLE], [line])
    add("--kernels", {}, [b"--kernels", WHOLE, b"list"], [line])
    add("program's argument", {b"a.cu": program("puts(argv[1]);").replace(b"main()", b"main(int, char** argv)")},
        [b"run", b"a.cu", b"--", WHOLE], [long])  # fmt: skip
    add("name of the program", {}, [b"--help"], ["Usage: "], link=WHOLE)
    add("name of the program, wrong option", {}, [b"--none"], ["--none"], link=WHOLE)
    for variable in [b"HOME", b"XDG_CACHE_HOME", b"XDG_CONFIG_HOME", b"LANG", b"LANGUAGE", b"TMPDIR", b"SOURCE_DATE_EPOCH"]:
        add(f"${variable.decode()}", plain, [b"check", b"a.cu"], ["a.cu"], environment={variable: b"/" + WHOLE})
    add("$SOURCE_DATE_EPOCH, exported", plain, [b"export", b"a.cu", b"--html", b"a.html"], [], environment={b"SOURCE_DATE_EPOCH": WHOLE})

    # Files of numbers, sessions, headers of variants.
    npy = b"{'descr': '" + LITERAL + b"', 'fortran_order': False, 'shape': (4,), }\n"
    npy = b"\x93NUMPY\x01\x00" + len(npy).to_bytes(2, "little") + npy + bytes(16)
    add(".npy", {b"a.npy": npy, **plain}, [b"count", b"convolution/1d_basic", b"--data", b"in=@a.npy"], [visible(LITERAL)])
    add(".npy's name", {WHOLE + b".npy": npy}, [b"count", b"convolution/1d_basic", b"--data", b"in=@" + WHOLE + b".npy"],
        [visible(WHOLE + b".npy")])  # fmt: skip
    add(".csv", {b"a.csv": b"1,2," + WHOLE}, [b"count", b"convolution/1d_basic", b"--data", b"in=@a.csv"], ["mark "])
    add("picture", {WHOLE + b".png": b"\x89PNG" + WHOLE}, [b"count", b"convolution/1d_basic", b"--data", b"in=@" + WHOLE + b".png"],
        [visible(WHOLE + b".png")])  # fmt: skip
    session = b"haloscope session: 1\nscenes:\n  - title: " + quoted(UTF8) + b"\n    note: " + quoted(UTF8) + b"\n    kernel: convolution/1d_basic\n"
    text = visible(UTF8)
    add("session", {b"a.halo": session}, [b"session", b"a.halo"], [text])
    add("session as JSON", {b"a.halo": session}, [b"session", b"a.halo", b"--json"], [],
        parsed=lambda all: "" if UTF8.decode() in json.dumps(all, ensure_ascii=False) or
        any(scene["title"] == UTF8.decode() for scene in all["scenes"]) else "no title")  # fmt: skip
    add("session's kernel", {b"a.halo": session.replace(b"convolution/1d_basic", quoted(UTF8))}, [b"session", b"a.halo"], [text])
    add("session's key", {b"a.halo": session + b"    " + quoted(UTF8) + b": 1\n"}, [b"session", b"a.halo"], [text])
    add("session that is none", {b"a.halo": WHOLE}, [b"session", b"a.halo"], [])
    add("session's name", {WHOLE + b".halo": b"scenes: 1\n"}, [b"session", WHOLE + b".halo"], [visible(WHOLE + b".halo")])
    own = b"texts:\n  a:\n    file: NAME\n    source: |\n      __global__ void k(float* a) { a[0] = 1; }\n"
    own = session.replace(b"convolution/1d_basic", b"'@a'").replace(b"scenes:", own + b"scenes:")
    add("session's file", {b"a.halo": own.replace(b"NAME", quoted(UTF8 + b".cu"))}, [b"session", b"a.halo", b"--check"], [visible(UTF8 + b".cu")])
    variants = {b"kernels/own/one.cu": VARIANT.replace(b"TEXT", quoted(UTF8))}
    add("variants", variants, [b"--kernels", b"kernels", b"list"], [text])
    add("variants as JSON", variants, [b"--kernels", b"kernels", b"list", b"--json"], [])
    add("variant", variants, [b"--kernels", b"kernels", b"count", b"own/one"], [text])
    add("variant's file", {b"kernels/own/" + name: VARIANT}, [b"--kernels", b"kernels", b"list"], [visible(WHOLE)])
    add("variant's key", {b"kernels/own/one.cu": VARIANT.replace(b"title", quoted(UTF8))}, [b"--kernels", b"kernels", b"list"], [text])

    # Pages, tables, worksheets.
    kernel = {b"a.cu": program("", kernel='/* TEXT */ out[threadIdx.x] = in[threadIdx.x];').replace(b"TEXT", LITERAL)}
    add("page", kernel, [b"export", b"a.cu", b"--html", b"page.html"], [], written={b"page.html": [visible(LITERAL).replace("\\x09", "\t")]})
    add("page of a session", {b"a.halo": session}, [b"export", b"a.halo", b"--html", b"page.html", b"--notes"], [], written={b"page.html": [visible(UTF8, lines=True)]})
    add("worksheet", kernel, [b"export", b"a.cu", b"--pdf", b"sheet.pdf"], [], written={b"sheet.pdf": []})
    add("picture of the source", kernel, [b"export", b"a.cu", b"--panel", b"Source", b"-o", b"a.svg"], [], drawn={b"a.svg": ["mark"]})
    add("page's name", kernel, [b"export", b"a.cu", b"--html", b"missing/" + WHOLE], [])
    hand_ins = {
        b"hand-ins/" + name: program(""),
        b"hand-ins/ada.cu": asserts[b"a.cu"],
        b"hand-ins/bob.cu": program("int x = missing;"),
        b"hand-ins/" + WHOLE + b"/a.cu": program(""),
        b"reference.cu": program(""),
    }
    rows = ["mark \\x01\\x02", "ada", "bob"]
    add("hand-ins", hand_ins, [b"grade", b"hand-ins", b"--html", b"report.html"], rows, written={b"report.html": [visible(name)]})
    add("hand-ins as CSV", hand_ins, [b"grade", b"hand-ins", b"--csv"], [visible(name)], is_csv=True)
    add("hand-ins as JSON", hand_ins, [b"grade", b"hand-ins", b"--json"], [])
    add("folder of hand-ins", {WHOLE + b"/ada.cu": program("")}, [b"grade", WHOLE], ["ada"])
    add("reference", {**hand_ins, name: program("")}, [b"grade", b"hand-ins", b"--reference", name], rows)
    add("missing reference", hand_ins, [b"grade", b"hand-ins", b"--reference", b"missing" + name], [visible(name)])
    add("results", hand_ins, [b"grade", b"hand-ins", b"--results", WHOLE], [visible(WHOLE)])
    return found


class Runner:
    def __init__(self, haloscope: Path):
        self.haloscope = haloscope.resolve()
        self.root = Path(tempfile.mkdtemp(prefix="haloscope-controls-"))

    def close(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def problems(self, case: Case) -> list[str]:
        here = os.fsencode(tempfile.mkdtemp(dir=self.root))
        for name, text in case.files.items():
            path = here + b"/" + name
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(text)
        program = os.fsencode(self.haloscope)
        if case.link:
            # The program finds its files beside itself, not beside the link.
            os.symlink(program, here + b"/" + case.link)
            program = here + b"/" + case.link
        environment = {b"PATH": os.environb[b"PATH"], b"HOME": here, b"LC_ALL": b"C.UTF-8", **case.environment}
        if b"LANG" in case.environment or b"LANGUAGE" in case.environment:
            del environment[b"LC_ALL"]
        try:
            ended = subprocess.run(
                [program, *case.arguments], cwd=here, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20)),
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return [f"no end within {SECONDS} s"]
        found = [] if ended.returncode in (0, 1, 2, 3) else [f"status {ended.returncode}"]
        out = ended.stdout.replace(b"\r\n", b"\n") if case.is_csv else ended.stdout
        found += [f"standard output: {one}" for one in self.leaks(out)] + [f"standard error: {one}" for one in self.leaks(ended.stderr)]
        said = (out + ended.stderr).decode(errors="replace")
        found += [f"not printed: {text}" for text in case.expected if text not in said]
        found += [f"printed: {text}" for text in case.forbidden if text in said]
        if b"--json" in case.arguments and ended.stdout:
            try:
                document = json.loads(ended.stdout)
                if case.parsed and (wrong := case.parsed(document)):
                    found.append(wrong)
            except (ValueError, KeyError, TypeError) as error:
                found.append(f"JSON: {error!r}")
        elif case.parsed:
            found.append("no JSON")
        if case.is_csv and len({len(row) for row in csv.reader(io.StringIO(out.decode(errors="replace")))}) > 1:
            found.append("rows of different lengths")
        needs_opengl = ended.returncode == 3 and case.drawn
        for name, texts in {**case.written, **({} if needs_opengl else case.drawn)}.items():
            try:
                content = open(here + b"/" + name, "rb").read()
            except OSError as error:
                found.append(f"{error}: {said[-500:]}")
                continue
            if not name.endswith(b".pdf"):
                found += [f"{name.decode()}: {one}" for one in self.leaks(content)]
            found += [f"{name.decode()} lacks {text}" for text in texts if text not in content.decode(errors="replace")]
        return found + self.names_written(here, case)

    @staticmethod
    def leaks(printed: bytes) -> list[str]:
        found = []
        try:
            text = printed.decode()
        except UnicodeDecodeError as error:
            found.append(f"no UTF-8 at {error.start}: {printed[max(0, error.start - 40) : error.start + 20]!r}")
            text = printed.decode(errors="replace")
        for at, character in enumerate(text):
            if ord(character) in INVISIBLE and character not in "\n\t":
                found.append(f"U+{ord(character):04X} at {at}: {text[max(0, at - 60) : at + 20]!r}")
                break
        return found

    @staticmethod
    def names_written(here: bytes, case: Case) -> list[str]:
        """No file gets such a name, unless that of a file or a folder that was given goes on: `NAME.graded`."""
        paths = [*case.files, *case.arguments, *case.environment.values(), case.link]
        given = tuple(part for path in paths for part in path.split(b"/") if Runner.leaks(part))
        found = []
        for folder, folders, files in os.walk(here):
            found += [f"written: {name!r}" for name in folders + files if Runner.leaks(name) and not name.startswith(given)]
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("haloscope", type=Path)
    parser.add_argument("--only", default="", help="cases whose names have this")
    arguments = parser.parse_args()
    runner = Runner(arguments.haloscope)
    all_cases = [case for case in cases() if arguments.only in case.name]
    failures = 0
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for case, found in zip(all_cases, pool.map(runner.problems, all_cases)):
                if found:
                    failures += 1
                    print(f"{case.name}:", *[f"  {one}" for one in found], sep="\n", flush=True)
    finally:
        runner.close()
    print(f"{len(all_cases) - failures} of {len(all_cases)} cases print nothing but what can be seen")
    return 1 if failures or not all_cases else 0


if __name__ == "__main__":
    sys.exit(main())
