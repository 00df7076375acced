# Two commands do everything: `make play` and `make test`; `make table` opens a table in the browser. PYTHON=python3.12 chooses another Python.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
EXAMPLES ?= 1000000

.PHONY: play table test style types tests coverage fuzz format clean

play: $(VENV)/core
	@BIN="$(BIN)" PATH="$(CURDIR)/$(BIN):$$PATH" tools/play.sh

# A table of five in the browser: you and four bots.
table: $(VENV)/core
	$(BIN)/dealer 8088 0 --rules casino --seats 5 --bots 4 --open

test: style types tests

style: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test
	$(BIN)/mypy

tests: $(VENV)/test
	$(BIN)/pytest --numprocesses auto --dist loadfile

# The same tests, and which lines they never ran: takes more than twice as long.
coverage: $(VENV)/test
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# A million examples of legal play mixed with junk; the suite runs 2,000.
fuzz: $(VENV)/test
	FUZZ_EXAMPLES=$(EXAMPLES) $(BIN)/pytest tests/protocol/test_fuzz.py

format: $(VENV)/test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .axe build *.egg-info .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is too old: expected Python 3.11 or newer, as in make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/core: $(VENV)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/test: $(VENV)/core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	@touch $@
