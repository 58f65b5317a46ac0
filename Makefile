# Two commands do all the set-up: `make run` serves, `make test` tests.

# By its path: behind the next lines python3 is that of the environment.
PYTHON ?= $(shell command -v python3)
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Images of containers often set it: then each process compiles what it imports, and those of pytest rewrite all tests.
unexport PYTHONDONTWRITEBYTECODE

# As it is locked: nothing is left to be resolved, which takes longer than all else. What has no wheel is built with the
# tools of a lock of their own.
INSTALL = $(BIN)/uv pip install --quiet --no-deps --python $(BIN)/python --build-constraints requirements-build.lock
PIP_UV = --quiet --disable-pip-version-check --upgrade --target $(VENV)/uv --no-deps --require-hashes -r requirements-uv.lock
OWN = manage.py addresses.py errors.py local_paths.py remote_calls.py write_lock.py config accounts apikeys backoffice billing conversions engine languages storage teams
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-header --no-annotate

NEEDS_PYTHON = Python 3.11 or newer is needed, and $(or $(PYTHON),python3) is older or not there. Install python3, or on \
	Ubuntu 22.04 python3.11 and python3.11-venv, and run make PYTHON=python3.11
NEEDS_PIP = $(PYTHON) has neither pip nor ensurepip. On Debian and Ubuntu: sudo apt install python3-venv

.PHONY: run test test-ci test-all extras gunicorn release-check lint bench soak lock sbom messages ocr-languages clean

# In a folder of its own, which needs no pip in the environment, whose making takes longer than all of ours; our own
# modules are compiled while it is fetched.
$(BIN)/uv: requirements-uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "$(NEEDS_PYTHON)" >&2; exit 1; }
	@$(PYTHON) -c 'import pip' 2>/dev/null || $(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "$(NEEDS_PIP)" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv --without-pip $(VENV)
	@$(BIN)/python -m compileall -q $(OWN) & \
		{ $(PYTHON) -m pip install $(PIP_UV) 2>$(VENV)/pip.log || { $(BIN)/python -m ensurepip >/dev/null && \
		$(BIN)/python -m pip install $(PIP_UV); }; } && ln -sf ../uv/bin/uv $@ && touch $@ && wait

# What libraries are made of is compiled when the service has begun, see `run`.
$(VENV)/.run: requirements.txt requirements.lock requirements-build.lock | $(BIN)/uv
	$(INSTALL) -r requirements.lock
	@touch $@

$(VENV)/.dev: requirements.txt requirements.lock requirements-dev.txt requirements-dev.lock requirements-build.lock | $(BIN)/uv
	$(INSTALL) --compile-bytecode -r requirements-dev.lock
	@touch $@ $(VENV)/.run $(VENV)/.compiled

# What is locked stays as it is where it still fits; `rm requirements*.lock` first to take the newest of all that is not pinned.
lock: | $(BIN)/uv
	grep -v '^-r' requirements.txt | $(LOCK) -o requirements.lock -
	cat requirements.txt requirements-dev.txt | grep -v '^-r' | $(LOCK) -c requirements.lock -o requirements-dev.lock -
	grep -v '^-r' requirements-extras.txt | $(LOCK) -c requirements-dev.lock -o requirements-extras.lock -
	printf 'uv==0.13.8' | $(LOCK) -o requirements-uv.lock -
	printf 'setuptools\nwheel\npkgconfig\ncffi\n' | $(LOCK) -c requirements.lock -o requirements-build.lock -

sbom: $(VENV)/.dev
	@mkdir -p $${SBOM_DIR:-var}
	$(BIN)/cyclonedx-py environment --output-reproducible --of JSON -o $${SBOM_DIR:-var}/sbom.json $(BIN)/python

# The languages, as translators have them, to what the service reads.
$(VENV)/.messages: $(wildcard locale/*/LC_MESSAGES/*.po languages/*.py) | $(VENV)/.run
	@$(BIN)/python manage.py messages compile
	@touch $@

messages: $(VENV)/.run
	$(BIN)/python manage.py messages update

# Whoever waits for the first start waits for what it imports to be compiled; the rest of the libraries is while it serves.
$(VENV)/.compiled: $(VENV)/.run
	@nice -n 19 $(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || test $$? = 1  # some are templates of modules
	@touch $@

# Models of more languages that scans are read in, which npm has: make ocr-languages LANGUAGES="fra ces chi_sim".
LANGUAGES ?= fra spa ita por nld pol
MODELS := $(VENV)/share/tessdata
SUMS := $(CURDIR)/engine/families/ocr/models.sha256
ocr-languages: $(LANGUAGES:%=$(MODELS)/%.traineddata)

# Those whose sum is known are compared with it before they are there.
$(MODELS)/%.traineddata: | $(VENV)/.run
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && mkdir -p $(MODELS) && \
		npm pack --loglevel error --pack-destination "$$folder" @tesseract.js-data/$*@1.0.0 >/dev/null && \
		tar xzf "$$folder"/*.tgz -C "$$folder" package/4.0.0_best_int/$*.traineddata.gz && \
		gunzip "$$folder"/package/*/*.gz && known=$$(grep "  $*\.traineddata$$" $(SUMS) || true) && \
		{ test -z "$$known" || (cd "$$folder"/package/* && echo "$$known" | sha256sum --check --quiet); } && \
		mv "$$folder"/package/*/$*.traineddata $@

run: $(VENV)/.run
	@$(MAKE) --silent $(VENV)/.compiled &
	@$(BIN)/python -m config.serve

# Which tests are of which tier is said in tests/tiers.py.
PYTEST = python -m pytest -n $${TEST_WORKERS:-2} --dist worksteal
test: $(VENV)/.dev $(VENV)/.messages
	$(BIN)/$(PYTEST) --tier quick $(ARGS)

test-ci: $(VENV)/.dev $(VENV)/.messages
	$(BIN)/$(PYTEST) --tier ci $(ARGS)

test-all: $(VENV)/.dev $(VENV)/.messages
	$(BIN)/$(PYTEST) --tier all $(ARGS)

# An environment on top of the other one, which stays as services have it that install no extras.
EXTRAS := $(VENV)/extras
$(EXTRAS)/.done: requirements-extras.txt requirements-extras.lock $(VENV)/.dev
	$(BIN)/python -m venv --without-pip --clear $(EXTRAS)
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
		>"$$($(EXTRAS)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/below.pth"
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(EXTRAS)/bin/python -r requirements-extras.txt
	@touch $@

extras: $(EXTRAS)/.done $(VENV)/.messages
	$(EXTRAS)/bin/$(PYTEST) --tier ci \
		tests/converters/test_extras.py tests/converters/test_hostile_maps.py tests/converters/test_families.py \
		tests/test_dependencies.py tests/billing/test_stripe.py \
		tests/browser/test_checkout.py
	$(EXTRAS)/bin/$(PYTEST) --tier ci -k heic \
		tests/converters/test_images.py tests/converters/test_picture_options.py tests/converters/test_deep_pictures.py

# What languages lack fails a release, and no test: what is not translated is English.
release-check: $(VENV)/.messages
	$(BIN)/python manage.py messages check --show 1000

# What the web server's worker relies on, with the newest gunicorn of the series that it knows.
gunicorn: $(VENV)/.dev
	@$(BIN)/uv pip install --quiet --no-deps --python $(BIN)/python --target $(VENV)/gunicorn --upgrade 'gunicorn>=27,<28'
	PYTHONPATH=$(VENV)/gunicorn $(BIN)/python -m pytest -n 0 tests/config/test_gunicorn.py

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .

bench: $(VENV)/.dev $(VENV)/.messages
	$(BIN)/python -m benchmarks

# Families whose libraries are extras are tried where these are; both runs write one report.
soak: test-all $(EXTRAS)/.done
	@export SOAK_KNOWN=$$(mktemp) EXAMPLES=all; trap 'rm -f "$$SOAK_KNOWN"' EXIT; \
	export SOAK_REPORT=$${SOAK_REPORT-$$(test $${SOAK_SCALE:-1} != 1 || echo benchmarks/RELIABILITY.md)}; \
	$(BIN)/$(PYTEST) tests --hypothesis-profile=default -m 'soak or examples'; held=$$?; \
	$(EXTRAS)/bin/$(PYTEST) tests/hostile/test_any_input.py tests/hostile/test_growth.py -m soak -k 'geo or models' && \
		exit $$held

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache locale/*/LC_MESSAGES/*.mo locale/*/LC_MESSAGES/*.js
