"""Firefox for the tests, over its own remote control (Marionette): lines of JSON, no driver between."""

import itertools
import json
import shutil
import socket
import subprocess
import tempfile
import time

PREFERENCES = """\
user_pref("marionette.port", {port});
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
"""


def find():
    """The path of a Firefox, or None."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """A running Firefox without a window; `open` an address, `run` a script that gives a promise."""

    def __init__(self, path, patience=240):
        self.patience, self.numbers = patience, itertools.count(1)
        self.profile = tempfile.TemporaryDirectory()
        port = _free_port()
        with open(f"{self.profile.name}/user.js", "w") as preferences:
            preferences.write(PREFERENCES.format(port=port))
        command = [path, "--headless", "--marionette", "--no-remote", "--profile", self.profile.name]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = self._connected(port)
        self._receive()  # its greeting
        self.ask("WebDriver:NewSession", {})
        self.ask("WebDriver:SetTimeouts", {"script": patience * 1000, "pageLoad": patience * 1000})

    def _connected(self, port):
        for _ in range(self.patience * 2):
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=self.patience)
            except OSError:
                time.sleep(0.5)
        raise TimeoutError("Firefox does not answer")

    def ask(self, name, values):
        """Send one command; its result."""
        told = json.dumps([0, next(self.numbers), name, values]).encode()
        self.socket.sendall(str(len(told)).encode() + b":" + told)
        _, _, error, result = self._receive()
        if error:
            raise RuntimeError(f"{name}: {error['message']}")
        return result

    def _receive(self):
        length = b""
        while not length.endswith(b":"):
            length += self.socket.recv(1)
        parts, left = [], int(length[:-1])
        while left:
            parts.append(self.socket.recv(left))
            left -= len(parts[-1])
        return json.loads(b"".join(parts))

    def open(self, address):
        self.ask("WebDriver:Navigate", {"url": address})

    def run(self, script):
        """The value of the promise that an expression gives."""
        wrapped = (
            "const done = arguments[0]; (async () => { try { done({value: await (" + script + ")}); }"
            " catch (error) { done({error: String(error) + '\\n' + error.stack}); } })();"
        )
        told = self.ask("WebDriver:ExecuteAsyncScript", {"script": wrapped, "args": []})["value"]
        if "error" in told:
            raise RuntimeError(told["error"])
        return told.get("value")

    def close(self):
        self.process.terminate()
        self.process.wait(30)
        self.socket.close()
        self.profile.cleanup()


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
