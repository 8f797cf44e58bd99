# Everything by one word. Each target first sets up .venv from requirements.txt where it lacks.
#   make book    execute the chapters that changed and build the site in _build/html
#   make serve   the same, then serve it on this machine
#   make test    style, types and tests
#   make format  put code into shape
#   make lock    resolve requirements.txt anew from pyproject.toml
#   make clean   delete everything made, .venv apart

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
PYTEST_OPTIONS ?= -n logical --maxprocesses 8 --dist loadfile

ifneq ($(wildcard ../shared/data),)
export POSITIONS_DATA ?= $(abspath ../shared/data)
endif
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: book serve test format lock clean

book: $(INSTALLED)
	$(BIN)/positions book

serve: book
	$(BIN)/positions serve

# every check runs, whatever those before it found
test: $(INSTALLED)
	@failed=; \
	for check in "ruff check" "ruff format --check" "mypy" "pytest $(PYTEST_OPTIONS)"; do \
		echo "$$check"; OMP_NUM_THREADS=1 $(BIN)/$$check || failed="$$failed [$$check]"; \
	done; \
	if [ -n "$$failed" ]; then echo "failed:$$failed"; exit 1; fi

format: $(INSTALLED)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# torch stays at the version that the numbers were made with; a local suffix such as +cpu names
# one index's build, so it goes
lock: $(INSTALLED)
	$(PYTHON) -m venv _build/lock
	_build/lock/bin/pip install -q pip-tools
	_build/lock/bin/pip-compile -q --extra cluster --extra test --extra bench --strip-extras \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --allow-unsafe \
		--no-header --no-annotate --upgrade-package torch==2.13.0 \
		-o requirements.txt pyproject.toml
	sed -i.bak 's/+cpu$$//' requirements.txt && rm requirements.txt.bak

clean:
	rm -rf _build .pytest_cache .mypy_cache .ruff_cache
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

$(INSTALLED): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name yours: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "No venv could be made; on Debian: apt-get install python3-venv"; exit 1; }
	$(BIN)/pip install -q -r requirements.txt
	$(BIN)/pip install -q --no-deps -e .
	@touch $@
