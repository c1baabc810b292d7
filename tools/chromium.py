"""Finds Chromium for the browser tests; --install brings it by the system's package manager if it may."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
MANAGERS = {  # command -> what installs Chromium with it
    "apt-get": [["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]],
    "dnf": [["dnf", "install", "-y", "-q", "chromium"]],
    "pacman": [["pacman", "-Sy", "--noconfirm", "chromium"]],
    "apk": [["apk", "add", "chromium"]],
}
ADVICE = """The browser tests need Chromium or Chrome, and none was found. Any of these brings it:
    apt-get install chromium    dnf install chromium    pacman -S chromium    brew install --cask chromium
or set CHROMIUM=/path/to/the/program."""


def find():
    """The path of a Chromium or Chrome, or None. The variable CHROMIUM overrides the search."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    found = (shutil.which(name) for name in NAMES)
    return next((path for path in [*found, *MAC] if path and pathlib.Path(path).exists()), None)


def administrator():
    """The prefix that lets a command change the system without a question, or None where there is none."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    allowed = sudo and subprocess.run([sudo, "-n", "true"], capture_output=True).returncode == 0
    return [sudo, "-n"] if allowed else None


def install():
    """Bring Chromium through the package manager; False where that is not possible or fails."""
    manager = next((name for name in MANAGERS if shutil.which(name)), None)
    prefix = administrator()
    if manager is None or prefix is None:
        return False
    print(f"Installing Chromium with {manager}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    runs = [subprocess.run([*prefix, *command], env=environment).returncode for command in MANAGERS[manager]]
    return runs[-1] == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", action="store_true", help="bring it where it is missing")
    options = parser.parse_args()
    if find() is None and options.install:
        install()
    path = find()
    if path is None:
        sys.exit(ADVICE)
    print(f"Chromium: {path}")


if __name__ == "__main__":
    main()
