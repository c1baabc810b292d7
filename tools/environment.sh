#!/bin/sh
# environment.sh FOLDER CONSTRAINTS PACKAGES...: a virtual environment of its own; FOLDER/installed marks it complete.
set -eu
folder=$1; constraints=$2; shift 2
if [ ! -x "$folder/bin/pip" ]; then
    python=$(sh "$(dirname "$0")/find_python.sh")
    echo "Making $folder with $("$python" --version)"
    rm -rf "$folder"
    "$python" -m venv "$folder"
fi
echo "Installing into $folder (a minute or two, the first time only)"
"$folder/bin/python" -m pip install --disable-pip-version-check --progress-bar off --quiet -c "$constraints" "$@"
touch "$folder/installed"
