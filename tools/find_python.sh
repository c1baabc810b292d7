#!/bin/sh
# Prints a Python that can build the book (3.11 or newer), newest known first; PYTHON=... overrides the search.
# Each candidate is run, since a version manager may leave a name on the path that starts nothing.
works() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

if [ -n "${PYTHON:-}" ]; then
    works "$PYTHON" || { echo "PYTHON=$PYTHON is not a Python 3.11 or newer that can make environments" >&2; exit 1; }
    echo "$PYTHON"; exit 0
fi
for candidate in python3.13 python3.12 python3.11 python3.14 python3 python \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[12]*/bin/python; do
    if works "$candidate"; then echo "$candidate"; exit 0; fi
done
cat >&2 <<'END'
The book needs Python 3.11 or newer, with venv (on Debian and Ubuntu: apt-get install python3-venv).
None of python3.13, python3.12, python3.11, python3 is one. Name yours: make book PYTHON=/path/to/python3
END
exit 1
