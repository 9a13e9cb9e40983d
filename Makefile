# Every target sets up what it needs: a virtual environment with the locked dependencies and the project.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := bot engine playground storage benchmarks tests

.DEFAULT_GOAL := help
.PHONY: help play run test lint format bench migrate lock

help: ## List the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

play: $(VENV)/.runtime ## Start the playground and the bot in it; no token needed
	@$(BIN)/python -m playground

run: $(VENV)/.runtime ## Start the bot on Telegram with the token from .env
	@$(BIN)/python -m bot

test: $(VENV)/.develop ## Run the tests
	@$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(VENV)/.develop ## Check formatting, style and types
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy

format: $(VENV)/.develop ## Format the code and mend what can be mended
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

bench: $(VENV)/.develop ## Run the benchmarks and print their tables
	@$(BIN)/python -m benchmarks

migrate: $(VENV)/.runtime ## Bring the database to the newest schema
	@$(BIN)/python -m storage migrate

lock: $(VENV)/.develop ## Pin the dependencies anew, with their hashes
	$(BIN)/uv pip compile -q --upgrade --universal --generate-hashes --no-header --no-emit-index-url \
		pyproject.toml --group build -o requirements.lock
	$(BIN)/uv pip compile -q --upgrade --universal --generate-hashes --no-header --no-emit-index-url \
		pyproject.toml --group dev -o requirements-dev.lock

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "OXO needs Python 3.11 or newer, and $(PYTHON) is older or missing. Name another with: make PYTHON=python3.12 play" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: $(VENV)/bin/python requirements.lock pyproject.toml
	@echo "Installing OXO into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.develop: $(VENV)/.runtime requirements-dev.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@
