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
    "app/README.md": "```sh\n./run.sh\n```\n\n```\n app         main\n ui          drawing\n app/window  what is shown\n"
    " app/gpu     launches\n app/core    the emulator\n```\n",
    "ui/README.md": "```\n window      the frame\n```\n",
    "app/window/README.md": "```\n state  render\n```\n",
    "app/gpu/README.md": "```\n driver\n```\n",
    "app/core/README.md": "```\n simt                the emulator, executed\n program  tools      what it executes\n```\n",
    "app/CMakeLists.txt": "haloscope_room(h_app EXCEPT main.cpp LINK h_ui_window h_state)\n"
    "add_executable(haloscope main.cpp)\ntarget_link_libraries(haloscope PRIVATE h_app imgui_no_test_engine)\n",
    "app/App.h": '#include "state/State.h"\n#include "ui/window/Window.h"\n',
    "app/main.cpp": '#include "App.h"\n',
    "app/core/program/CMakeLists.txt": "haloscope_room(h_program)\n",
    "app/core/program/Program.h": "#pragma once\n#include <string>\n",
    "app/core/simt/CMakeLists.txt": "haloscope_room(h_simt LINK h_program)\n",
    "app/core/simt/Executor.h": '#include "program/Program.h"\n',
    "app/core/simt/Executor.cpp": '#include "Executor.h"\n',
    "app/gpu/driver/CMakeLists.txt": "haloscope_room(h_driver LINK_PRIVATE h_program)\n",
    "app/gpu/driver/Driver.h": "// #include <cuda.h>\n",
    "app/gpu/driver/Driver.cpp": '#include "driver/Driver.h"\n#include "program/Program.h"\n'
    'const char* kText = R"(\n#include "kernel.cu"\n)"; const char kQuote = \'"\';\n/*\n#include "none.h"\n*/\n',
    "app/window/render/CMakeLists.txt": "haloscope_room(h_render LINK_PRIVATE glad)\n",
    "app/window/render/Context.h": "",
    "app/window/render/Context.cpp": '#include "Context.h"\n#include <glad/gl.h>\n',
    "app/window/state/CMakeLists.txt": "haloscope_room(h_state LINK h_simt LINK_PRIVATE h_driver)\n",
    "app/window/state/State.h": '#include "simt/Executor.h"\n',
    "app/window/state/State.cpp": '#include "State.h"\n#include "driver/Driver.h"\n',
    "ui/window/CMakeLists.txt": "haloscope_room(h_ui_window LINK imgui LINK_PRIVATE h_state h_render)\n",
    "ui/window/Window.h": "#include <imgui.h>\n",
    "ui/window/Window.cpp": '#include "Window.h"\n#include "state/State.h"\n#include "render/Context.h"\n',
    "tests/unit/CMakeLists.txt": "haloscope_test(unit LINK h_simt)\n",
    "tests/unit/Sample.h": '#include "program/Program.h"\n',
    "tests/unit/ExecutorTest.cpp": '#include <gtest/gtest.h>\n#include "Sample.h"\n#include "simt/Executor.h"\n',
    "tests/ui/CMakeLists.txt": "haloscope_test(ui LINK h_app imgui_test_engine)\n",
    "tests/ui/WindowTest.cpp": '#include <imgui_te_engine.h>\n#include "App.h"\n#include "tests/unit/Sample.h"\n',
}

# What the tables of check_includes.py say of the folders above.
KEPT_APART = [("app/core/simt tests/unit", "app/gpu/driver app/window/render"), ("app/* tests/* !tests/ui", "app ui/*")]
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
        [include("app/window/state/State.cpp", '#include "render/Context.h"')],
        ['State.cpp:3: includes "render/Context.h" of app/window/render, which app/window/state does not link'],
    ),
    "an include in a header, of what is linked for sources": (
        [include("app/window/state/State.h", '#include "driver/Driver.h"')],
        ["State.h:2: includes \"driver/Driver.h\" of app/gpu/driver, which app/window/state does not link for its headers"],
    ),
    "a path through ..": (
        [include("app/core/simt/Executor.cpp", '#include "../../ui/window/Window.h"')],
        ['includes "../../ui/window/Window.h" of ui/window, which app/core/simt does not link'],
    ),
    "an own header in angle brackets": (
        [include("app/core/simt/Executor.cpp", "#include <state/State.h>")],
        ["includes <state/State.h> of this project", "of app/window/state, which app/core/simt does not link"],
    ),
    "an include that is not found": (
        [include("app/core/simt/Executor.cpp", '#include "simt/Warps.h"')],
        ['Executor.cpp:2: includes "simt/Warps.h", which is not found'],
    ),
    "an include of a macro": (
        [include("app/core/simt/Executor.cpp", "#include HEADER")],
        ["includes HEADER, which cannot be checked"],
    ),
    "an include of a file outside the folders": (
        [("tools/Tool.h", ""), include("app/core/simt/Executor.cpp", '#include "tools/Tool.h"')],
        ['includes "tools/Tool.h", which belongs to no folder'],
    ),
    "a link upwards, with everything that it would permit": (
        [link("app/core/simt", "h_program", "h_program h_state"), include("app/core/simt/Executor.h", '#include "state/State.h"')],
        ["app/core/simt: links app/window/state, which is in no layer below it"],
    ),
    "a link within a layer": (
        [link("app/window/state", "LINK h_simt", "LINK h_simt h_render"), include("app/window/state/State.h", '#include "render/Context.h"')],
        ["app/window/state: links app/window/render, which is in no layer below it"],
    ),
    "a link to a test": (
        [link("app/core/simt", "h_program", "h_program tests/unit")],
        ["app/core/simt: links tests/unit", "app/core/simt: links tests/unit, and includes nothing of it"],
    ),
    "a link that is kept apart": (
        [link("tests/unit", "h_simt", "h_simt h_render"), include("tests/unit/Sample.h", '#include "render/Context.h"')],
        ["tests/unit: reaches app/window/render, from which it is kept apart",
         'tests/unit/Sample.h:2: includes "render/Context.h" of app/window/render, which tests/ui does not link'],
    ),
    "a link that nothing needs": (
        [link("app/window/state", "h_driver", "h_driver h_program"), include("app/window/state/State.cpp", "")],
        ["app/window/state: links app/core/program, and includes nothing of it"],
    ),
    "a link that only sources need": (
        [link("app/window/state", "LINK_PRIVATE h_driver", "h_driver")],
        ["app/window/state: no header needs app/gpu/driver: LINK_PRIVATE"],
    ),
    "a link twice": (
        [link("app/window/state", "h_driver", "h_driver h_simt")],
        ["app/window/state: links app/core/simt twice"],
    ),
    "an unknown link": (
        [link("app/window/state", "h_driver", "h_driver curl")],
        ["app/window/state: links curl, which check_includes.py does not know"],
    ),
    "a link outside LINK": (
        [("app/core/simt/CMakeLists.txt", TREE["app/core/simt/CMakeLists.txt"] + "target_link_libraries(h_simt PUBLIC h_state)\n")],
        ["app/core/simt/CMakeLists.txt: links for h_simt belong into LINK"],
    ),
    "a library's header outside its folders": (
        [link("app/core/simt", "h_program", "h_program LINK_PRIVATE imgui"), include("app/core/simt/Executor.cpp", "#include <imgui.h>")],
        ["Executor.cpp:2: includes <imgui.h>, which app/core/simt may not use"],
    ),
    "OpenGL by way of ImGui": (
        [include("ui/window/Window.cpp", "#include <glad/gl.h>")],
        ["includes <glad/gl.h>, which ui/window may not use"],
    ),
    "CUDA's headers": (
        [include("app/gpu/driver/Driver.cpp", "#include <cuda_runtime.h>")],
        ["includes <cuda_runtime.h>, which app/gpu/driver may not use"],
    ),
    "an unknown library": (
        [include("app/core/simt/Executor.cpp", "#include <boost/any.hpp>")],
        ["includes <boost/any.hpp>, which HEADERS in check_includes.py does not know"],
    ),
    "a header of a test": (
        [include("app/core/simt/Executor.cpp", '#include "tests/unit/Sample.h"')],
        ["of tests/unit, which app/core/simt may not use"],
    ),
    "a helper of another test": (
        [include("tests/unit/ExecutorTest.cpp", '#include "tests/ui/Driver.h"'), ("tests/ui/Driver.h", "")],
        ['includes "tests/ui/Driver.h" of tests/ui, which tests/unit may not use'],
    ),
    "a test that includes more than it links": (
        [include("tests/unit/ExecutorTest.cpp", '#include "driver/Driver.h"')],
        ['ExecutorTest.cpp:4: includes "driver/Driver.h" of app/gpu/driver, which tests/unit does not link'],
    ),
    "printing past the one way": (
        [include("app/core/simt/Executor.cpp", "// fmt::print(text);\nvoid say() {\n  std::cerr << kText;\n  printf(kText);\n}")],
        ["Executor.cpp:4: prints with std::cerr, not through", "Executor.cpp:5: prints with printf, not through"],
    ),
    "a folder in no layer": (
        [("app/window/live/CMakeLists.txt", "haloscope_room(h_live)\n"), ("app/window/live/Live.h", "")],
        ["app/window/live: is in no drawing of layers"],
    ),
    "no layers": (
        [("app/README.md", "# Nothing\n")],
        ["app/README.md: the drawing of the layers is missing", "is in no drawing of layers"],
    ),
    "a library without a drawing": (
        [("app/gpu/README.md", "# The GPU\n")],
        ["app/gpu/README.md: the drawing of the layers is missing", "app/gpu/driver: is in no drawing of layers",
         "app/window/state: links app/gpu/driver, which is in no layer below it"],
    ),
    "a link to a library above": (
        [link("app/gpu/driver", "h_program", "h_program h_render"), include("app/gpu/driver/Driver.cpp", '#include "render/Context.h"')],
        ["app/gpu/driver: links app/window/render, which is in no layer below it"],
    ),
    "files without a target": (
        [("app/window/live/CMakeLists.txt", "# nothing\n"), ("app/window/live/Live.h", "")],
        ["app/window/live: its files belong to no target"],
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
        "a rule about no folder": ([], ["there is no folder app/window/live"], [*KEPT_APART, ("app/window/live", "app/gpu/driver")]),
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
