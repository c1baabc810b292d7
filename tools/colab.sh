#!/bin/sh
# Executes every notebook live, and drives the classic front end, with the package versions of Colab's runtime
# (constraints/colab.txt) on Python 3.13 where there is one, else on what there is.
set -eu
cd "$(dirname "$0")/.."
environment=.venv-colab
for candidate in ${COLAB_PYTHON:-} python3.13 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, 13))' >/dev/null 2>&1; then
        PYTHON=$candidate; export PYTHON; break
    fi
done
if [ ! -e "$environment/installed" ] || [ constraints/colab.txt -nt "$environment/installed" ]; then
    sh tools/environment.sh "$environment" constraints/colab.txt \
        ipykernel ipython ipywidgets jupyter_client matplotlib nbclassic nbclient notebook numpy traitlets \
        widgetsnbextension pytest pytest-xdist playwright nbformat
fi
echo "Colab's versions on $("$environment/bin/python" --version)"
GPUSIM_ALL_TESTS=1 "$environment/bin/python" -m pytest -n auto tests/live tests/show/test_explore.py "$@"
