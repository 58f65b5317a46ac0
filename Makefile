# Two commands do all the set-up: `make run` serves, `make test` tests.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

# What has no wheel is built with the tools of a lock of their own.
INSTALL = $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --build-constraints requirements-build.lock
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-header --no-annotate

.PHONY: run test lint bench soak lock sbom clean

$(BIN)/uv: requirements-uv.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock
	@touch $@

$(VENV)/.run: requirements.txt requirements.lock requirements-build.lock | $(BIN)/uv
	$(INSTALL) -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements.txt requirements.lock requirements-dev.txt requirements-dev.lock requirements-build.lock | $(BIN)/uv
	$(INSTALL) -r requirements-dev.txt
	@touch $@ $(VENV)/.run

# What is locked stays as it is where it still fits; `rm requirements*.lock` first to take the newest of all that is not pinned.
lock: | $(BIN)/uv
	grep -v '^-r' requirements.txt | $(LOCK) -o requirements.lock -
	cat requirements.txt requirements-dev.txt | grep -v '^-r' | $(LOCK) -c requirements.lock -o requirements-dev.lock -
	printf 'uv==0.13.8' | $(LOCK) -o requirements-uv.lock -
	printf 'setuptools\nwheel\npkgconfig\ncffi\n' | $(LOCK) -c requirements.lock -o requirements-build.lock -

sbom: $(VENV)/.dev
	@mkdir -p $${SBOM_DIR:-var}
	$(BIN)/cyclonedx-py environment --output-reproducible --of JSON -o $${SBOM_DIR:-var}/sbom.json $(BIN)/python

run: $(VENV)/.run
	@$(BIN)/python -m config.serve

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n $${TEST_WORKERS:-2} --dist worksteal $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

soak: $(VENV)/.dev
	$(BIN)/python -m pytest tests -m soak

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache
