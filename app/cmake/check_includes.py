#!/usr/bin/python3
"""Check that every #include in app/ and ui/ follows the arrows between the folders.

Each folder is a CMake target, and its haloscope_library() names the folders it may use: LINK in headers and sources,
LINK_PRIVATE in sources only, both with what those LINK in turn. Reports includes that are not allowed and circles between
folders. --graph prints what each folder links instead.
"""

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = re.compile(r"\bhaloscope_library\(\s*(\w+)([^)]*)\)")
EXECUTABLE = re.compile(r"\badd_executable\(\s*(\w+)\s+([^)]*)\)")
LINKED = re.compile(r"\btarget_link_libraries\(\s*(\w+)\s+PRIVATE\s+([^)]*)\)")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


@dataclass
class Target:
    """What a folder's sources are compiled into. `public` and `private`: names of the folders' targets it links."""

    name: str
    lists: Path  # its CMakeLists.txt
    files: list[Path]
    public: list[str] = field(default_factory=list)
    private: list[str] = field(default_factory=list)


def read_targets() -> dict[str, Target]:
    targets: dict[str, Target] = {}
    for lists in sorted([*ROOT.glob("app/**/CMakeLists.txt"), *ROOT.glob("ui/**/CMakeLists.txt")]):
        text = re.sub(r"#.*", "", lists.read_text())
        folder = lists.parent
        for name, arguments in LIBRARY.findall(text):
            parts: dict[str, list[str]] = {"": []}
            for word in arguments.split():
                if word in ("EXCEPT", "LINK", "LINK_PRIVATE"):
                    section = parts.setdefault(word, [])
                else:
                    section.append(word)
            files = [file for file in sorted(folder.iterdir()) if file.suffix in (".cpp", ".h")]
            files = [file for file in files if file.name not in parts.get("EXCEPT", [])]
            targets[name] = Target(name, lists, files, parts.get("LINK", []), parts.get("LINK_PRIVATE", []))
        for name, sources in EXECUTABLE.findall(text):
            targets[name] = Target(name, lists, [folder / source for source in sources.split()])
        for name, linked in LINKED.findall(text):
            if name in targets:
                targets[name].private += linked.split()
    for target in targets.values():
        target.public = [name for name in target.public if name in targets]
        target.private = [name for name in target.private if name in targets]
    return targets


def closure(targets: dict[str, Target], names: list[str]) -> set[str]:
    """`names` and what they link in public."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += targets[name].public
    return found


def circle(targets: dict[str, Target]) -> list[str]:
    """The names along a circle of links, the first one again at the end; empty if there is none."""
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        for following in targets[name].public + targets[name].private:
            if found := visit(following, [*path, name]):
                return found
        done.add(name)
        return []

    for name in targets:
        if found := visit(name, []):
            return found
    return []


def folder_of(target: Target) -> str:
    return str(target.lists.parent.relative_to(ROOT))


def check(targets: dict[str, Target]) -> list[str]:
    owner = {file: target for target in targets.values() for file in target.files}
    problems = []
    for target in targets.values():
        allowed = {".h": closure(targets, target.public), ".cpp": closure(targets, target.public + target.private)}
        for file in target.files:
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                candidates = [file.parent / match[1], ROOT / "app" / match[1], ROOT / match[1]]
                included = next((owner[path] for path in candidates if path in owner), target)
                if included is not target and included.name not in allowed[file.suffix]:
                    problems.append(
                        f"{file.relative_to(ROOT)}:{number}: includes {match[1]} of {folder_of(included)}, "
                        f"which {folder_of(target)} may not use{' in a header' if file.suffix == '.h' else ''}"
                    )
    if found := circle(targets):
        problems.append("circle: " + " -> ".join(folder_of(targets[name]) for name in found))
    return problems


def main() -> int:
    targets = read_targets()
    if "--graph" in sys.argv[1:]:
        for target in targets.values():
            links = [folder_of(targets[name]) for name in target.public]
            links += [f"({folder_of(targets[name])})" for name in target.private]
            print(f"{folder_of(target)} -> {' '.join(links) or 'nothing'}")
        return 0
    problems = check(targets)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
