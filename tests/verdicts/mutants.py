"""Single mistakes planted in sound programs: the mistakes of PMPP's exercises and of public bug reports, one at a time."""

import re
from dataclasses import dataclass
from typing import Iterator


@dataclass(frozen=True)
class Mutant:
    rule: str
    line: int  # from 1
    text: str  # the whole program
    now: str  # the line as it is now


def kernel_lines(text: str) -> set[int]:
    """The lines of bodies of __global__ and __device__ functions, from 0."""
    lines: set[int] = set()
    for found in re.finditer(r"__(?:global|device)__[^;{=]*\)\s*(?:const\s*)?\{", text):
        depth, at = 1, found.end()
        while depth > 0 and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        lines.update(range(text.count("\n", 0, found.end()), text.count("\n", 0, at) + 1))
    return lines


DECLARATION = re.compile(r"^\s*(?:(?:const|static|unsigned|volatile|__shared__|__constant__)\s+)*\w+\s+\w+(?:\[[^\]]*\])+\s*(?:[;,=]|$)")
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
AXIS = {"x": "y", "y": "x", "z": "x"}


def replaced(line: str, found: re.Match, by: str) -> str:
    return line[: found.start()] + by + line[found.end() :]


def in_kernel(line: str) -> Iterator[tuple[str, str]]:
    """Rule and changed line, for each mistake that this line of a kernel can have."""
    if re.search(r"\b(if|for|while|return)\b|&&|\?", line):
        for found in re.finditer(r" (<=|>=|<|>) ", line):
            yield "guard", replaced(line, found, f" {OTHER[found[1]]} ")
    if not DECLARATION.match(line):
        for found in re.finditer(r"\[([^\[\]]+)\]", line):
            yield "index + 1", replaced(line, found, f"[{found[1]} + 1]")
            yield "index - 1", replaced(line, found, f"[{found[1]} - 1]")
        for found in re.finditer(r" \+ (?:[\w.]+ \* )?\w+(?:\[[^\[\]]*\])+(?= [+-]|\)|;)", line):
            yield "missing term", replaced(line, found, "")
        for found in re.finditer(r"(?<=[\w\])]) - (?=1\b|\w+ \* \w+\])", line):
            yield "opposite neighbour", replaced(line, found, " + ")
    for found in re.finditer(r"(threadIdx|blockIdx|blockDim)\.([xyz])", line):
        yield "axis", replaced(line, found, f"{found[1]}.{AXIS[found[2]]}")
    for found in re.finditer(r"(?<![\w.])(\d+\.\d*f?)(?![\w.])", line):
        if float(found[1].rstrip("f")) != 0:
            yield "coefficient", replaced(line, found, f"(2 * {found[1]})")
    if re.match(r"^\s*__syncthreads\(\);\s*$", line):
        yield "no barrier", re.sub(r"__syncthreads\(\);", "", line)


def in_host(line: str) -> Iterator[tuple[str, str]]:
    for found in re.finditer(r" \* sizeof\((?:float|double|int)\)|sizeof\((?:float|double|int)\) \* ", line):
        yield "elements for bytes", replaced(line, found, "")
    for found in re.finditer(r"\((\w+) \+ (\w+) - 1\) / \2\b", line):
        yield "floor for ceiling", replaced(line, found, f"{found[1]} / {found[2]}")
    if re.match(r"^\s*cudaMemcpy(ToSymbol)?\(.*\);\s*$", line):
        yield "missing copy", ""
    for found in re.finditer(r"(?<=>>>\()(\w+), (\w+)(?=[,)])", line):
        yield "arguments exchanged", replaced(line, found, f"{found[2]}, {found[1]}")
    for found in re.finditer(r"std::swap\(\w+, \w+\);", line):
        yield "no rotation", replaced(line, found, "")


ASSIGNMENT = re.compile(r"^\s*(\w+(?:\[[^\]]*\])?) = (\w+(?:\[[^\]]*\])?);\s*$")


def mutants_of(text: str, most: int) -> list[Mutant]:
    """At most `most` of each rule, spread over the program."""
    lines = text.split("\n")
    kernel = kernel_lines(text)
    by_rule: dict[str, list[Mutant]] = {}

    def add(rule: str, at: int, changed: list[str]) -> None:
        by_rule.setdefault(rule, []).append(Mutant(rule, at + 1, "\n".join(changed), changed[at].strip()))

    for at, line in enumerate(lines):
        if line.lstrip().startswith("//"):
            continue
        for rule, now in in_kernel(line) if at in kernel else in_host(line):
            add(rule, at, lines[:at] + [now] + lines[at + 1 :])
        following = lines[at + 1] if at + 1 < len(lines) else ""
        first, second = ASSIGNMENT.match(line), ASSIGNMENT.match(following)
        if at in kernel and first and second and (first[1] == second[2] or first[2] == second[1]):
            add("rotation in another order", at, lines[:at] + [following, line] + lines[at + 2 :])
        if at in kernel and line.strip() == "__syncthreads();" and following.strip() not in ("", "}"):
            add("barrier one line later", at, lines[:at] + [following, line] + lines[at + 2 :])
    chosen: list[Mutant] = []
    for mutants in by_rule.values():
        step = max(1, -(-len(mutants) // most))
        chosen += mutants[::step]
    return sorted(chosen, key=lambda one: (one.line, one.rule))
