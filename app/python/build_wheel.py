#!/usr/bin/python3
"""Packs the built program as a Python package: build_wheel.py BUILD MODULE OUT writes OUT/haloscope-VERSION-….whl.

The same components as in cpack's archive, with the program that was linked for it (haloscope_wheel) and the module that
pages execute. The tag says which C library the files need: the newest version of glibc that any of them names.
"""

import base64
import hashlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

LIMIT = 100_000_000  # bytes
GLIBC = (2, 34)  # with which it must do
HERE = Path(__file__).resolve().parent


def glibc_of(file: Path) -> tuple[int, int]:
    """The newest version of glibc that an ELF file needs."""
    if file.open("rb").read(4) != b"\x7fELF":
        return (0, 0)
    said = subprocess.run(["readelf", "--version-info", "--wide", file], check=True, capture_output=True, text=True).stdout
    needs = said.partition(".gnu.version_r")[2]
    if "GLIBC_ABI_DT_RELR" in needs:
        return (2, 36)
    return max([(int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", needs)], default=(0, 0))


def ask_for_older(library: Path, newer: str, older: str) -> None:
    """What a library needs of the version `newer` of glibc it takes from `older`, which has it, too."""

    def version_hash(name: str) -> int:  # as the System V ABI has it
        value = 0
        for letter in name.encode():
            value = (value << 4) + letter
            value = (value ^ (value & 0xF0000000) >> 24) & 0x0FFFFFFF
        return value

    content = bytearray(library.read_bytes())
    headers, size, count, _ = (struct.unpack_from("<Q", content, 0x28)[0], *struct.unpack_from("<HHH", content, 0x3A))
    sections = [struct.unpack_from("<IIQQQQIIQQ", content, headers + i * size) for i in range(count)]
    need = next(section for section in sections if section[1] == 0x6FFFFFFE)  # SHT_GNU_verneed
    strings = sections[need[6]]
    named = {}
    at = need[4]
    while True:
        _, entries, _, first, following = struct.unpack_from("<HHIII", content, at)
        entry = at + first
        for _ in range(entries):
            _, _, _, name, step = struct.unpack_from("<IHHII", content, entry)
            begin = strings[4] + name
            named[content[begin : content.index(0, begin)].decode()] = (entry, name)
            entry += step
        if following == 0:
            break
        at += following
    if newer not in named or older not in named:
        sys.exit(f"haloscope: error: {library.name} does not need {newer} and {older}: see {Path(__file__).name}")
    struct.pack_into("<I", content, named[newer][0], version_hash(older))
    struct.pack_into("<I", content, named[newer][0] + 8, named[older][1])
    library.write_bytes(content)


def allow_older_glibc(spare: Path) -> None:
    """Makes Debian's libraries do with glibc 2.34, where a single function of each is of a newer version."""
    for machine_has in ("libstdc++.so.6", "libgcc_s.so.1"):  # as NumPy needs them, too
        (spare / machine_has).unlink()
    # Cairo and Pango, which no driver uses, come from the package in any case.
    for library in [*spare.glob("libcairo.so.*"), *spare.glob("libpango*.so.*")]:
        library.rename(spare.parent / library.name)
    ask_for_older(spare.parent / "libcairo.so.2", "GLIBC_2.35", "GLIBC_2.2.5")  # hypot
    # arc4random_buf, of the C library or else of libbsd.
    subprocess.run(["patchelf", "--page-size", "4096", "--clear-symbol-version", "arc4random_buf", "--add-needed",
                    "libbsd.so.0", spare / "libexpat.so.1"], check=True)
    ask_for_older(spare / "libexpat.so.1", "GLIBC_2.36", "GLIBC_2.2.5")


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit("usage: build_wheel.py BUILD MODULE OUT")
    build, module, out = (Path(word).resolve() for word in sys.argv[1:])
    if not module.is_file():
        sys.exit(f"haloscope: error: {module} is missing: ./run.sh --pages builds it")
    version = re.search(r"project\(haloscope VERSION (\S+)", (HERE.parents[1] / "CMakeLists.txt").read_text())[1]
    with tempfile.TemporaryDirectory() as scratch:
        package = Path(scratch) / "haloscope"
        shutil.copytree(HERE / "haloscope", package, ignore=shutil.ignore_patterns("__pycache__"))
        for component in ("program", "fonts", "libraries", "wheel"):
            if component == "wheel":
                # It replaces the program, which CMake keeps if the two are less than a second apart.
                (package / "bundle/bin/haloscope").unlink()
            subprocess.run(["cmake", "--install", build, "--prefix", package / "bundle", "--component", component,
                            "--strip"], check=True, stdout=subprocess.DEVNULL)
        allow_older_glibc(package / "bundle/lib/haloscope/spare")
        assets = package / "bundle/share/haloscope/assets"
        (assets / "module").mkdir()
        shutil.copy(module, assets / "module/haloscope.wasm")
        shutil.copy(module.with_name("course.wasm"), assets / "module/course.wasm")

        files = sorted(path for path in package.rglob("*") if path.is_file())
        needed, by = max((glibc_of(path), path) for path in files)
        if needed > GLIBC:
            sys.exit(f"haloscope: error: {by.name} needs glibc {needed[0]}.{needed[1]}, newer than {GLIBC[0]}.{GLIBC[1]}")
        tag = f"py3-none-manylinux_{needed[0]}_{needed[1]}_x86_64"
        info = Path(scratch) / f"haloscope-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: haloscope\nVersion: {version}\n"
            "Summary: A microscope for CUDA stencil and convolution kernels\nLicense: MIT\n"
            "Requires-Python: >=3.9\nProvides-Extra: arrays\nRequires-Dist: numpy; extra == 'arrays'\n")
        (info / "WHEEL").write_text(
            f"Wheel-Version: 1.0\nGenerator: haloscope\nRoot-Is-Purelib: false\nTag: {tag}\n")
        (info / "entry_points.txt").write_text("[console_scripts]\nhaloscope = haloscope:main\n")
        shutil.copy(HERE.parents[1] / "LICENSE", info / "LICENSE")
        files += sorted(info.iterdir())

        out.mkdir(parents=True, exist_ok=True)
        for old in out.glob("haloscope-*.whl"):
            old.unlink()
        wheel = out / f"haloscope-{version}-{tag}.whl"
        record = ""
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in files:
                name, content = path.relative_to(scratch).as_posix(), path.read_bytes()
                entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same files make the same wheel
                entry.external_attr = (0o100755 if path.stat().st_mode & 0o100 else 0o100644) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, content)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                record += f"{name},sha256={digest},{len(content)}\n"
            name = f"{info.name}/RECORD"
            archive.writestr(name, record + f"{name},,\n")
    size = wheel.stat().st_size
    print(f"haloscope: {wheel}: {size / 1e6:.1f} MB; glibc {needed[0]}.{needed[1]}, which {by.name} needs")
    if size > LIMIT:
        sys.exit(f"haloscope: error: the wheel is larger than {LIMIT / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
