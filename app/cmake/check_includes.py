#!/usr/bin/python3
"""Check that every #include in app/, ui/ and tests/ goes down the drawings of the rooms.

A room is a folder with a CMake target; the rooms of a folder of app/ are a library. A room's LINK names what it may
include, LINK_PRIVATE what it may include except in headers that other rooms include, both with what those LINK in turn.
These lists cannot grant themselves anything: the drawings in app/README.md and on the libraries' pages say which room may
link which, and the tables below which rooms stay apart and who may include a third-party library's headers. Also
reports includes that are not found, links that nothing needs, and what is printed otherwise than through
app/core/text/Print.h. --graph prints each folder's links instead.
"""

import argparse
import fnmatch
import re
import sys
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

# Folders that must not reach others, not even through the folders that they link. * is any text, ! excepts a folder.
KEPT_APART = [
    # Only main and the window know the panels.
    ("app/* tests/* !tests/ui !tests/bench", "app ui/*"),
    # Results without a window need no OpenGL.
    ("app/* tests/* !app/window/render !app/window/field !app/window/stepping !tests/gpu !tests/render !tests/ui !tests/bench",
     "app/window/render app/window/field app/window/stepping"),
    # The emulator and its observers are tested without Clang.
    ("tests/unit", "app/core/frontend app/programs/lowering app/gpu/driver"),
]  # fmt: skip

# A library's headers, the target that has them ("" if none: its declarations are our own), and who may include them.
HEADERS = [
    (r"llvm/Demangle/Demangle\.h", "haloscope_clang", "app/programs/host app/programs/running"),
    (r"(clang|llvm)/.*", "haloscope_clang", "app/programs/lowering app/programs/host app/programs/codegen tests/kernels"),
    (r"(cuda|nv|cupti|cooperative_groups|vector_types).*", "", "tests/gpu"),
    (r"glad/.*", "glad", "app app/window/render app/window/field tests/gpu tests/render tests/ui tests/bench"),
    (r"(GL|EGL|KHR)/.*", "OpenGL::EGL", "app/window/render"),
    (r"GLFW/.*", "glfw", "app app/window/render tests/ui"),
    (r"glm/.*", "glm::glm", "app/window/render tests/render"),
    (r"stb_.*", "stb", "app/programs/host app/core/inputs app/window/render"),
    (r"imgui_te_.*", "imgui_test_engine", "tests/ui"),
    (r"(misc/cpp/)?imgui.*", "imgui", "app ui/* tests/ui tests/render tests/bench"),
    (r"implot.*", "implot", "app ui/*"),
    (r"TextEditor\.h", "imgui_color_text_edit", "ui/source"),
    (r"CLI/.*", "CLI11::CLI11", "app/cli/options app/cli/book app/cli/reports app/cli/commands"),
    (r"yaml-cpp/.*", "yaml-cpp::yaml-cpp", "app/core/catalogue"),
    (r"gif_lib\.h", "gif", "app/window/exporting tests/ui"),
    (r"(cairo|pango/pango|fontconfig/fontconfig)[\w-]*\.h", "PkgConfig::PANGO", "app/pages/worksheet"),
    (r"md4c\.h", "md4c", "app/course/lessons"),
    (r"seccomp\.h", "seccomp", "app/core/process"),
    (r"zlib\.h", "ZLIB::ZLIB", "app/pages/handout app/core/inputs tests/unit"),
    (r"nlohmann/.*", "nlohmann_json::nlohmann_json", "app app/* tests/*"),
    (r"haloscope/.*", "haloscope::haloscope", "tests/library"),  # installed
    (r"fmt/.*", "", "*"),  # haloscope_common links it
    (r"(gtest|gmock)/.*", "GTest::gtest", "tests/*"),
    (r"(sys|linux|netinet|sanitizer)/\w+\.h|(unistd|fcntl|poll|spawn|signal|sched|grp|pthread|dlfcn|link|immintrin|cxxabi|unwind|ucontext)\.h|[a-z_0-9]+", "", "*"),
]

# Ways to print, and the files that may use them: app/core/text/Print.h makes visible what a stranger's text says to a terminal.
# The host process flushes what the program in it has printed.
PRINTING = re.compile(
    r"\bfmt::print\w*|\bstd::(?:cout|cerr|clog)\b|(?<![\w.>])v?f?printf\(|(?<![\w.>])(?:f?puts|f?putc|putchar|perror|fwrite)\("
)
PRINTERS = ["app/core/text/Print.cpp", "app/programs/host/Runtime.cpp"]

# What libraries link in turn (app/cmake/ImGuiBundle.cmake).
LIBRARY_LINKS = {"imgui": ["glad", "glfw"], "implot": ["imgui"], "imgui_color_text_edit": ["imgui"],
                 "imgui_test_engine": ["imgui"], "imgui_no_test_engine": ["imgui"]}  # fmt: skip

# Linked without a header of theirs: libraries, and folders whose definitions are referred to by name alone.
LIBRARIES_WITHOUT_HEADERS = {"Threads::Threads", "imgui_no_test_engine", "haloscope_common"}
LINKED_BY_NAME = {"ui/window": "ui/panels ui/lessons ui/scene ui/source ui/figures"}  # PanelList.cpp

# Tests that use another label's helpers.
SHARED_HELPERS = {"tests/render": "tests/kernels", "tests/ui": "tests/unit tests/kernels tests/render",
                  "tests/bench": "tests/kernels tests/start", "tests/fuzz": "tests/kernels", "tests/fuzz/engine": "tests/fuzz",
                  "tests/fuzz/seeds": "tests/fuzz tests/kernels", "tests/running": "tests/start"}  # fmt: skip

# Folders whose sources are none of the program's: for CMake itself, and texts that tests read.
NOT_OURS = ["app/cmake", "tests/programs", "tests/verdicts"]

GENERATED = {"ShippedVariantHashes.h"}

CALL = re.compile(r"\b(haloscope_room|haloscope_test|add_executable|target_link_libraries)\(\s*([^\s)]+)([^)]*)\)")
# An #include, or what may contain the text of one without being one: comments and literals.
LINES = re.compile(
    r'^[ \t]*#[ \t]*include\b(?P<what>[^\n]*)|//[^\n]*|/\*.*?\*/|R"(?P<end>[^()\\\s]*)\(.*?\)(?P=end)"'
    r'|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\'',
    re.MULTILINE | re.DOTALL,
)


@dataclass
class Target:
    """What a folder's sources are compiled into. `public` and `private`: the targets it links."""

    folder: str  # "app/core/simt"
    files: list[Path]
    public: list[str] = field(default_factory=list)
    private: list[str] = field(default_factory=list)
    is_library: bool = False
    helpers: str = ""


@dataclass
class Include:
    file: Path
    line: int
    text: str  # as it is written, with its quotes
    target: str  # the target that has the header, "" if it is the own one or none


def matches(name: str, patterns: str) -> bool:
    """Whether the name matches one of the patterns, and none that begins with !."""
    words = patterns.split()
    if any(word[0] == "!" and fnmatch.fnmatchcase(name, word[1:]) for word in words):
        return False
    return any(fnmatch.fnmatchcase(name, word) for word in words)


def sections(arguments: str) -> dict[str, list[str]]:
    """CMake's words by the keyword before them; "" for those at the beginning. ${…} is left out."""
    parts: dict[str, list[str]] = {"": []}
    section = parts[""]
    for word in arguments.split():
        if re.fullmatch(r"[A-Z_]+", word):
            section = parts.setdefault(word, [])
        elif "${" not in word:
            section.append(word)
    return parts


class Tree:
    """The folders, their links and their includes; `problems` in all of them."""

    def __init__(self, root: Path):
        self.root = root
        self.problems: list[str] = []
        self.targets: dict[str, Target] = {}  # by the name of the CMake target; a test's folder represents all it makes
        self.read_targets()
        self.libraries = {root / "app"} | {(root / target.folder).parent for target in self.targets.values() if target.folder.startswith("app/")}
        self.owner: dict[Path, str] = {}
        for name, target in self.targets.items():
            for file in target.files:
                self.owner.setdefault(file, name)
        self.own_includes: dict[Path, set[Path]] = {}  # a file's includes of the same folder
        self.exported: set[Path] = set()  # the headers that other folders include
        self.includes = {name: self.includes_of(name) for name in self.targets}
        waiting = list(self.exported)
        while waiting:
            more = self.own_includes.get(waiting.pop(), set()) - self.exported
            self.exported |= more
            waiting += more

    # -- reading

    def read_targets(self) -> None:
        lists = [file for top in ("app", "ui", "tests") for file in self.root.glob(f"{top}/**/CMakeLists.txt")]
        rooms = {file.parent for file in lists}
        for file in sorted(lists):
            folder = file.parent
            name = str(folder.relative_to(self.root))
            # A folder without a CMakeLists.txt belongs to the one above it.
            files = [
                path
                for path in sorted(folder.rglob("*"))
                if path.suffix in (".cpp", ".h") and next(above for above in path.parents if above in rooms) == folder
            ]
            files = [path for path in files if not any(self.root / other in path.parents for other in NOT_OURS)]
            calls = CALL.findall(re.sub(r"#.*", "", file.read_text()))
            if name.split("/")[0] == "tests":
                self.read_test(name, files, calls)
            else:
                self.read_room(name, files, calls)

    def read_room(self, name: str, files: list[Path], calls: list[tuple[str, str, str]]) -> None:
        made = []
        for command, target, arguments in calls:
            parts = sections(arguments)
            if command == "haloscope_room":
                own = [path for path in files if path.name not in parts.get("EXCEPT", [])]
                self.targets[target] = Target(
                    name, own, parts.get("LINK", []), parts.get("LINK_PRIVATE", []), is_library=True
                )
            elif command == "add_executable":
                self.targets[target] = Target(name, [self.root / name / source for source in parts[""]])
            elif command == "target_link_libraries" and target in made and not self.targets[target].is_library:
                self.targets[target].private += [word for words in parts.values() for word in words]
            elif command == "target_link_libraries":
                self.problems.append(f"{name}/CMakeLists.txt: links for {target} belong into LINK of haloscope_room()")
            made.append(target)
        if files and not any(set(files) & set(self.targets[target].files) for target in made if target in self.targets):
            self.problems.append(f"{name}: its files belong to no target")

    def read_test(self, name: str, files: list[Path], calls: list[tuple[str, str, str]]) -> None:
        target = Target(name, files, helpers=SHARED_HELPERS.get(name, ""))
        for command, _, arguments in calls:
            parts = sections(arguments)
            if command == "haloscope_test":
                target.private += ["GTest::gtest", *parts.get("LINK", [])]
            elif command == "add_executable":  # of sources from other folders, too
                sources = [(self.root / name / source).resolve() for source in parts[""]]
                target.files += [file for file in sources if file not in target.files and file.is_file()]
            elif command == "target_link_libraries":
                target.private += [word for words in parts.values() for word in words]
        target.private = list(dict.fromkeys(target.private))
        if target.files:
            self.targets[name] = target

    def includes_of(self, name: str) -> list[Include]:
        target = self.targets[name]
        found: list[Include] = []
        waiting, seen = list(target.files), set(target.files)
        while waiting:
            file = waiting.pop(0)
            text = file.read_text()
            for match in LINES.finditer(text):
                if match["what"] is None:
                    continue
                line = text.count("\n", 0, match.start()) + 1
                where = f"{file.relative_to(self.root)}:{line}"
                quoted = re.match(r'\s*(?:"([^"]+)"|<([^>]+)>)', match["what"])
                if not quoted:
                    self.problem(f"{where}: includes {match['what'].strip()}, which cannot be checked")
                    continue
                written = quoted[1] or quoted[2]
                path = self.find(file, written)
                include = Include(file, line, quoted[0].strip(), "")
                if path is None and quoted[1]:
                    if written not in GENERATED:
                        self.problem(f"{where}: includes {include.text}, which is not found")
                    continue
                if path is None:
                    include.target = self.library_of(target, where, written)
                    if include.target:
                        found.append(include)
                    continue
                if quoted[2]:
                    self.problem(f'{where}: includes <{written}> of this project: write "{written}"')
                owner = self.owner.get(path, "")
                if not owner:
                    self.problem(f"{where}: includes {include.text}, which belongs to no folder")
                elif owner != name and owner.startswith("tests/"):
                    if not matches(owner, target.helpers):
                        self.problem(f"{where}: includes {include.text} of {owner}, which {target.folder} may not use")
                    elif path not in seen:  # its includes are this target's as well
                        seen.add(path)
                        waiting.append(path)
                elif owner != name and path not in target.files:  # two programs may share their files
                    include.target = owner
                    found.append(include)
                if owner == self.owner[file]:
                    self.own_includes.setdefault(file, set()).add(path)
                else:
                    self.exported.add(path)
        return found

    def find(self, file: Path, written: str) -> Path | None:
        for folder in (file.parent, *self.libraries, self.root):
            path = (folder / written).resolve()
            if path.is_file() and path.is_relative_to(self.root):
                return path
        return None

    def library_of(self, target: Target, where: str, written: str) -> str:
        """The target of the library that has the header, "" if it needs none."""
        for pattern, library, folders in HEADERS:
            if re.fullmatch(pattern, written):
                if not matches(target.folder, folders):
                    self.problem(f"{where}: includes <{written}>, which {target.folder} may not use")
                return library
        self.problem(f"{where}: includes <{written}>, which HEADERS in check_includes.py does not know")
        return ""

    def problem(self, text: str) -> None:
        if text not in self.problems:  # a helper of the tests is read once for every label that uses it
            self.problems.append(text)

    # -- checking

    def folder_of(self, name: str) -> str:
        return self.targets[name].folder if name in self.targets else name

    def closure(self, names: list[str]) -> set[str]:
        """`names` and what they link in public."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.targets[name].public if name in self.targets else LIBRARY_LINKS.get(name, [])
        return found

    def not_allowed(self, name: str, public: list[str], private: list[str]) -> list[Include]:
        """The includes that are not allowed if the target's links were these."""
        headers, sources = self.closure(public), self.closure(public + private)
        target = self.targets[name]
        return [
            include
            for include in self.includes[name]
            if include.target not in (headers if target.is_library and include.file in self.exported else sources)
        ]

    def check_includes(self, name: str) -> None:
        target = self.targets[name]
        for include in self.not_allowed(name, target.public, target.private):
            in_header = " for its headers" if include.target in self.closure(target.private) else ""
            self.problem(
                f"{include.file.relative_to(self.root)}:{include.line}: includes {include.text} of "
                f"{self.folder_of(include.target)}, which {target.folder} does not link{in_header}"
            )

    def check_links(self, name: str) -> None:
        """Links that are unknown, that no include needs, or that only sources need."""
        target = self.targets[name]
        libraries = {library for _, library, _ in HEADERS if library} | LIBRARIES_WITHOUT_HEADERS
        violations = len(self.not_allowed(name, target.public, target.private))
        for link in dict.fromkeys(target.public + target.private):
            if link not in self.targets and link not in libraries:
                self.problem(f"{target.folder}: links {link}, which check_includes.py does not know")
                continue
            if link in LIBRARIES_WITHOUT_HEADERS or matches(self.folder_of(link), LINKED_BY_NAME.get(target.folder, "")):
                continue
            if link == "GTest::gtest" and target.folder.startswith("tests/"):
                continue  # haloscope_test() links it
            public = [other for other in target.public if other != link]
            private = [other for other in target.private if other != link]
            users = [include for include in self.includes[name] if include.target == link]
            if not users and len(self.not_allowed(name, public, private)) == violations:
                self.problem(f"{target.folder}: links {self.folder_of(link)}, and includes nothing of it")
            elif (
                link in target.public
                and not any(include.file in self.exported for include in users)
                and len(self.not_allowed(name, public, [*private, link])) == violations
            ):
                self.problem(f"{target.folder}: no header needs {self.folder_of(link)}: LINK_PRIVATE")
            if link in target.public and link in target.private:
                self.problem(f"{target.folder}: links {self.folder_of(link)} twice")

    def drawing(self, page: Path, first: str) -> list[list[str]]:
        """The folders named in each row of the drawing of a page that begins with `first`, from the top."""
        blocks = re.findall(r"^```\w*\n(.*?)^```$", page.read_text() if page.is_file() else "", re.M | re.S)
        block = next((block for block in blocks if re.match(first, block)), "")
        if not block:
            self.problem(f"{page.relative_to(self.root)}: the drawing of the layers is missing")
        rows = []
        for row in block.splitlines():
            words = re.split(r"\s{2,}", row.strip())
            folders = list(takewhile(lambda word: self.above(page, word).is_dir(), words))
            rows.append([str(self.above(page, word).relative_to(self.root)) for word in folders])
        return rows

    def above(self, page: Path, word: str) -> Path:
        """The folder that a word of a drawing names: in the page's folder, or in the root."""
        return page.parent / word if (page.parent / word).is_dir() else self.root / word

    def layers(self) -> dict[str, tuple[int, int]]:
        """The layer of each folder, counted from the top: its library's row in app/README.md, its own row in the page of
        the library."""
        layers: dict[str, tuple[int, int]] = {}
        for number, libraries in enumerate(self.drawing(self.root / "app/README.md", r" app  ")):
            for library in libraries:
                if library in {target.folder for target in self.targets.values()}:
                    layers[library] = (number, 0)
                    continue
                for row, rooms in enumerate(self.drawing(self.root / library / "README.md", r" \w")):
                    layers.update({room: (number, row) for room in rooms})
        return layers

    def check_layers(self) -> None:
        layers = self.layers()
        for target in self.targets.values():
            if target.folder.startswith("tests/"):
                continue
            if target.folder not in layers:
                self.problem(f"{target.folder}: is in no drawing of layers (app/README.md and the pages of the libraries)")
                continue
            for link in target.public + target.private:
                other = self.folder_of(link)
                if link in self.targets and other.startswith("tests/"):
                    self.problem(f"{target.folder}: links {other}")
                elif link in self.targets and other != target.folder and layers.get(other, (-1, 0)) <= layers[target.folder]:
                    self.problem(f"{target.folder}: links {other}, which is in no layer below it")

    def check_apart(self) -> None:
        folders = {target.folder for target in self.targets.values()}
        for here, there in KEPT_APART:
            for pattern in f"{here} {there}".replace("!", "").split():
                if not any(matches(folder, pattern) for folder in folders):
                    self.problem(f"KEPT_APART in check_includes.py: there is no folder {pattern}")
            for target in self.targets.values():
                if not matches(target.folder, here):
                    continue
                reached = {self.folder_of(name) for name in self.closure(target.public + target.private)}
                for folder in sorted(reached):
                    if matches(folder, there):
                        self.problem(f"{target.folder}: reaches {folder}, from which it is kept apart")

    def check_printing(self, name: str) -> None:
        for file in self.targets[name].files:
            where = str(file.relative_to(self.root))
            if where.startswith("tests/") or where in PRINTERS:
                continue
            code = LINES.sub(lambda match: "\n" * match[0].count("\n"), file.read_text())
            for match in PRINTING.finditer(code):
                line = code.count("\n", 0, match.start()) + 1
                self.problem(f"{where}:{line}: prints with {match[0].rstrip('(')}, not through app/core/text/Print.h")

    def check(self) -> list[str]:
        for name in self.targets:
            self.check_includes(name)
            self.check_links(name)
            self.check_printing(name)
        self.check_layers()
        self.check_apart()
        return self.problems

    def graph(self) -> list[str]:
        rows = []
        for name, target in self.targets.items():
            links = [self.folder_of(link) for link in target.public if link in self.targets]
            links += [f"({self.folder_of(link)})" for link in target.private if link in self.targets]
            rows.append(f"{target.folder} -> {' '.join(links) or 'nothing'}")
        return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).parents[2], help="the source tree")
    parser.add_argument("--graph", action="store_true", help="print what each folder links; (…): in sources only")
    arguments = parser.parse_args()
    tree = Tree(arguments.root.resolve())
    lines = tree.graph() if arguments.graph else tree.check()
    print("\n".join(lines), end="\n" if lines else "")
    return 1 if lines and not arguments.graph else 0


if __name__ == "__main__":
    sys.exit(main())
