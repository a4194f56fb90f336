#!/usr/bin/python3
"""Check that check_includes.py reports a violation of each kind: a small tree without one passes, and each change to it
that breaks a rule is reported by the words expected, and by nothing else."""

import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import check_includes  # noqa: E402

TREE = {
    "README.md": "```sh\n./run.sh\n```\n\n```\n app                 main\n ui/window           the frame\n state    render\n"
    " gpu                 the driver\n simt                the emulator, executed\n program  tools      what it executes\n```\n",
    "app/CMakeLists.txt": "haloscope_library(h_app EXCEPT main.cpp LINK h_ui_window h_state)\n"
    "add_executable(haloscope main.cpp)\ntarget_link_libraries(haloscope PRIVATE h_app imgui_no_test_engine)\n",
    "app/App.h": '#include "state/State.h"\n#include "ui/window/Window.h"\n',
    "app/main.cpp": '#include "App.h"\n',
    "app/program/CMakeLists.txt": "haloscope_library(h_program)\n",
    "app/program/Program.h": "#pragma once\n#include <string>\n",
    "app/simt/CMakeLists.txt": "haloscope_library(h_simt LINK h_program)\n",
    "app/simt/Executor.h": '#include "program/Program.h"\n',
    "app/simt/Executor.cpp": '#include "Executor.h"\n',
    "app/gpu/CMakeLists.txt": "haloscope_library(h_gpu LINK_PRIVATE h_program)\n",
    "app/gpu/Driver.h": "// #include <cuda.h>\n",
    "app/gpu/Driver.cpp": '#include "gpu/Driver.h"\n#include "program/Program.h"\n'
    'const char* kText = R"(\n#include "kernel.cu"\n)"; const char kQuote = \'"\';\n/*\n#include "none.h"\n*/\n',
    "app/render/CMakeLists.txt": "haloscope_library(h_render LINK_PRIVATE glad)\n",
    "app/render/Context.h": "",
    "app/render/Context.cpp": '#include "Context.h"\n#include <glad/gl.h>\n',
    "app/state/CMakeLists.txt": "haloscope_library(h_state LINK h_simt LINK_PRIVATE h_gpu)\n",
    "app/state/State.h": '#include "simt/Executor.h"\n',
    "app/state/State.cpp": '#include "State.h"\n#include "gpu/Driver.h"\n',
    "ui/window/CMakeLists.txt": "haloscope_library(h_ui_window LINK imgui LINK_PRIVATE h_state h_render)\n",
    "ui/window/Window.h": "#include <imgui.h>\n",
    "ui/window/Window.cpp": '#include "Window.h"\n#include "state/State.h"\n#include "render/Context.h"\n',
    "tests/unit/CMakeLists.txt": "haloscope_test(unit LINK h_simt)\n",
    "tests/unit/Sample.h": '#include "program/Program.h"\n',
    "tests/unit/ExecutorTest.cpp": '#include <gtest/gtest.h>\n#include "Sample.h"\n#include "simt/Executor.h"\n',
    "tests/ui/CMakeLists.txt": "haloscope_test(ui LINK h_app imgui_test_engine)\n",
    "tests/ui/WindowTest.cpp": '#include <imgui_te_engine.h>\n#include "App.h"\n#include "tests/unit/Sample.h"\n',
}

# What the tables of check_includes.py say of the folders above.
KEPT_APART = [("app/simt tests/unit", "app/gpu app/render"), ("app/* tests/* !tests/ui", "app ui/*")]
SHARED_HELPERS = {"tests/ui": "tests/unit"}


def link(folder: str, before: str, after: str) -> tuple[str, str]:
    name = f"{folder}/CMakeLists.txt"
    assert before in TREE[name], (name, before)
    return name, TREE[name].replace(before, after)


def include(name: str, line: str) -> tuple[str, str]:
    return name, TREE.get(name, "") + line + "\n"


# Changed files, and what is reported then: each report contains one of the texts, and each text is in a report.
VIOLATIONS = {
    "an include without a link": (
        [include("app/state/State.cpp", '#include "render/Context.h"')],
        ['State.cpp:3: includes "render/Context.h" of app/render, which app/state does not link'],
    ),
    "an include in a header, of what is linked for sources": (
        [include("app/state/State.h", '#include "gpu/Driver.h"')],
        ["State.h:2: includes \"gpu/Driver.h\" of app/gpu, which app/state does not link for its headers"],
    ),
    "a path through ..": (
        [include("app/simt/Executor.cpp", '#include "../../ui/window/Window.h"')],
        ['includes "../../ui/window/Window.h" of ui/window, which app/simt does not link'],
    ),
    "an own header in angle brackets": (
        [include("app/simt/Executor.cpp", "#include <state/State.h>")],
        ["includes <state/State.h> of this project", "of app/state, which app/simt does not link"],
    ),
    "an include that is not found": (
        [include("app/simt/Executor.cpp", '#include "simt/Warps.h"')],
        ['Executor.cpp:2: includes "simt/Warps.h", which is not found'],
    ),
    "an include of a macro": (
        [include("app/simt/Executor.cpp", "#include HEADER")],
        ["includes HEADER, which cannot be checked"],
    ),
    "an include of a file outside the folders": (
        [("tools/Tool.h", ""), include("app/simt/Executor.cpp", '#include "tools/Tool.h"')],
        ['includes "tools/Tool.h", which belongs to no folder'],
    ),
    "a link upwards, with everything that it would permit": (
        [link("app/simt", "h_program", "h_program h_state"), include("app/simt/Executor.h", '#include "state/State.h"')],
        ["app/simt: links app/state, which is in no layer below it"],
    ),
    "a link within a layer": (
        [link("app/state", "LINK h_simt", "LINK h_simt h_render"), include("app/state/State.h", '#include "render/Context.h"')],
        ["app/state: links app/render, which is in no layer below it"],
    ),
    "a link to a test": (
        [link("app/simt", "h_program", "h_program tests/unit")],
        ["app/simt: links tests/unit", "app/simt: links tests/unit, and includes nothing of it"],
    ),
    "a link that is kept apart": (
        [link("tests/unit", "h_simt", "h_simt h_render"), include("tests/unit/Sample.h", '#include "render/Context.h"')],
        ["tests/unit: reaches app/render, from which it is kept apart",
         'tests/unit/Sample.h:2: includes "render/Context.h" of app/render, which tests/ui does not link'],
    ),
    "a link that nothing needs": (
        [link("app/state", "h_gpu", "h_gpu h_program"), include("app/state/State.cpp", "")],
        ["app/state: links app/program, and includes nothing of it"],
    ),
    "a link that only sources need": (
        [link("app/state", "LINK_PRIVATE h_gpu", "h_gpu")],
        ["app/state: no header needs app/gpu: LINK_PRIVATE"],
    ),
    "a link twice": (
        [link("app/state", "h_gpu", "h_gpu h_simt")],
        ["app/state: links app/simt twice"],
    ),
    "an unknown link": (
        [link("app/state", "h_gpu", "h_gpu curl")],
        ["app/state: links curl, which check_includes.py does not know"],
    ),
    "a link outside LINK": (
        [("app/simt/CMakeLists.txt", TREE["app/simt/CMakeLists.txt"] + "target_link_libraries(h_simt PUBLIC h_state)\n")],
        ["app/simt/CMakeLists.txt: links for h_simt belong into LINK"],
    ),
    "a library's header outside its folders": (
        [link("app/simt", "h_program", "h_program LINK_PRIVATE imgui"), include("app/simt/Executor.cpp", "#include <imgui.h>")],
        ["Executor.cpp:2: includes <imgui.h>, which app/simt may not use"],
    ),
    "OpenGL by way of ImGui": (
        [include("ui/window/Window.cpp", "#include <glad/gl.h>")],
        ["includes <glad/gl.h>, which ui/window may not use"],
    ),
    "CUDA's headers": (
        [include("app/gpu/Driver.cpp", "#include <cuda_runtime.h>")],
        ["includes <cuda_runtime.h>, which app/gpu may not use"],
    ),
    "an unknown library": (
        [include("app/simt/Executor.cpp", "#include <boost/any.hpp>")],
        ["includes <boost/any.hpp>, which HEADERS in check_includes.py does not know"],
    ),
    "a header of a test": (
        [include("app/simt/Executor.cpp", '#include "tests/unit/Sample.h"')],
        ["of tests/unit, which app/simt may not use"],
    ),
    "a helper of another test": (
        [include("tests/unit/ExecutorTest.cpp", '#include "tests/ui/Driver.h"'), ("tests/ui/Driver.h", "")],
        ['includes "tests/ui/Driver.h" of tests/ui, which tests/unit may not use'],
    ),
    "a test that includes more than it links": (
        [include("tests/unit/ExecutorTest.cpp", '#include "gpu/Driver.h"')],
        ['ExecutorTest.cpp:4: includes "gpu/Driver.h" of app/gpu, which tests/unit does not link'],
    ),
    "printing past the one way": (
        [include("app/simt/Executor.cpp", "// fmt::print(text);\nvoid say() {\n  std::cerr << kText;\n  printf(kText);\n}")],
        ["Executor.cpp:4: prints with std::cerr, not through", "Executor.cpp:5: prints with printf, not through"],
    ),
    "a folder in no layer": (
        [("app/live/CMakeLists.txt", "haloscope_library(h_live)\n"), ("app/live/Live.h", "")],
        ["app/live: is in no layer of README.md"],
    ),
    "no layers": (
        [("README.md", "# Nothing\n")],
        ["the drawing of the layers, which begins with app, is missing", "is in no layer"],
    ),
    "files without a target": (
        [("app/live/CMakeLists.txt", "# nothing\n"), ("app/live/Live.h", "")],
        ["app/live: its files belong to no target"],
    ),
}


def problems(changes: list[tuple[str, str]]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in {**TREE, **dict(changes)}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return check_includes.Tree(root).check()


def main() -> int:
    check_includes.SHARED_HELPERS = SHARED_HELPERS
    failures = 0
    cases = {
        "no violation": ([], [], KEPT_APART),
        "a rule about no folder": ([], ["there is no folder app/live"], [*KEPT_APART, ("app/live", "app/gpu")]),
        **{name: (*case, KEPT_APART) for name, case in VIOLATIONS.items()},
    }
    for name, (changes, expected, check_includes.KEPT_APART) in cases.items():
        found = problems(changes)
        missing = [text for text in expected if not any(text in problem for problem in found)]
        others = [problem for problem in found if not any(text in problem for text in expected)]
        if missing or others:
            failures += 1
            print(f"{name}:", *[f"  not reported: {text}" for text in missing], *[f"  reported: {text}" for text in others], sep="\n")
    print(f"{len(cases) - failures} of {len(cases)} trees are judged as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
