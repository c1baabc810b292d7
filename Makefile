# make book   builds the book and serves it on this machine       make test   runs every test
# make html   only builds it, into _build/html                    make quick  runs the tests that take no patience
# make page NB=07   builds one page alone, in seconds             make bench  times the simulator and a slider step
# make kernels  writes book/kernels/*.cu into the notebooks       make measure  records times and counters on a real GPU
# make address URL=https://github.com/OWNER/REPOSITORY            make clean  removes all that was built or installed
PORT ?= 8000
BOOK := .venv-book
TEST := .venv-test
GPU := .venv-gpu

.PHONY: book html page test quick bench measure kernels address clean listings page-tests

book: html
	@$(BOOK)/bin/python tools/serve.py _build/html --port $(PORT)

html: $(BOOK)/installed
	@$(BOOK)/bin/python tools/build.py

page: $(BOOK)/installed
	@test -n "$(NB)" || { echo "say which: make page NB=07"; exit 1; }
	@$(BOOK)/bin/python tools/build.py --page "$(NB)"

test: $(TEST)/installed
	@$(TEST)/bin/python tools/chromium.py --install
	@$(TEST)/bin/python tools/tests.py $(ARGS)

quick: $(TEST)/installed
	@$(TEST)/bin/python -m pytest -n auto --dist loadfile -m "not slow and not live and not browser" $(ARGS)

bench: $(TEST)/installed
	@$(TEST)/bin/python tools/bench.py $(ARGS)
	@PYTHONPATH=.:tests/helpers $(TEST)/bin/python tools/bench_steps.py

measure: $(GPU)/installed
	@$(GPU)/bin/python tools/measure.py _build/measured $(ARGS)
	@$(GPU)/bin/python tools/collect.py _build/measured/raw.tar.gz

kernels: $(BOOK)/installed
	@$(BOOK)/bin/python tools/notebooks.py --write

# The simulator's tests in the Python of the built pages, where integers are narrower.
page-tests: $(TEST)/installed
	@$(TEST)/bin/python tools/page_tests.py $(ARGS)

listings: $(TEST)/installed
	@$(TEST)/bin/python tools/listings.py

address: $(BOOK)/installed
	@test -n "$(URL)" || { echo "say which: make address URL=https://github.com/OWNER/REPOSITORY"; exit 1; }
	@$(BOOK)/bin/python tools/address.py "$(URL)"

# What a reader needs to build: requirements.txt without CuPy, which only a machine with a GPU can use.
$(BOOK)/installed: requirements.txt constraints/book.txt tools/environment.sh
	@sh tools/environment.sh $(BOOK) constraints/book.txt $$(grep -v '^cupy' requirements.txt)

$(TEST)/installed: pyproject.toml constraints/book.txt tools/environment.sh
	@sh tools/environment.sh $(TEST) constraints/book.txt -e '.[test]'

# Only a machine with an NVIDIA GPU needs CuPy.
$(GPU)/installed: requirements.txt tools/environment.sh
	@sh tools/environment.sh $(GPU) constraints/gpu.txt numpy $$(grep '^cupy' requirements.txt | cut -d';' -f1)

clean:
	rm -rf _build $(BOOK) $(TEST) $(GPU) .venv-colab build gpusim.egg-info .pytest_cache
