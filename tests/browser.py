"""A headless Chromium, spoken to through a pipe by its DevTools protocol: no package is needed.

    with browser.Browser() as b:
        b.open("file:///tmp/page.html")
        b.run("document.title")
        b.picture("page.png")
        b.complaints          # of scripts, and of what could not be loaded, since open()
"""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome"]
SECONDS = 60


def found():
    """The program's path, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self, width=1280, height=900):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_it, self.write = os.pipe()
        self.read, from_it = os.pipe()
        self.command = [found(), "--headless", "--no-sandbox", "--disable-gpu",
                        "--remote-debugging-pipe",
                        f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = self.start(to_it, from_it)
        self.waiting, self.events, self.number, self.session = b"", [], 0, None
        self.complaints, self.asked = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        for part in ["Page", "Runtime", "Network", "Log"]:
            self.call(f"{part}.enable")

    def start(self, to_it, from_it):
        """Chromium reads what it is told from 3 and answers on 4."""
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{to_it} 4>&{from_it}', "sh", *self.command],
            pass_fds=[to_it, from_it], stdin=quiet, stdout=quiet, stderr=quiet)
        os.close(to_it)
        os.close(from_it)
        return process

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.session = None
        self.call("Browser.close")
        self.process.wait(SECONDS)
        os.close(self.write)
        os.close(self.read)
        self.folder.cleanup()

    def message(self):
        while b"\0" not in self.waiting:
            got = os.read(self.read, 1 << 20)
            if not got:
                raise RuntimeError("the browser has ended")
            self.waiting += got
        first, self.waiting = self.waiting.split(b"\0", 1)
        return json.loads(first)

    def heard(self, event):
        """Notes what a page complains of and asks for."""
        what, told = event.get("method"), event.get("params", {})
        if what == "Runtime.exceptionThrown":
            self.complaints.append(told["exceptionDetails"]["text"])
        elif what == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.complaints.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")
        elif what == "Network.requestWillBeSent":
            self.asked.append(told["request"]["url"])
        self.events.append(what)

    def call(self, method, **given):
        self.number += 1
        told = {"id": self.number, "method": method, "params": given}
        if self.session:
            told["sessionId"] = self.session
        os.write(self.write, json.dumps(told).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.heard(answer)

    def open(self, url):
        self.complaints, self.asked, self.events = [], [], []
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self.heard(self.message())

    def run(self, script):
        """The value of an expression of the page's."""
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                         awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(f"{script}: {done['exceptionDetails']['text']}")
        return done["result"].get("value")

    def wait_for(self, script):
        """Until the expression is true, and what it is then."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            value = self.run(script)
            if value:
                return value
            time.sleep(0.05)
        return None

    def type(self, text):
        for each in text:
            self.call("Input.dispatchKeyEvent", type="keyDown", text=each)
            self.call("Input.dispatchKeyEvent", type="keyUp")

    def dark(self, is_dark):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])

    def picture(self, path, whole=False):
        made = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(made["data"]))
