# The front door. CMake does the work; these are the few commands one types.
#
#   make            the program at build/sarrus
#   make demo       install what is missing, build, run the tour
#   make test       install what is missing, build, run everything that must hold; last line
#                   "N passed, N failed"
#   make bench      benchmarks, against MuJoCo too
#   make aarch64    the library for 64-bit Arm under qemu-user: the same bits as here
#   make controllers  generated code for a Cortex-M7 and aarch64, tested under qemu
#   make fuzz       FUZZ_RUNS (2000000) runs of the fuzz targets in all
#   make soak       SOAK_SECONDS (3600) of random tests, seed after seed; goes on where the last one
#                   ended
#   make web        the page of the window (needs npm); without it `sarrus view` says what to do
#   make native     a build tuned for this machine, in build-native/
#   make python     the package of Python in place: PYTHONPATH=python python3 -c 'import sarrus'
#   make install    library, header, program, manual; PREFIX=/usr/local DESTDIR=
#   make site       the documentation as pages with a search, in build/site
#   make dist       a source tarball that builds without a network, tried so
#   make deb        Debian packages in build/deb; make deb-test installs and removes them in a bare
#                   Debian
#   make deps       only install what is missing
#   make format     clang-format over the sources
#   make clean      remove all build folders

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_RUNS ?= 2000000
FUZZ_SECONDS ?= 0
SOAK_SECONDS ?= 3600
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
GENERATOR := $(if $(shell command -v ninja 2>/dev/null),-G Ninja,)
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all web native deps demo test bench aarch64 controllers fuzz soak python site dist deb deb-test install format clean

all:
	@cmake -S . -B build $(if $(wildcard build/CMakeCache.txt),,$(GENERATOR)) --log-level=WARNING || \
	  { echo "If a package is missing: 'make deps' installs all of them."; exit 1; }
	@cmake --build build --parallel $(JOBS) --target sarrus_product

web: all
	@cmake --build build --target web

native:
	@cmake -S . -B build-native $(if $(wildcard build-native/CMakeCache.txt),,$(GENERATOR)) --log-level=WARNING -DSARRUS_NATIVE=ON
	@cmake --build build-native --parallel $(JOBS) --target sarrus_product

deps:
	@tools/install-deps

demo:
	@tools/install-deps demo
	@$(MAKE) --no-print-directory all
	@if command -v npm >/dev/null; then cmake --build build --target web >/dev/null || echo "The page of the window could not be built: make web"; fi
	@tools/demo

test: deps
	@tools/run-tests

bench:
	@tools/install-deps bench
	@tools/run-bench

aarch64:
	@tools/install-deps aarch64 || true
	@tools/run-aarch64

controllers: all
	@tools/run-controllers

fuzz:
	@tools/install-deps fuzz
	@FUZZ_RUNS=$(FUZZ_RUNS) FUZZ_SECONDS=$(FUZZ_SECONDS) tools/run-fuzz

soak: deps
	@cmake -S . -B build $(if $(wildcard build/CMakeCache.txt),,$(GENERATOR)) --log-level=WARNING
	@cmake --build build --parallel $(JOBS)
	@SOAK_SECONDS=$(SOAK_SECONDS) tools/run-soak

python: all
	@PYTHONPATH=python $(PYTHON) -c 'import sarrus; print("sarrus", sarrus.__version__, "for", "$(PYTHON)" + ": PYTHONPATH=$(CURDIR)/python")'

site:
	@tools/install-deps site
	@tools/make-site build/site
	@tools/check-links build/site
	@if command -v node >/dev/null; then node tools/site/search_test.mjs build/site; fi

dist:
	@tools/make-dist

deb:
	@tools/install-deps packages
	@tools/make-deb

deb-test: deb
	@tools/run-deb

install: all
	@cmake -S . -B build "-DCMAKE_INSTALL_PREFIX=$(PREFIX)" --log-level=WARNING
	@cmake --build build --parallel $(JOBS) --target sarrus_product
	@DESTDIR="$(DESTDIR)" cmake --install build
	@DESTDIR="$(DESTDIR)" tools/after-install build

format:
	@git ls-files 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]' 'bench/*.[ch]' 'examples/*.[ch]' | xargs clang-format -i

clean:
	@rm -rf build build-native build-clang build-sanitize build-aarch64 demo-output
