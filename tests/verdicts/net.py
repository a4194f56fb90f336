#!/usr/bin/python3
"""The net below every change of judgement: what Haloscope says of sound programs and of single mistakes planted in them.

  net.py HALOSCOPE                 all of it, compared with mutants.json: fails where a mistake that was found no longer is,
                                   where one reads as right that did not, or where a sound program is accused
  net.py HALOSCOPE --sample        one mutant of each rule, of another program each time; all with HALOSCOPE_THOROUGH set
  net.py HALOSCOPE --update        writes mutants.json with what is said today
  net.py HALOSCOPE --truth         also finds anew, without Haloscope (simulate.py; needs clang++-19), what each mutant copies
                                   back: one that copies the same as its sound program is marked as equivalent

The last lines say how many were found, by `check` alone and by `grade` with the sound program as the reference.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutants import Mutant, mutants_of

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "programs"
STORED = HERE / "mutants.json"
SOUND = """boundary_as_template_argument conv1d_checked conv1d_float4 conv2d_tiled cpu_blur_of_bytes cpu_conv2d_cached
    cpu_heat2d_all_steps cpu_heat2d_few_points_change cpu_stencil3d_registers gray_scott_structs grid_rounded_up_2d
    heat1d_ping_pong heat3d_coarsened raii_image_blur real_is_double rgba_blur_float4 rows_by_cast
    siblings_rows_and_columns template_order_3d wave2d_three_arrays""".split()
SLOW = """boundary_as_template_argument conv1d_float4 conv2d_tiled cpu_blur_of_bytes cpu_heat2d_all_steps
    cpu_heat2d_few_points_change raii_image_blur rgba_blur_float4""".split()  # ten seconds each; not sampled if others do
MOST = 1  # of each rule in a program
NEAR = 3  # lines
SECONDS = 120
SAME = "the same"


def check(haloscope: Path, text: str, line: int) -> str:
    """found near, found, refused, right (compared with something, nothing found) or unjudged."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.cu"
        file.write_text(text)
        done = subprocess.run([haloscope, "check", file, "--json"], capture_output=True, text=True, timeout=SECONDS)
    try:
        kernels = json.loads(done.stdout)
    except json.JSONDecodeError:
        return "refused"
    lines = [finding["line"] for kernel in kernels for finding in kernel.get("findings", [])]
    for fault in (fault for kernel in kernels for fault in kernel.get("host_faults", [])):
        place = re.match(r".*?:(\d+): ", fault)
        lines.append(int(place[1]) if place else -NEAR - 1)
    if lines or any(kernel.get("matches_reference") is False for kernel in kernels):
        return "found near" if any(abs(at - line) <= NEAR for at in lines) else "found"
    if not kernels or done.returncode == 2 or not all("findings" in kernel for kernel in kernels):
        return "refused"
    return "right" if all(kernel["verdict"]["kind"] == "right" for kernel in kernels) else "unjudged"


def graded(haloscope: Path, texts: dict[str, str], reference: Path) -> dict[str, str]:
    """The verdict of each text, as a hand-in for which `reference` is the teacher's."""
    with tempfile.TemporaryDirectory() as folder:
        hand_ins = Path(folder) / "hand-ins"
        hand_ins.mkdir()
        for name, text in texts.items():
            (hand_ins / f"{name}.cu").write_text(text)
        command = [haloscope, "grade", hand_ins, "--reference", reference, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS * len(texts))
        return {row["hand_in"].removesuffix(".cu"): row["verdict"] for row in json.loads(done.stdout)["hand_ins"]}


def key(program: str, mutant: Mutant) -> str:
    return f"{program}:{mutant.line} {mutant.rule}: {mutant.now}"


def weaker(before: str, now: str) -> bool:
    """Whether something that was said of a mistake is not said any more."""
    if before.startswith("found"):
        return not now.startswith("found")
    return now == "right" and before != "right"


def one_of_each_rule(mutants: list[tuple[str, Mutant]]) -> list[tuple[str, Mutant]]:
    """The first of the next program that has one which is wrong and was found."""
    stored = json.loads(STORED.read_text())
    counted = [one for one in mutants if (said := stored.get(key(*one))) and said["copies"] != SAME and said["check"] != "right"]
    some: list[tuple[str, Mutant]] = []
    for rule in dict.fromkeys(mutant.rule for _, mutant in mutants):
        of_it = [one for one in counted if one[1].rule == rule] or [one for one in mutants if one[1].rule == rule]
        used = [program for program, _ in some]
        some.append(min(of_it, key=lambda one: used.count(one[0]) + 9 * (one[0] in SLOW)))
    return [one for one in mutants if one in some]


def summary(of: list[dict]) -> str:
    wrong = [one for one in of if one["copies"] != SAME]
    caught = [one for one in wrong if one["check"].startswith("found")]
    near = [one for one in caught if one["check"] == "found near"]
    right = [one for one in wrong if one["check"] == "right"]
    with_reference = [one for one in wrong if one["grade"] not in ("passed", "not-compared")]
    passed = [one for one in wrong if one["grade"] == "passed"]

    def share(part: list[dict], whole: list[dict]) -> str:
        return f"{len(part)} of {len(whole)} ({100 * len(part) / max(1, len(whole)):.1f} %)"

    return (
        f"{len(of)} mutants, {len(of) - len(wrong)} of them equivalent\n"
        f"check finds {share(caught, wrong)}, within {NEAR} lines {share(near, caught)}; {len(right)} read as right\n"
        f"grade finds {share(with_reference, wrong)}; {len(passed)} pass"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("haloscope", type=Path)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--truth", action="store_true")
    options = parser.parse_args()
    sampled = options.sample and not os.environ.get("HALOSCOPE_THOROUGH")
    haloscope = options.haloscope.resolve()
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}

    texts = {program: (PROGRAMS / f"{program}.cu").read_text() for program in SOUND}
    every_mutant = [(program, mutant) for program in SOUND for mutant in mutants_of(texts[program], MOST)]
    all_mutants = one_of_each_rule(every_mutant) if sampled else every_mutant
    if len(all_mutants) < len(every_mutant):  # for app/cmake/run_tests.py
        print(f"[ SAMPLED  ] {len(all_mutants)} of {len(every_mutant)} mutants")
    programs = list(dict.fromkeys(program for program, _ in all_mutants))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        if options.truth:
            from simulate import Simulator

            simulator = Simulator()
            sound = dict(zip(programs, pool.map(lambda one: simulator.outcome(texts[one]), programs)))
            copied = pool.map(lambda one: simulator.outcome(one[1].text), all_mutants)
            copies = [SAME if now == sound[program] else now for (program, _), now in zip(all_mutants, copied)]
            copies = ["something else" if len(one) == 16 and " " not in one else one for one in copies]
        else:
            copies = [stored.get(key(*one), {}).get("copies", "") for one in all_mutants]
        accused = [
            program
            for program, said in zip(programs, pool.map(lambda one: check(haloscope, texts[one], 0), programs))
            if said.startswith("found") or said == "refused"
        ]
        said = list(pool.map(lambda one: check(haloscope, one[1].text, one[1].line), all_mutants))
    grades: dict[str, str] = {}
    for program in programs:
        of = {f"{program}-{i}": one[1].text for i, one in enumerate(all_mutants) if one[0] == program}
        own = {f"{program}-sound": texts[program]}
        verdicts = graded(haloscope, {**of, **own}, PROGRAMS / f"{program}.cu")
        if verdicts[f"{program}-sound"] != "passed":
            print(f"{program}: as its own reference: {verdicts[f'{program}-sound']}")
        grades |= verdicts

    now = {
        key(program, mutant): {"copies": copies[i], "check": said[i], "grade": grades[f"{program}-{i}"]}
        for i, (program, mutant) in enumerate(all_mutants)
    }
    failures = [f"{program}: a sound program is accused" for program in accused]
    for name, one in now.items():
        before = stored.get(name)
        if one["copies"] == SAME or before is None:
            continue
        if weaker(before["check"], one["check"]):
            failures.append(f"{name}\n    check: was {before['check']}, is {one['check']}")
        if one["grade"] == "passed" and before["grade"] != "passed":
            failures.append(f"{name}\n    grade: was {before['grade']}, is passed")
    for failure in failures:
        print(failure)
    print(summary(list(now.values())))
    if options.update or options.truth:
        STORED.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n")
    missing = [name for name in now if name not in stored]
    if missing and not (options.update or options.truth):
        print(f"not in {STORED.name}: {len(missing)} mutants, the first {missing[0]}; run with --update")
    return 1 if failures or (missing and not (options.update or options.truth)) else 0


if __name__ == "__main__":
    sys.exit(main())
