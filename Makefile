# Every target sets up what it needs: a virtual environment with the locked dependencies and the project.
PYTHON ?= python3
PORT ?= 8080
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
SOURCES := bot engine playground storage benchmarks tests tools
WORKERS ?= 4
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
LOCK := $(BIN)/uv pip compile --quiet $(UPGRADE) --universal --generate-hashes --no-strip-extras --no-header --no-emit-index-url

# Cache compiled modules for the next command, even if the environment says not to.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help play run quick test soak invariants coverage lint format texts screenshots bench migrate lock release

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-12s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/.runtime ## Start the playground and the bot in it; no token needed
	@$(BIN)/python -m playground --port $(PORT)

run: $(VENV)/.runtime ## Start the bot on Telegram with the token from .env
	@$(BIN)/python -m bot

quick: WORKERS = 2
quick: $(VENV)/.develop ## Run the quick tests: the pure parts, and storage on SQLite
	@$(PYTEST) -m "not slow and not postgresql" tests/bot tests/engine tests/storage tests/test_structure.py

test: $(VENV)/.develop ## Run the tests that a change needs
	@$(PYTEST)

soak: $(VENV)/.develop ## Run all tests at full length; this takes half an hour
	@OXO_SOAK=1 $(PYTEST) --timeout 1800
	@$(BIN)/python -m tools.invariants

invariants: $(VENV)/.develop ## Show that tests hold what is promised: switched off, each promise makes one fail
	@$(BIN)/python -m tools.invariants

coverage: $(VENV)/.develop ## Run the same tests, and list the lines they don't reach
	@$(PYTEST) --cov --cov-report=term --cov-report=html

lint: $(VENV)/.develop ## Check formatting, style and types
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy

format: $(VENV)/.develop ## Format the code and fix what can be fixed
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format --quiet $(SOURCES)

# The environment may have an unrelated LANGUAGE; only one passed to make counts.
texts: $(VENV)/.develop ## Update the translations; LANGUAGE=de adds one
	@$(BIN)/python -m tools.texts $(if $(findstring command line,$(origin LANGUAGE)),$(LANGUAGE))

screenshots: $(VENV)/.develop ## Retake the README's pictures
	@$(BIN)/python -m tools.screenshots

bench: $(VENV)/.develop ## Run the benchmarks and print their tables
	@$(BIN)/python -m benchmarks

migrate: $(VENV)/.runtime ## Upgrade the database to the newest schema
	@$(BIN)/python -m storage migrate

lock: $(VENV)/.develop ## Bring the lock files up to date; UPGRADE=--upgrade also takes newer versions of all
	$(LOCK) pyproject.toml -o requirements.lock
	$(LOCK) --group build -o requirements-build.lock
	$(LOCK) pyproject.toml --group dev -o requirements-dev.lock

release: $(VENV)/.develop ## Build the package into dist, check it, and play a game with it where nothing else of OXO is
	@$(BIN)/python -m tools.texts --check
	@$(BIN)/python -m tools.release

# An interrupted set-up leaves no stamp, so the environment is made again.
define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "OXO needs Python 3.11 or newer, and $(PYTHON) is older or missing. Name another with: make PYTHON=python3.12 play" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) comes without venv, which OXO needs. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "Setting up OXO in $(VENV) ..." >&2
	@test -e $(VENV)/.runtime || $(PYTHON) -m venv --clear $(VENV)
	@rm -f $(VENV)/.runtime $(VENV)/.develop
	@$(PIP) install --require-hashes -r requirements-build.lock -r $(1)
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $(VENV)/.runtime
endef

$(VENV)/.runtime: requirements.lock requirements-build.lock pyproject.toml
	$(call install,requirements.lock)

# The development lock includes the others, at the same versions.
$(VENV)/.develop: requirements-dev.lock requirements.lock requirements-build.lock pyproject.toml
	$(call install,requirements-dev.lock)
	@touch $@
