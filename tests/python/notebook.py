"""A notebook in JupyterLab in Chromium: notebook.py FOLDER PICTURE. Executes its cells as a reader does, waits until the
page below the cell can execute, and takes a picture."""

import asyncio
import base64
import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from tornado.websocket import websocket_connect

folder, picture = Path(sys.argv[1]), Path(sys.argv[2])
CELLS = [
    'import haloscope\nhaloscope.ask("stencil/coarsened", "op_per_byte.block", IN_TILE_DIM=8)',
    'haloscope.block("stencil/coarsened", IN_TILE_DIM=8)',
    "%load_ext haloscope",
    "%%haloscope\n__global__ void blur(const float* in, float* out, int n) {\n  __shared__ float tile[64];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  tile[threadIdx.x] = in[i];\n"
    "  if (threadIdx.x > 0) out[i] = tile[threadIdx.x - 1] + tile[threadIdx.x];\n}",
]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def fetched(url: str) -> object:
    with urllib.request.urlopen(url, timeout=5) as answer:
        return json.load(answer)


async def until(condition, what: str, seconds: float = 90) -> object:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if value := await condition():
                return value
        except OSError:
            pass
        await asyncio.sleep(0.5)
    raise SystemExit(f"after {seconds} s there is no {what}")


class Target:
    """A page or a frame of Chromium, by its debugging protocol."""

    def __init__(self, socket_: object) -> None:
        self.socket, self.sent = socket_, 0

    async def do(self, method: str, **parameters: object) -> dict:
        self.sent += 1
        await self.socket.write_message(json.dumps({"id": self.sent, "method": method, "params": parameters}))
        while True:
            answer = json.loads(await self.socket.read_message())
            if answer.get("id") == self.sent:
                return answer.get("result", {})

    async def says(self, script: str) -> object:
        done = await self.do("Runtime.evaluate", expression=script, returnByValue=True)
        return done.get("result", {}).get("value")


async def connect(address: str) -> Target:
    return Target(await websocket_connect(address, max_message_size=1 << 27))


async def main(jupyter: int, chromium: int) -> None:
    async def targets() -> list:
        return fetched(f"http://127.0.0.1:{chromium}/json")

    async def page_target() -> object:
        return next((one for one in await targets() if one["type"] == "page"), None)

    page = await connect((await until(page_target, "browser"))["webSocketDebuggerUrl"])

    async def server() -> object:
        return fetched(f"http://127.0.0.1:{jupyter}/api")

    await until(server, "Jupyter")
    await page.do("Page.navigate", url=f"http://127.0.0.1:{jupyter}/lab/tree/course.ipynb")

    async def cells() -> object:
        return await page.says("document.querySelectorAll('.jp-CodeCell').length") == len(CELLS)

    await until(cells, "notebook")
    await asyncio.sleep(3)  # the kernel starts
    await page.says("document.querySelector('.jp-CodeCell .cm-content').focus()")
    for _ in CELLS:  # Shift + Enter
        for kind in ("rawKeyDown", "keyUp"):
            await page.do("Input.dispatchKeyEvent", type=kind, modifiers=8, key="Enter", code="Enter",
                          windowsVirtualKeyCode=13)
        await asyncio.sleep(0.5)

    async def executed() -> object:
        return await page.says("document.querySelectorAll('iframe[title=Haloscope]').length") == 2

    await until(executed, "page below two cells")
    words = await page.says("document.querySelector('.jp-Notebook').innerText")
    assert "race-shared: tile[" in words, words

    async def executing() -> object:
        frames = [one for one in await targets() if one["type"] == "iframe"]
        for one in frames:
            frame = await connect(one["webSocketDebuggerUrl"])
            if not await frame.says("Boolean(controls.player.live && !controls.player.live.busy)"):
                return False
        return len(frames) == 2

    await until(executing, "page that executes")
    await page.says("document.querySelector('.jp-CodeCell').scrollIntoView()")
    await asyncio.sleep(2)
    taken = await page.do("Page.captureScreenshot")
    picture.write_bytes(base64.b64decode(taken["data"]))
    await page.says("document.querySelectorAll('.jp-CodeCell')[3].scrollIntoView()")
    await asyncio.sleep(2)
    taken = await page.do("Page.captureScreenshot")
    picture.with_stem(picture.stem + "-cell").write_bytes(base64.b64decode(taken["data"]))


notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
            "cells": [{"cell_type": "code", "id": f"cell-{index}", "metadata": {}, "execution_count": None, "outputs": [],
                       "source": text} for index, text in enumerate(CELLS)]}
(folder / "course.ipynb").write_text(json.dumps(notebook))
ports = free_port(), free_port()
log = (folder / "jupyter.log").open("w")
started = [
    subprocess.Popen([sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.token=",
                      "--ServerApp.password=", f"--port={ports[0]}", f"--notebook-dir={folder}"], stdout=log, stderr=log),
    subprocess.Popen([shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                      f"--user-data-dir={folder}/profile", f"--remote-debugging-port={ports[1]}",
                      "--window-size=1280,1000", "about:blank"], stdout=log, stderr=log),
]
try:
    asyncio.run(main(*ports))
finally:
    for one in started:
        one.terminate()
    for one in started:
        one.wait()
