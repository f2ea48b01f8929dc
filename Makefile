# What people run here. Needs GNU make 3.81 (the one of macOS) or newer, a POSIX shell, git and Python 3.11 or newer.
# Another Python: make PYTHON=python3.12 …

PYTHON ?= python3
WORKERS ?= auto

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
PROJECT := $(VENV)/.project
LOCK := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate

.PHONY: help demo test test-long verify check-tasks check check-format check-lint check-types check-layers check-locks \
	check-generated check-workflows check-scripts format reference lock site site-zensical bench clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

# ---- what a newcomer runs

demo: $(RUNTIME) $(PROJECT) ## rehearse everything in a throw-away clone, and say which page to open
	@$(BIN)/sigil demo

check-tasks: $(RUNTIME) $(PROJECT) ## prove that the tasks of every suite are fair; the site then shows the proofs
	@for suite in tasks/*/suite.yaml; do $(BIN)/sigil task check "$$(basename "$$(dirname "$$suite")")" || exit 1; done

site: $(RUNTIME) $(PROJECT) ## turn the evidence into pages and build the site
	@$(BIN)/sigil build

site-zensical: $(DEV) $(PROJECT) ## build the same pages with Zensical, to see that they do not depend on MkDocs
	@$(BIN)/sigil build --builder zensical --output build/site-zensical

verify: $(RUNTIME) $(PROJECT) ## recompute every number in the evidence; SINCE=REF: and see that nothing since then was changed
	@$(BIN)/sigil verify $(if $(SINCE),--since "$(SINCE)")

# ---- what a contributor runs

test: $(DEV) $(PROJECT) ## run the tests, less those that take minutes
	$(BIN)/python -m pytest -n $(WORKERS) -m "not long"

test-long: $(DEV) $(PROJECT) ## run the tests that take minutes: long fuzzing, many kills
	$(BIN)/python -m pytest -n $(WORKERS) -m long --timeout=3600

check: check-format check-lint check-types check-layers check-locks check-generated check-workflows check-scripts ## everything but the tests (with -k: report every failure)

check-format: $(DEV)
	$(BIN)/ruff format --check .

check-lint: $(DEV)
	$(BIN)/ruff check .

check-types: $(DEV) $(PROJECT)
	$(BIN)/mypy

check-layers: $(DEV) $(PROJECT)
	$(BIN)/lint-imports

# What the locks installed has to satisfy pyproject.toml as it stands now: uv must find nothing left to do.
check-locks: $(DEV)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --offline --dry-run -r pyproject.toml \
		--group pyproject.toml:build --group pyproject.toml:dev

check-generated: $(DEV) $(PROJECT)
	$(BIN)/sigil reference --check
	$(BIN)/check-jsonschema --check-metaschema schemas/*.json

check-workflows: $(DEV)
	$(BIN)/zizmor --offline --quiet --persona pedantic .github
	$(BIN)/actionlint
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms \
		$(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))

check-scripts:
	bash -n .ci/run
	@if command -v shellcheck >/dev/null; then echo "shellcheck .ci/run"; shellcheck .ci/run; \
	else echo "shellcheck is not installed: .ci/run was only parsed"; fi

format: $(DEV) ## format the code and mend what the linter can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

reference: $(DEV) $(PROJECT) ## write schemas/ and site_src/reference/ again
	$(BIN)/sigil reference

lock: $(DEV) ## write requirements/*.txt again; make lock UPGRADE=--upgrade takes newer releases
	$(LOCK) $(UPGRADE) --group build --output-file requirements/runtime.txt
	$(LOCK) $(UPGRADE) --group dev --constraints requirements/runtime.txt --output-file requirements/dev.txt

bench: $(DEV) $(PROJECT) ## measure speed and size: every script in benchmarks/
	@status=0; for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python "$$script" || status=1; done; exit $$status

clean: ## remove what make and sigil wrote: .venv, build, caches
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# ---- one virtual environment, made from the locks alone

$(RUNTIME): requirements/runtime.txt
	@command -v $(PYTHON) >/dev/null || { echo \
		"Sigil needs Python 3.11 or newer, and there is no '$(PYTHON)'. Install one, or name it: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo \
		"Sigil needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) -V 2>&1). Name a newer one: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo \
		"'$(PYTHON)' cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Making $(VENV) from requirements/runtime.txt (about 400 MB; half a minute on a fast line)"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@$(PIP_INSTALL) --require-hashes --only-binary :all: -r requirements/runtime.txt
	@touch $@

$(DEV): requirements/dev.txt $(RUNTIME)
	@echo "Adding requirements/dev.txt to $(VENV) (about 600 MB more)"
	@$(PIP_INSTALL) --require-hashes --only-binary :all: -r requirements/dev.txt
	@touch $@

$(PROJECT): pyproject.toml $(RUNTIME)
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@
