# Two commands do all the set-up: `make run` serves, `make test` tests.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: run test lint bench soak clean

$(BIN)/uv:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check uv==0.13.8

$(VENV)/.run: requirements.txt | $(BIN)/uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt | $(BIN)/uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python -r requirements-dev.txt
	@touch $@ $(VENV)/.run

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
