# `make play` and `make table` are for those who play, `make test` for those who change something. PYTHON=python3.12
# chooses another Python.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
FAST := .venv-fast
FAST_PIP = $(FAST)/bin/python -m pip --quiet --disable-pip-version-check
# The tests of what is compiled; of those that are marked `check` fuzzing, and agreement card by card.
COMPILED_TESTS := tests/cards tests/protocol tests/dealer tests/tournament/replay \
	$(addprefix tests/twentyone/mancala/test_,board.py checks.py finite_domains.py instances.py predicates.py rules.py) \
	$(addprefix tests/player/test_,bets.py client.py counting.py delayed_answers.py episodes.py late.py returning.py \
	splits_and_bets.py trainer.py training_at_vegas.py training_returns.py)
COMPILED_CHECKS := tests/protocol/test_fuzz_dealer.py tests/protocol/test_fuzz_states.py tests/test_agreement_by_card.py
PACKAGES := cards dealer player protocol qtables tournament twentyone
SOURCES := $(shell find $(PACKAGES) -name '*.py') setup.py pyproject.toml
EXAMPLES ?= 1000000
SEED ?= 39
WORKERS ?= --numprocesses auto --dist worksteal

.PHONY: play table fast test check rest check-fast style types tests page docs pictures coverage long format clean

play: $(VENV)/core
	@BIN="$(BIN)" PATH="$(CURDIR)/$(BIN):$$PATH" examples/play.sh

# A table in the browser as Play now opens one there: you and three bots, with chips and hints.
table: $(VENV)/core
	$(BIN)/dealer 8088 0 --rules vegas --bets 10-500 --bankroll 1000 --seats 4 --bots 3 --practice --open

# The commands with C extensions of the same source, in an environment of their own: .venv-fast/bin. What is built is a copy
# of the source, so that nothing compiled lies beside it, and an edit is never hidden by an older build.
fast: $(FAST)/built

# Before every commit: style with imports, types, and the tests that are not marked `check`.
test: style
	@$(MAKE) --no-print-directory --jobs=2 types tests

# Everything: the rest of the tests, beside which the compiled build is made, and then the tests of what is compiled on that.
check: test
	@$(MAKE) --no-print-directory --jobs=2 rest $(FAST)/test
	@$(MAKE) --no-print-directory check-fast

rest: $(VENV)/test
	$(BIN)/pytest $(WORKERS) -m check

# In a folder without the packages that have anything compiled, so that those that are installed are tested.
check-fast: $(FAST)/test
	@rm -rf $(FAST)/tested
	@mkdir $(FAST)/tested
	@cp -R $(filter-out $(filter-out qtables,$(PACKAGES)) node_modules build biome.json,$(wildcard *)) $(FAST)/tested
	cd $(FAST)/tested && ../bin/pytest $(WORKERS) -m 'not check' $(COMPILED_TESTS)
	cd $(FAST)/tested && ../bin/pytest $(WORKERS) -m check $(COMPILED_CHECKS)

style: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo --no-cache

types: $(VENV)/test
	$(BIN)/mypy

tests: $(VENV)/test
	$(BIN)/pytest $(WORKERS) -m 'not check'

# The checks of the page's JavaScript alone, which the tests run too: they need node 20 or newer.
page: node_modules
	npm run --silent lint
	npm run --silent types
	npm run --silent test

# The documentation as a site: docs/_build/index.html. A warning is an error. It is always built anew, since the reference is
# made from the code.
docs: $(VENV)/test
	$(BIN)/sphinx-build --builder html --fresh-env --fail-on-warning --keep-going --quiet docs docs/_build

# Its pictures, drawn again by the commands and by a browser (Debian: chromium and chromium-driver).
pictures: $(VENV)/test
	$(BIN)/python docs/pictures/make.py

# The same tests, and which lines they never ran: takes more than twice as long.
coverage: $(VENV)/test
	$(BIN)/coverage erase
	TRUE_STARTS=1 $(BIN)/coverage run -m pytest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# What is too slow for every run: a million examples of legal play mixed with junk, where the suite runs 2,000; a million
# rounds by random rules beside the second statement of the rules, where it plays 20,000; all 90 sets of rules whose
# values are known; the games of Mancala that take longest; every table of the page in windows of every size; 50 programs
# that play while one of two dealers is killed, or drained and replaced, where the suite has 5 and 6; and a dealer with a
# state that is killed or stopped 50 times within 2,000 rounds, or restarted under 200 programs, where the suite has a
# tenth. SEED is theirs.
long: $(VENV)/test
	FUZZ_EXAMPLES=$(EXAMPLES) EVERY_GAME=1 EVERY_SIZE=1 EVERY_PROGRAM=$(SEED) EVERY_KILL=$(SEED) $(BIN)/pytest \
		tests/web/test_sweep.py tests/replaced tests/proxies/test_drained.py \
		tests/protocol/test_fuzz_dealer.py tests/protocol/test_fuzz_states.py \
		tests/cards/test_random_rules.py tests/twentyone/exact/values/test_known_values.py \
		tests/twentyone/mancala/test_perfect.py tests/proxies/test_haproxy.py

format: $(VENV)/test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) $(FAST) node_modules build docs/_build *.egg-info .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache

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

$(FAST)/python:
	$(PYTHON) -m venv $(FAST)
	@touch $@

# From an empty folder each time, since an older build in the way of a new one misleads mypyc. What the package imports is
# installed first: mypyc reads its types.
$(FAST)/built: $(FAST)/python $(SOURCES) constraints.txt
	@rm -rf $(FAST)/built $(FAST)/source $(FAST)/wheel
	@mkdir $(FAST)/source
	@cp -R $(PACKAGES) setup.py pyproject.toml README.md LICENSE $(FAST)/source
	$(FAST_PIP) install -c constraints.txt mypy setuptools './$(FAST)/source[all]'
	@rm -rf $(FAST)/source/build
	TWENTYONE_COMPILE=1 $(FAST_PIP) wheel --no-deps --no-build-isolation --wheel-dir $(FAST)/wheel ./$(FAST)/source
	$(FAST_PIP) install --force-reinstall --no-deps $(FAST)/wheel/*.whl
	@touch $@

$(FAST)/test: $(FAST)/built
	$(FAST_PIP) install -c constraints.txt "$$(echo $(FAST)/wheel/*.whl)[test]"
	@touch $@

node_modules: package.json
	npm install --no-audit --no-fund --loglevel=error
	@touch $@
