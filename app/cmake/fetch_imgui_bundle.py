#!/usr/bin/env python3
"""Fetch the source distribution of Dear ImGui Bundle and unpack the parts that Haloscope compiles.

`pip download` cannot be used: it builds the package's metadata before it downloads a source distribution, which
configures the whole bundle (minutes, and a full Python build environment). Here pip only looks up where the file is,
with the index, mirror, proxy and certificates that the user configured for it; the file is then streamed through pip's
HTTP session. Its SHA-256 is pinned: a file that differs is not unpacked.

Prints the folder that contains `external/` as its last line. To work without a network, set HALOSCOPE_IMGUI_BUNDLE to
the path of the archive.
"""

import argparse
import hashlib
import os
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "imgui-bundle"
VERSION = "1.93.0"
SHA256 = "10ad1dab8258a6787b4f07bb926b08d0efc648a7906242568c8dd778c5e719bf"

# Folders of `external/` that are unpacked, because app/cmake/ImGuiBundle.cmake compiles them.
PARTS = (
    "imgui/imgui/",
    "implot/implot/",
    "ImGuiColorTextEdit/ImGuiColorTextEdit/",
    "imgui_rich_md/imgui_rich_md/external/md4c/src/",
    "imgui_test_engine/imgui_test_engine/imgui_test_engine/",
)
SKIPPED_SUFFIXES = (".jpg", ".gif", ".sln", ".vcxproj", ".filters", ".mm")
SKIPPED_FOLDERS = ("/example/", "/examples/", "/docs/", "/fonts/")


class FetchError(Exception):
    """A problem that the user can solve; printed as one line."""


def default_cache() -> Path:
    """One copy for all of a user's build folders and checkouts."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "haloscope"


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for chunk in iter(lambda: file.read(1 << 20), b""):
            digest.update(chunk)
    return digest.hexdigest()


def download(target: Path) -> None:
    """Stream the source distribution to `target`. Uses pip's internals; tried with pip 23.0, 23.2 and 25.1."""
    try:
        from pip._internal.commands.download import DownloadCommand
    except ImportError as error:
        raise FetchError(f"pip is missing for {sys.executable} (Debian: apt-get install python3-pip): {error}") from error

    command = DownloadCommand("download", "fetch a source distribution")
    options, _ = command.parse_args(["--no-binary", PACKAGE, PACKAGE])
    with command.main_context():
        session = command.get_default_session(options)
        finder = command._build_package_finder(options=options, session=session, ignore_requires_python=True)
        links = [
            candidate.link
            for candidate in finder.find_all_candidates(PACKAGE)
            if str(candidate.version) == VERSION and candidate.link.filename.endswith(".tar.gz")
        ]
        if not links:
            raise FetchError(f"pip's package index has no source distribution of {PACKAGE} {VERSION}; is it reachable?")
        response = session.get(links[0].url_without_fragment, stream=True, headers={"Accept-Encoding": "identity"})
        response.raise_for_status()
        total = int(response.headers.get("Content-Length", 0))
        done, shown = 0, -1
        with target.open("wb") as file:
            for chunk in response.iter_content(1 << 18):
                file.write(chunk)
                done += len(chunk)
                quarter = done * 4 // total if total else 0
                if quarter != shown:
                    shown = quarter
                    print(f"  {done / 1e6:.0f} of {total / 1e6:.0f} MB", file=sys.stderr, flush=True)


def wanted(member: tarfile.TarInfo) -> bool:
    """True for regular files of PARTS; links and unusual names are not unpacked."""
    if not member.isfile():
        return False
    _, _, inner = member.name.partition("/external/")
    if not inner.startswith(PARTS) or ".." in Path(member.name).parts:
        return False
    return not inner.endswith(SKIPPED_SUFFIXES) and not any(folder in inner for folder in SKIPPED_FOLDERS)


def unpack(archive: Path, target: Path) -> None:
    with tarfile.open(archive) as tar:
        for member in tar:
            if wanted(member):
                path = target / member.name.split("/", 1)[1]
                path.parent.mkdir(parents=True, exist_ok=True)
                with tar.extractfile(member) as source, path.open("wb") as file:
                    shutil.copyfileobj(source, file)


def fetch(cache: Path) -> Path:
    # The name contains a hash of the parts, so that a changed list is unpacked again.
    parts = hashlib.sha256(repr((PARTS, SKIPPED_SUFFIXES, SKIPPED_FOLDERS)).encode()).hexdigest()[:8]
    folder = cache / f"{PACKAGE}-{VERSION}-{SHA256[:8]}-{parts}"
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    # Unpacked into a temporary folder that is renamed at the end, so that an interrupted or a concurrent run never leaves
    # half a bundle behind.
    with tempfile.TemporaryDirectory(dir=cache, prefix=".fetch-") as scratch_name:
        scratch = Path(scratch_name)
        archive = scratch / f"{PACKAGE}.tar.gz"
        given = os.environ.get("HALOSCOPE_IMGUI_BUNDLE")
        if given:
            archive = Path(given)
        else:
            print(f"haloscope: downloading {PACKAGE} {VERSION}", file=sys.stderr, flush=True)
            download(archive)
        if not archive.is_file():
            raise FetchError(f"{archive} is not a file")
        found = sha256_of(archive)
        if found != SHA256:
            raise FetchError(f"{archive.name} has SHA-256 {found}, expected {SHA256}; not unpacked")
        unpacked = scratch / "unpacked"
        unpack(archive, unpacked)
        try:
            unpacked.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise a concurrent run unpacked the same files
                raise
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", type=Path, default=default_cache(), help="folder to unpack into (default: %(default)s)")
    arguments = parser.parse_args()
    try:
        print(fetch(arguments.cache))
    except FetchError as error:
        print(f"haloscope: error: {error}", file=sys.stderr)
        return 1
    except Exception as error:  # network, disk, pip: a traceback would not help
        print(f"haloscope: error: cannot fetch {PACKAGE} {VERSION}: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
