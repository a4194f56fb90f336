#!/usr/bin/python3
"""Keep the catalogues of translations, assets/languages/*.po, in step with the sources.

  language.py            checks: fails on texts that are untranslated, unused, twice there, or have other placeholders than
                         the English, and on lines that gettext cannot read
  language.py update     adds new texts to the catalogues, removes unused ones (gettext's msgmerge)
  language.py missing    prints the untranslated entries, for a translator (gettext's msgattrib)

Texts are the literals in tr(), trf(), trn(), trPrint(), trnPrint() and trMark() (app/core/language/Text.h), and what the
headers of kernels/, assets/buglab/, assets/exercises/ and assets/make/ say to readers.
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ["app", "ui"]
HEADERS = ["kernels", "assets/buglab", "assets/exercises", "assets/make"]
CATALOGUES = ROOT / "assets" / "languages"

COMMENTS = re.compile(
    r'(?P<keep>R"(?P<end>[^()\\\s]*)\(.*?\)(?P=end)"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\')|//[^\n]*|/\*.*?\*/',
    re.DOTALL,
)
LITERAL = r'"(?:\\.|[^"\\\n])*"'
LITERALS = rf"{LITERAL}(?:\s*{LITERAL})*"
CALL = re.compile(rf"\b(?P<kind>tr|trf|trn|trMark|trPrint|trnPrint)\(\s*(?:std(?:err|out),\s*)?(?P<one>{LITERALS})(?P<more>\s*,\s*(?P<many>{LITERALS}))?")
FIELD = re.compile(r"\{\{|\}\}|\{(?P<arg>\w*)(?P<spec>(?::(?:[^{}]|\{\w*\})*)?)\}")
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
HEADER = re.compile(r"^/\* haloscope\n(.*?)^\*/", re.DOTALL | re.MULTILINE)
# Keys of a header whose values are shown, as one line or folded.
SHOWN = re.compile(r"^(?:title|idea|climb|task|hint|  legend): +(?P<text>[^>\n].*|>-?\n(?:  .*\n)+)", re.MULTILINE)
FILTER = re.compile(r"^    (?P<text>[A-Za-z ]+): +[-\d./,]+;[-\d./,;]+$", re.MULTILINE)  # a problem's
# What a task in which a kernel is written says: folded texts, lines of its outline, what its goals count, their hints.
MAKE = re.compile(r"^make:\n(?:(?: .*)?\n)+", re.MULTILINE)
FOLDED = re.compile(r"^(?P<indent> +)[a-z-]+: >-?\n(?P<text>(?:(?P=indent) +.*\n)+)", re.MULTILINE)
DRAWING = re.compile(r"^  drawing: \|2?\n(?P<text>(?:(?:    .*)?\n)+)", re.MULTILINE)
LINE = re.compile(r"^(?:    - (?!reach:)| +(?:says|hint): )(?P<text>[^>\n].*)$", re.MULTILINE)
MEANING = re.compile(r"\bmeaning: *(?P<text>\"[^\"]*\"|'[^']*'|[^,}\n]+)")


@dataclass
class Text:
    where: str
    formatted: bool = False
    plural: str = ""


def plain(literals: str) -> str:
    """What C++ literals say, one after the other."""
    inner = "".join(part[1:-1] for part in re.findall(LITERAL, literals))
    return re.sub(r"\\(.)", lambda m: ESCAPES[m[1]], inner)


def texts_of_sources() -> dict[str, Text]:
    texts: dict[str, Text] = {}
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h") or path.name == "Text.h":
                continue
            code = COMMENTS.sub(lambda m: m["keep"] or re.sub(r"[^\n]", " ", m[0]), path.read_text())
            for call in CALL.finditer(code):
                where = f"{path.relative_to(ROOT)}:{code.count(chr(10), 0, call.start()) + 1}"
                text = texts.setdefault(plain(call["one"]), Text(where))
                text.formatted |= call["kind"] in ("trf", "trn", "trPrint", "trnPrint")
                if call["kind"] in ("trn", "trnPrint") and call["many"]:
                    text.plural = plain(call["many"])
    return texts


def texts_of_headers() -> dict[str, Text]:
    texts: dict[str, Text] = {}
    for folder in HEADERS:
        for path in sorted((ROOT / folder).rglob("*.cu")):
            header = HEADER.match(path.read_text())
            made = MAKE.search(header[1]) if header else None
            found_in = [(pattern, header[1]) for pattern in (SHOWN, MEANING, FILTER)] if header else []
            found_in += [(pattern, made[0]) for pattern in (FOLDED, LINE)] if made else []
            for found in [one for pattern, text in found_in for one in pattern.finditer(text)]:
                text = " ".join(found["text"].removeprefix(">-").removeprefix(">").split())
                if text[0] in "\"'" and text[-1] == text[0]:
                    text = text[1:-1]
                texts.setdefault(text, Text(str(path.relative_to(ROOT))))
            for found in DRAWING.finditer(made[0] if made else ""):
                texts.setdefault(re.sub("^    ", "", found["text"], flags=re.MULTILINE), Text(str(path.relative_to(ROOT))))
    return texts


def fields(text: str) -> Counter:
    """The placeholders of a format, whatever their order, with the numbers of their arguments."""
    found = Counter()
    following = 0
    for field in FIELD.finditer(text):
        if field[0] in ("{{", "}}"):
            continue
        number = field["arg"] or str(following)
        following += 1 + field["spec"].count("{")
        found[number, field["spec"]] += 1
    return found


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def template(texts: dict[str, Text]) -> str:
    """A .pot file."""
    entries = ['msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n']
    for english, text in texts.items():
        plural = f"msgid_plural {quoted(text.plural)}\nmsgstr[0] \"\"\n" if text.plural else 'msgstr ""\n'
        entries.append(f"#: {text.where}\nmsgid {quoted(english)}\n{plural}")
    return "\n".join(entries)


@dataclass
class Entry:
    where: str
    english: str = ""
    translation: str = ""
    fuzzy: bool = False


ENTRY_LINE = re.compile(rf'(?:(?P<key>msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) +)?(?P<text>{LITERAL})$')


def read_catalogue(path: Path, problems: list[str]) -> list[Entry]:
    """Its entries; what gettext would not read is added to the problems."""
    entries: list[Entry] = []
    lines: dict[str, str] = {}
    entry, key = Entry(""), ""
    for number, line in enumerate([*path.read_text().split("\n"), ""], 1):
        where = f"{path.relative_to(ROOT)}:{number}"
        if not line.strip():
            if entry.english:
                entries.append(entry)
                if entry.english in lines:
                    problems.append(f"{entry.where}: {quoted(entry.english)} is also at {lines[entry.english]}: keep one")
                lines[entry.english] = entry.where
            entry, key = Entry(""), ""
            continue
        if line.startswith("#"):
            entry.fuzzy |= line.startswith("#,") and "fuzzy" in line
            continue
        found = ENTRY_LINE.match(line)
        if not found or not (found["key"] or key) or (found["key"] == "msgid" and entry.where):
            problems.append(f'{where}: this is no line of an entry (msgid "…", msgstr "…", an empty line between two)')
            continue
        key = found["key"] or key
        entry.where = entry.where or where
        try:
            if key == "msgid":
                entry.english += plain(found["text"])
            elif key.startswith("msgstr"):
                entry.translation += plain(found["text"])
        except KeyError as escape:
            problems.append(f"{where}: \\{escape.args[0]} is no escape sequence")
    return entries


def run(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def update(texts: dict[str, Text]) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".pot") as pot:
        pot.write(template(texts))
        pot.flush()
        for path in sorted(CATALOGUES.glob("*.po")):
            merged = run("msgmerge", "--quiet", "--no-fuzzy-matching", "--no-wrap", "--no-location", "--sort-output",
                         "--output-file=-", str(path), pot.name)  # fmt: skip
            path.write_text(merged)
            path.write_text(run("msgattrib", "--no-obsolete", "--no-wrap", "--no-location", "--sort-output", str(path)))


def missing(texts: dict[str, Text]) -> None:
    """With the places of the texts, which say what they are about."""
    with tempfile.NamedTemporaryFile("w", suffix=".pot") as pot:
        pot.write(template(texts))
        pot.flush()
        for path in sorted(CATALOGUES.glob("*.po")):
            merged = run("msgmerge", "--quiet", "--no-fuzzy-matching", "--no-wrap", "--output-file=-", str(path), pot.name)
            subprocess.run(["msgattrib", "--untranslated", "--no-wrap"], input=merged, text=True, check=True)


def check(texts: dict[str, Text]) -> int:
    problems = []
    for path in sorted(CATALOGUES.glob("*.po")):
        name = path.relative_to(ROOT)
        entries = {entry.english: entry for entry in read_catalogue(path, problems)}
        for english, text in texts.items():
            entry = entries.get(english)
            if entry is None or not entry.translation or entry.fuzzy:
                problems.append(f"{text.where}: {quoted(english)} has no translation in {name}")
                continue
            if text.formatted and fields(text.plural or english) != fields(entry.translation):
                problems.append(f"{name}: {quoted(english)}: the translation has other placeholders: {quoted(entry.translation)}")
            if [c == "\n" for c in (english[0], english[-1])] != [c == "\n" for c in (entry.translation[0], entry.translation[-1])]:
                problems.append(f"{name}: {quoted(english)}: the translation begins or ends with another line break")
        problems += [f"{name}: {quoted(english)} is used nowhere" for english in entries if english not in texts]
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print(f"{len(problems)} problems; app/cmake/language.py update follows the sources", file=sys.stderr)
    return 1 if problems else 0


def main() -> int:
    texts = {**texts_of_headers(), **texts_of_sources()}
    action = sys.argv[1] if len(sys.argv) > 1 else "check"
    if action == "check":
        return check(texts)
    {"update": update, "missing": missing}[action](texts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
