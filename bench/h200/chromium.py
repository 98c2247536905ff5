"""Runs the lab's page in a headless Chromium on this machine's GPU: chromium.py CHROMIUM DIST OUT [ADDRESS...].

Each ADDRESS is a lab's link less its origin, as in `lab.html#lab=transpose&size=4096x4096`. For each it presses Run, waits,
prints the table and leaves a picture in OUT. Nothing but Python and Chromium is needed: the browser is spoken to in the
DevTools protocol through a pipe.
"""

import base64
import functools
import http.server
import json
import os
import subprocess
import sys
import threading
import time

FLAGS = [
    "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", "--disable-dev-shm-usage",
    "--enable-unsafe-webgpu", "--ignore-gpu-blocklist", "--enable-features=Vulkan", "--use-vulkan=native",
    "--use-angle=vulkan", "--disable-vulkan-surface",
]
ADDRESSES = [
    "lab.html#lab=transpose&size=4096x4096", "lab.html#lab=transpose&size=16384x16384",
    "lab.html#lab=transpose&size=10007x9973&var=transpose_scalar,copy_row", "lab.html#lab=reduce&size=16777216",
    "lab.html#lab=reduce&size=268435456", "lab.html#lab=stride",
]
MOST_SECONDS = 150
WIDTH, HEIGHT = 1280, 900
RUN = "document.querySelector('[data-testid=lab-run]')"
TABLE = ("[...document.querySelectorAll('[data-testid=lab-results] tr')]"
         ".map(row => [...row.children].map(cell => cell.textContent).join(' ; ')).join('\\n')")


class Files(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map,
                      ".wasm": "application/wasm", ".js": "text/javascript"}

    def log_message(self, *_):
        pass


def serve(folder):
    handler = functools.partial(Files, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


class Browser:
    """A Chromium that reads commands from descriptor 3 and answers on 4."""

    def __init__(self, program, profile):
        read_ours, write_theirs = os.pipe()
        read_theirs, self.commands = os.pipe()

        def wire():
            # Both out of the way first: either may be 3 or 4.
            kept = os.dup2(read_theirs, 50), os.dup2(write_theirs, 51)
            os.dup2(kept[0], 3)
            os.dup2(kept[1], 4)

        self.process = subprocess.Popen([program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
                                        preexec_fn=wire, close_fds=False, stderr=subprocess.DEVNULL)
        self.answers = read_ours
        self.rest, self.count = b"", 0
        os.close(write_theirs)

    def call(self, method, session=None, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.answer()
            if answer.get("id") == message["id"]:
                return answer["result"]

    def answer(self):
        while b"\0" not in self.rest:
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                raise SystemExit("Chromium ended")
            self.rest += piece
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)


class Page:
    def __init__(self, browser, address):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.resize(HEIGHT)
        self.call("Page.navigate", url=address)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def ask(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def wait(self, expression):
        end = time.time() + MOST_SECONDS
        while time.time() < end and not self.ask(expression):
            time.sleep(1)

    def resize(self, height):
        self.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=height, deviceScaleFactor=1, mobile=False)

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def picture(self, path):
        self.resize(min(int(self.ask("document.documentElement.scrollHeight")), 8000))
        time.sleep(1)
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


def main(program, dist, out, *addresses):
    origin = serve(dist)
    os.makedirs(out, exist_ok=True)
    browser = Browser(program, os.path.join(out, "profile"))
    for number, address in enumerate(addresses or ADDRESSES):
        page = Page(browser, origin + address)
        page.wait(f"{RUN} !== null")
        page.ask(f"{RUN}.click()")
        time.sleep(2)
        page.wait(f"!{RUN}.disabled")
        print(address, page.ask(TABLE), sep="\n", flush=True)
        page.picture(os.path.join(out, f"{number}.png"))
    browser.process.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
