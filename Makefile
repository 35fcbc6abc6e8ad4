# kjit's build. `make` leaves build/kjit, build/libkjit.so and build/libkjit.a; `make help` lists
# the rest. Everything made lies under build/. Sources are found by folder: a new file needs no
# line here.

# ---- settings ------------------------------------------------------------------------------

PREFIX   = /usr/local
LIBDIR   = $(PREFIX)/lib
CFLAGS   = -O2 -g1#         lines alone; a debugger wants -g
WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
SANITIZE =#          address,undefined or thread: a build of its own
GUIDED =#            1: fuzzers see which way texts take through the front end and the passes
DEBUG    =#          1: verify the IR after each pass, obey KJIT_FAIL_ALLOC
FUZZ_SECONDS =#      of inputs at random by `make fuzz`, in place of as many fixed ones
MUTANTS = 800#       damaged kernels of `make test-mutants`
RANDOM = 20#         kernels of `make test-random`
EMULATED = 20#       seeds of random kernels whose CUDA C runs on the processor
SPLIT = 300#         random kernels whose launches are split over ranks
BRUTE = 3000#        random kernels that analyses are held against, run thread by thread
IR_SEEDS = 60#       seeds of random kernels that it prints as IR and reads again
MODULES = 60#        modules whose names it compares with what CPython binds them to
PASSES = 25#         random kernels of `make test-passes`
KINDS =#              more of packages.txt for `make packages`: browser torch
PYTHON = $(firstword $(wildcard /usr/bin/python3) python3)
# A free-threaded Python, for which there is a wheel then, too.
PYTHON_T := $(firstword $(foreach v,14 13,$(if $(shell command -v python3.$(v)t-config),\
                                                $(shell command -v python3.$(v)t))))
NUMBA = python3#       the Python of `make test-numba`
DEVICE = cpu#          what `make test-numba` launches on: cpu or cuda
V = @#               `make V=` shows the commands
STRIP = strip#       of debug information, what `make install` installs; `make install STRIP=:` not

GLIBC =#              2.28: what is made runs where the C library is as old; a build of its own
ZIG = $(PYTHON) -m ziglang#    which is the compiler then, PyPI's ziglang

BUILD := $(if $(SANITIZE),build/$(if $(findstring thread,$(SANITIZE)),tsan,watched),build)

# The compiler brings the headers of that C library; those of other libraries are the system's. Its
# warnings are of another taste than those of the compilers that kjit is held to.
ifneq ($(GLIBC),)
BUILD   := build/glibc
MACHINE := $(shell uname -m)-linux-gnu
CC       = $(ZIG) cc -target $(MACHINE).$(GLIBC) -idirafter /usr/include \
           -idirafter /usr/include/$(MACHINE)
WARNINGS =
endif

ifneq ($(SANITIZE),)
DEBUG = 1
SANITIZE_FLAGS = -fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all
endif

# The folder that it is built in leaves no trace, nor does the time: the same bytes anywhere.
SAME_BYTES = -ffile-prefix-map=$(CURDIR)=.
# C unwinds no stack: tables for it would be a tenth of the command. Debuggers have those of -g.
NO_TABLES = $(if $(SANITIZE),,-fno-asynchronous-unwind-tables)
ALL_CFLAGS = -std=gnu11 $(CFLAGS) $(SANITIZE_FLAGS) $(SAME_BYTES) $(NO_TABLES) -fPIC \
             -fvisibility=hidden -I. -I$(BUILD) -D_GNU_SOURCE= \
             $(if $(filter 1,$(DEBUG)),-DKJIT_DEBUG) -MMD -MP
# zip, png, cairo and jansson are loaded when something of them is called.
LIBS       = -ldl -lpthread -lm
CLI_LIBS   =
CLI_CFLAGS = $(shell pkg-config --cflags cairo jansson)

version_part = $(shell awk '$$2 == "KJIT_VERSION_$(1)" { print $$3 }' include/kjit.h)
MAJOR   := $(call version_part,MAJOR)
VERSION := $(MAJOR).$(call version_part,MINOR).$(call version_part,PATCH)
# What is made bears this time, in seconds since 1970: of the last commit, or of the archive.
ifndef SOURCE_DATE_EPOCH
export SOURCE_DATE_EPOCH := $(or $(shell git log -1 --format=%ct 2>/dev/null),\
                                 $(shell stat -c %Y CHANGELOG.md))
endif

# What cannot be done without these, said before the compiler says it worse.
NEEDS_NO_TOOLS = clean help dist packages demo format check-format
ifneq ($(if $(MAKECMDGOALS),$(filter-out $(NEEDS_NO_TOOLS),$(MAKECMDGOALS)),all),)
missing := $(foreach tool,re2c lemon pkg-config,$(if $(shell command -v $(tool)),,$(tool)))
ifeq ($(filter pkg-config,$(missing)),)
missing += $(foreach lib,libzip libpng libxxhash cairo jansson,\
             $(if $(shell pkg-config --exists $(lib) && echo yes),,$(lib)))
endif
ifneq ($(strip $(missing)),)
$(error not installed: $(strip $(missing)). Run `make packages` to install what packages.txt names)
endif
endif

# ---- sources -------------------------------------------------------------------------------

FOLDERS   = base lexer parser ir codegen runtime
# Of the command what unit tests are linked with, too.
PARTS     = cli/measure cli/needed cli/page cli/search
TREE     := $(sort $(shell find $(FOLDERS) -type f))
CLI_TREE := $(sort $(shell find cli -type f))
PYTHON_LIBRARY = runtime/program/library/python
PYTHONS   = $(filter $(PYTHON_LIBRARY)/%.k,$(TREE))
EMBEDDED  = $(filter codegen/prelude/%.c codegen/prelude/%.cu runtime/binary/glue/%.c,$(TREE))
SOURCES   = $(filter-out $(EMBEDDED),$(filter %.c,$(TREE)))
GENERATED = $(patsubst %.re,$(BUILD)/%.c,$(filter %.re,$(TREE))) \
            $(patsubst %.y,$(BUILD)/%.c,$(filter %.y,$(TREE)))
GRAMMARS  = $(patsubst %.y,$(BUILD)/%.h,$(filter %.y,$(TREE)))
OBJECTS   = $(SOURCES:%.c=$(BUILD)/%.o) $(GENERATED:%.c=%.o)
COMMAND   = $(patsubst %.c,$(BUILD)/%.o,$(filter $(PARTS:%=%/%.c),$(CLI_TREE)))
CLI       = $(filter-out $(COMMAND),$(patsubst %.c,$(BUILD)/%.o,$(filter %.c,$(CLI_TREE))))
LIBRARY  := $(wildcard stdlib/*.k stdlib/*/*.k)
# By their names, as they are listed.
STDLIB   := $(foreach name,$(sort $(notdir $(LIBRARY))),$(filter %/$(name),$(LIBRARY)))
PAGES_OF_REPORTS = $(filter %.html %.css %.js,$(CLI_TREE))
MADE      = ir/names/paths.inc ir/names/fixed.inc \
            runtime/binary/published.inc runtime/program/modules.inc $(PAGES_OF_REPORTS:%=%.inc)
PRELUDES  = both c check cuda
TEXTS     = $(PRELUDES:%=$(BUILD)/codegen/prelude/%.inc) $(BUILD)/stdlib/stdlib.inc \
            $(patsubst %,$(BUILD)/%.inc,$(filter runtime/binary/glue/%,$(EMBEDDED))) \
            $(MADE:%=$(BUILD)/%)
# Of the checker's tests those with few threads: ThreadSanitizer has 8128 fibers at the most, and
# takes minutes to switch between thousands of them.
THREADED  = %threads %thread %check_findings %check_device
UNIT      = $(filter $(if $(findstring thread,$(SANITIZE)),$(THREADED),%),\
                     $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c)))
BRUTES    = $(wildcard tests/brute/*.c)
WHOLE     = $(BUILD)/tests/ranks/whole
FAKES     = $(BUILD)/tests/fake/libcuda.so.1 $(BUILD)/tests/fake/libnvrtc.so.13
FAKE_ML   = $(BUILD)/tests/fake/libnvidia-ml.so.1
FAKE_NCCL = $(BUILD)/tests/fake/libnccl.so.2
PACED     = $(BUILD)/tests/paced/kjit
QUEUED    = $(BUILD)/tests/queued/kjit
GPU       = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/gpu/test_*.c))
FUZZERS   = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
BENCHES   = $(patsubst %.c,$(BUILD)/%,$(wildcard bench/*.c))
# Preludes are text to be emitted, laid out by hand.
FORMATTED = $(filter-out $(EMBEDDED),$(filter %.c %.h,$(TREE) $(CLI_TREE))) \
            $(wildcard include/*.h include/*.hpp python/core/*.[ch] tests/*/*.[ch] tests/cli/*.cc \
                         bench/*.[ch] bench/cpu/*.c bench/python/*.c examples/*/*.[ch] \
                         examples/embed/*.cc)
# What no tool lays out: its lines are measured, as those of all the others.
MEASURED  = $(EMBEDDED) $(filter %.def %.re %.y,$(TREE)) $(STDLIB) \
            $(wildcard tests/*.sh tests/cli/*.sh) Makefile
GOLDEN    = tests/golden examples

# ---- the products --------------------------------------------------------------------------

all: $(BUILD)/kjit $(BUILD)/libkjit.so $(BUILD)/libkjit.a

.SECONDARY:                 # keep generated C: a chain of pattern rules would delete it
.DELETE_ON_ERROR:

# Addresses in its tables are a tenth of the command, unless they are packed: where the linker can
# do that, and the C library, as its needing a version of that name shows, can read it.
PACKED = $(shell flag=-Wl,-z,pack-relative-relocs; mkdir -p $(BUILD); \
           echo 'int main(void) { return 0; }' | \
           $(CC) $(LDFLAGS) -x c - $$flag -o $(BUILD)/packed 2>/dev/null && \
           grep -q GLIBC_ABI_DT_RELR $(BUILD)/packed && echo $$flag; rm -f $(BUILD)/packed)

# What sanitizers keep of each check and variable holds addresses: to adjust them when it is loaded
# takes a program half of its start.
FIXED = $(if $(SANITIZE),-no-pie)

$(BUILD)/kjit: $(CLI) $(COMMAND) $(BUILD)/libkjit.a
	$(V)$(CC) $(CFLAGS) $(SANITIZE_FLAGS) $(LDFLAGS) $(PACKED) $(FIXED) -o $@ $^ \
	    $(CLI_LIBS) $(LIBS)

# For ThreadSanitizer, which watches a few tests alone, it is compiled as one file: so clang takes a
# quarter of the time.
WHOLE_OBJECT = $(BUILD)/amalgamation/kjit.o
ARCHIVED     = $(if $(findstring thread,$(SANITIZE)),$(WHOLE_OBJECT),$(OBJECTS))

$(WHOLE_OBJECT): $(BUILD)/amalgamation/kjit.c
	$(V)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Made anew each time: `ar` would keep the objects of deleted sources.
$(BUILD)/libkjit.a: $(ARCHIVED)
	$(V)rm -f $@
	$(V)ar rcsD $@ $^

# It stays when a program lets go of it: threads free their last message as they end.
$(BUILD)/libkjit.so.$(VERSION): $(OBJECTS)
	$(V)$(CC) $(CFLAGS) $(SANITIZE_FLAGS) $(LDFLAGS) -shared -Wl,-soname,libkjit.so.$(MAJOR) \
	    -Wl,-z,nodelete $(if $(SANITIZE),,-Wl,-z,defs) -o $@ $^ $(LIBS)

$(BUILD)/libkjit.so: $(BUILD)/libkjit.so.$(VERSION)
	$(V)ln -sf libkjit.so.$(VERSION) $(BUILD)/libkjit.so.$(MAJOR)
	$(V)ln -sf libkjit.so.$(MAJOR) $@

$(CLI) $(COMMAND): WARNED = $(WARNINGS) $(CLI_CFLAGS)
# The command waits for kernels and compilers, not for its own code, and host programs for NumPy's
# functions, which are kernels: these are small instead, and so is what no launch passes through
# and what moves data between devices and to disks.
SMALL = runtime/program runtime/tuning runtime/binary runtime/many runtime/capture runtime/cache \
        ir/text
$(CLI) $(COMMAND) $(filter $(SMALL:%=$(BUILD)/%/%),$(OBJECTS)): CFLAGS := $(CFLAGS:-O2=-Os)
$(BUILD)/%.o: WARNED = $(WARNINGS)

# What tests run most is optimised in builds of sanitizers, too; for the rest of the library that
# takes clang longer than it saves the tests.
ifneq ($(SANITIZE),)
$(patsubst %.c,$(BUILD)/%.o,$(wildcard base/*.c ir/*.c ir/analysis/range/*.c ir/types/*.c \
                              ir/text/*.c runtime/check/*.c)): SANITIZE_FLAGS += -O1
endif

$(BUILD)/%.o: %.c | $(GRAMMARS) $(TEXTS)
	@mkdir -p $(@D)
	$(V)$(CC) $(ALL_CFLAGS) $(WARNED) -c -o $@ $<

ifeq ($(GUIDED),1)
$(filter $(patsubst %,$(BUILD)/%/%,base lexer parser ir codegen),$(OBJECTS)): \
    SANITIZE_FLAGS += -fsanitize=fuzzer-no-link
endif

# Generated C answers to its generator's taste, not to our warnings. It has great functions, whose
# variables take what sanitizers add to a build without optimisation longer than all else.
$(GENERATED:%.c=%.o): $(BUILD)/%.o: $(BUILD)/%.c | $(GRAMMARS)
	$(V)$(CC) $(ALL_CFLAGS) $(if $(SANITIZE),-O1) -Wall -Wno-unused -c -o $@ $<

# ---- generated files -----------------------------------------------------------------------

$(BUILD)/%.c: %.re
	@mkdir -p $(@D)
	$(V)re2c -W -Wno-match-empty-string --no-generation-date -o $@ $<

$(BUILD)/%.c: %.y
	@mkdir -p $(@D)
	$(V)lemon -c -q -d$(@D) $<
# Lemon leaves the header alone when no code changed.
$(GRAMMARS): %.h: %.c ;

# A text file as C string literals:
#     static const char style[] =
#     #include "cli/page/page.css.inc"
#     ;
quote = sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/'

$(BUILD)/%.inc: %
	@mkdir -p $(@D)
	$(V)$(quote) $< >$@

# The pieces of each dialect's preludes, sorted by name.
PRELUDE_both  = $(patsubst %,codegen/prelude/%.c,both complex half exact)
PRELUDE_check = codegen/prelude/check.c
PRELUDE_cuda  = $(filter codegen/prelude/%.cu,$(EMBEDDED))
PRELUDE_c     = $(filter-out $(PRELUDE_both) $(PRELUDE_check), \
                $(filter codegen/prelude/%.c,$(EMBEDDED)))
$(foreach name,$(PRELUDES),$(eval $(BUILD)/codegen/prelude/$(name).inc: $(PRELUDE_$(name))))
$(PRELUDES:%=$(BUILD)/codegen/prelude/%.inc): codegen/prelude/pieces.awk base/each.awk
	@mkdir -p $(@D)
	$(V)awk -f base/each.awk -f codegen/prelude/pieces.awk $(filter %.c %.cu,$^) | \
	    LC_ALL=C sort -s -t'"' -k2,2 >$@

# Rows of what is built in, sorted by the path that is looked for: PATH("cuda.grid", grid) for each
# INTRINSIC that has one, and the rows FIXED("cuda.fp16.hadd", ...).
$(BUILD)/ir/names/paths.inc: $(filter ir/%.def,$(TREE))
	@mkdir -p $(@D)
	$(V)sed -n 's/^INTRINSIC(\([a-z0-9_]*\), *\("[^"][^"]*"\).*/PATH(\2, \1)/p' $^ | \
	    LC_ALL=C sort -t'"' -k2,2 >$@

$(BUILD)/ir/names/fixed.inc: $(wildcard ir/names/tables/*.def) ir/names/tables/fixed.awk \
                             base/each.awk
	@mkdir -p $(@D)
	$(V)awk -f base/each.awk -f ir/names/tables/fixed.awk $(filter %.def,$^) | \
	    LC_ALL=C sort -t'"' -k2,2 >$@

# The names that the public headers have, which a generated one may not use.
$(BUILD)/runtime/binary/published.inc: include/kjit.h include/kjit_tools.h
	@mkdir -p $(@D)
	$(V)sed 's/kjit_tools\.h//' $^ | grep -o '\bkjit_[a-z0-9_]*' | LC_ALL=C sort -u | \
	    sed 's/.*/"&",/' >$@

# The library's modules and, for programs, those of Python: a row `{ "name", "text" },` each file,
# which is a module, or a part of np. No message shows lines of the latter: their texts are packed.
$(BUILD)/stdlib/stdlib.inc: $(STDLIB) $(wildcard stdlib stdlib/*/)
$(BUILD)/runtime/program/modules.inc: $(PYTHONS) runtime/program/pack.awk \
                                      $(wildcard $(PYTHON_LIBRARY) $(PYTHON_LIBRARY)/*/)
$(BUILD)/runtime/program/modules.inc: packed = awk -f runtime/program/pack.awk $$file |
$(BUILD)/stdlib/stdlib.inc: packed = cat $$file |
$(BUILD)/stdlib/stdlib.inc $(BUILD)/runtime/program/modules.inc:
	@mkdir -p $(@D)
	$(V)for file in $(filter %.k,$^); do \
	    name=$$(basename $$file .k); case $$file in */np/*) name=np; esac; \
	    echo "{ \"$$name\","; $(packed) $(quote); echo '},'; \
	done >$@

# ---- the Python package --------------------------------------------------------------------

# python/core is written on the limited API: what one Python's headers make serves every CPython.
# Of free-threaded ones, which have no such API, each version wants an extension of its own, made
# as well where PYTHON_T is there.
CORE      = $(wildcard python/core/*.c)
EXTENSION = $(CORE:%.c=$(BUILD)/%.o)
THREADS   = $(patsubst python/core/%.c,$(BUILD)/python/threads/%.o,$(if $(PYTHON_T),$(CORE)))
PACKAGE   = $(BUILD)/python/kjit
SCRIPTS   = $(patsubst %,$(BUILD)/%,$(wildcard python/kjit/*.py python/kjit/*/*.py \
                                               python/kjit/*.pyi python/kjit/*/*.pyi)) \
            $(PACKAGE)/py.typed
python_says = $(shell $(1) -c 'import sysconfig as it; print(it.$(2))')
SUFFIX_T    = $(call python_says,$(PYTHON_T),get_config_var("EXT_SUFFIX"))
EXTENSIONS  = $(PACKAGE)/_core.abi3.so $(if $(PYTHON_T),$(PACKAGE)/_core$(SUFFIX_T))

$(EXTENSION): WARNED = $(WARNINGS) -I$(call python_says,$(PYTHON),get_path("include")) \
                       -DPy_LIMITED_API=0x03090000
$(THREADS): WARNED = $(WARNINGS) -I$(call python_says,$(PYTHON_T),get_path("include"))
$(THREADS): $(BUILD)/python/threads/%.o: python/core/%.c
	@mkdir -p $(@D)
	$(V)$(CC) $(ALL_CFLAGS) $(WARNED) -c -o $@ $<

$(PACKAGE)/libkjit.so.$(MAJOR): $(BUILD)/libkjit.so
	@mkdir -p $(@D)
	$(V)objcopy --strip-debug $< $@

$(PACKAGE)/_core.abi3.so: $(EXTENSION)
$(filter-out %.abi3.so,$(EXTENSIONS)): $(THREADS)
$(EXTENSIONS): $(PACKAGE)/libkjit.so.$(MAJOR)
	$(V)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-rpath,'$$ORIGIN' -o $@ \
	    $(filter %.o,$^) $(PACKAGE)/libkjit.so.$(MAJOR)

$(SCRIPTS): $(BUILD)/python/%: python/%
	@mkdir -p $(@D)
	$(V)cp $< $@

# The command, which measures for it: python/kjit/measured.
$(PACKAGE)/kjit: $(BUILD)/kjit
	@mkdir -p $(@D)
	$(V)objcopy --strip-all $< $@

# The package as a folder: PYTHONPATH=build/python.
python: $(EXTENSIONS) $(PACKAGE)/kjit $(SCRIPTS)

# The package as one file for pip, in build/wheel; one for each extension.
wheel: python
	@$(PYTHON) -B python/backend.py $(BUILD)/python $(BUILD)/wheel $(VERSION) $(notdir $(EXTENSIONS))
	$(if $(PYTHON_T),,@echo 'No wheel for a free-threaded Python: none is here, or PYTHON_T= names it')

# ---- tests ---------------------------------------------------------------------------------

TEST_PARTS = test-cli test-programs test-unit test-golden test-python test-stdlib test-cache \
             test-conformance test-hostile test-bench test-examples test-paste test-brute \
             test-layers test-docs

# Kernels that tests compile are compiled once for all parts and builds, and for the next time:
# text, compiler and options tell them apart.
KERNELS = $(CURDIR)/build/kernels
test-golden golden test-examples test-programs test-paste test-stdlib test-bench test-conformance \
test-casts test-passes test-thorough test-python test-host: export KJIT_CACHE = $(KERNELS)
test-unit test-threads: export KERNELS := $(KERNELS)# tests/unit/library.h

# Without optimisation the C compiler, which takes most of these parts' time, is four times as fast.
# `make test-passes` compiles the goldens, the programs and the library with it, `make test-casts`
# what test-conformance does. KJIT_CC says otherwise.
QUICK_CC := $(or $(KJIT_CC),cc -O0)
test-conformance test-programs test-stdlib test-python test-host: export KJIT_CC := $(QUICK_CC)

# What a part needs is built by all processors, whether or not make was told so.
EACH_PART = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# What parts build before any of them runs: two run at once, which would both build it.
tested: all $(UNIT) $(FAKES) $(FAKE_ML) $(if $(SANITIZE),,$(FAKE_NCCL) $(PACED) \
        $(QUEUED) $(BUILD)/tests/brute/brute $(WHOLE) python $(if $(shell command -v help2man),man))

# Each part ends in a line `N passed, N failed`; tally.sh adds them up. The longest first.
test:
	+@$(EACH_PART) tested
	+@tests/tally.sh $(TEST_PARTS:%='$(EACH_PART) BUILT=1 %')

test-unit: $(UNIT) $(FAKES) $(FAKE_ML)
	@KJIT_CC='$(QUICK_CC)' tests/unit.sh $(filter-out %test_math,$(UNIT)); status=$$?; \
	    tests/unit.sh $(filter %test_math,$(UNIT)) && exit $$status # of loops of vectors

# Loops that do not end make a thousand million iterations before the checker says so: these are
# optimised.
DEFECTS = tests/golden/defects
test-golden: $(BUILD)/kjit
	@KJIT_CC='$(QUICK_CC)' $(BUILD)/kjit test --device cpu $(wildcard tests/golden/*.k) \
	    $(filter-out $(DEFECTS)/,$(wildcard tests/golden/*/)) examples; status=$$?; \
	    $(BUILD)/kjit test --device cpu $(DEFECTS) && exit $$status

test-cli: all $(FAKES) $(FAKE_ML) $(FAKE_NCCL) $(PACED) $(WHOLE)
	@KJIT=$(abspath $(BUILD))/kjit PACED=$(abspath $(PACED)) BUILD=$(BUILD) CC='$(CC)' \
	    PYTHON=$(PYTHON) KERNELS=$(KERNELS) tests/cli.sh $$(ls -S tests/cli/*.sh) # the longest first

# The examples' results against NumPy's, and what the command should not be given.
test-examples: $(BUILD)/kjit
	@$(PYTHON) tests/examples/reference.py --kjit $(BUILD)/kjit

# Small programs, one rule of the language each, against what NumPy and Python say.
test-programs: $(BUILD)/kjit $(QUEUED)
	@tests/queued.sh $(QUEUED) $(PYTHON) -B tests/programs/check.py --kjit $(BUILD)/kjit; \
	    status=$$?; tests/queued.sh $(QUEUED) \
	        $(PYTHON) -B tests/programs/host/check.py --kjit $(BUILD)/kjit && exit $$status

# What sanitizers watch of the programs of the host: each expression, each error, random ones.
test-host: $(BUILD)/kjit
	@$(PYTHON) -B tests/programs/host/check.py --kjit $(BUILD)/kjit expressions errors random

# Kernels out of whole files in the manner of published programs, as they are.
test-paste: $(BUILD)/kjit
	@$(PYTHON) -B tests/paste/check.py --kjit $(BUILD)/kjit

# The standard library's kernels, against what NumPy says.
test-stdlib: $(BUILD)/kjit
	@$(PYTHON) tests/stdlib/check.py --kjit $(BUILD)/kjit

# The kernels of `make bench-gpu`, at small sizes, against what NumPy says.
test-bench: all
	@$(PYTHON) -B bench/kernels/check.py --kjit $(BUILD)/libkjit.so

# Every operation on edge values, against tables that numba confirmed.
test-conformance: $(BUILD)/kjit
	@$(PYTHON) tests/conformance/check.py --kjit $(BUILD)/kjit --of arrays
	@$(PYTHON) tests/conformance/ufuncs.py --kjit $(BUILD)/kjit
	@$(PYTHON) -B tests/conformance/pairs.py --kjit $(BUILD)/kjit --every 41
	@$(PYTHON) -B tests/conformance/pieces.py --kjit $(BUILD)/kjit

# The same by the C compiler at its best; on numbers that the kernel's text has, which kjit computes
# and the C compiler merely stores; and every chain of casts.
test-casts: $(BUILD)/kjit
	@$(PYTHON) tests/conformance/check.py --kjit $(BUILD)/kjit --of arrays
	@KJIT_CC='$(QUICK_CC)' $(PYTHON) tests/conformance/check.py --kjit $(BUILD)/kjit --of literals
	@$(PYTHON) -W ignore tests/conformance/casts.py --kjit $(BUILD)/kjit

test-hostile: $(BUILD)/kjit
	@$(PYTHON) tests/hostile/hostile.py --kjit $(BUILD)/kjit

# What can befall the disk cache; it mounts small file systems where it may.
test-cache: $(BUILD)/kjit
	@$(PYTHON) -B tests/cache/survive.py --kjit $(BUILD)/kjit

test-layers: $(BUILD)/libkjit.so
	@BUILD=$(BUILD) tests/layers.sh

# numba-cuda's own tests on kjit's package, in the place of numba; NUMBA is a Python that has
# numba-cuda, pytest, filecheck, cffi and ml_dtypes.
test-numba: python
	@PYTHONPATH=$(abspath $(BUILD))/python KJIT_DEVICE=$(DEVICE) $(NUMBA) -B tests/numba/suite.py

# Random kernels, what they leave against what numba makes of them.
test-oracle: $(BUILD)/kjit
	@tests/tally.sh $(foreach G,generate inexact users, \
	    '$(NUMBA) -B tests/random/oracle.py --kjit $(BUILD)/kjit --keep $(BUILD)/random \
	        --generator $(G) --count $(RANDOM)')

# The Python package, by pytest.
test-python: python $(FAKES) $(PACED)
	@PYTHONPATH=$(abspath $(BUILD))/python KJIT_DEVICE=$(DEVICE) BUILD=$(abspath $(BUILD)) \
	    $(PYTHON) -B tests/python/run.py

# Tables of the documentation against the tests they name, its links and its spelling.
test-docs:
	@tests/tally.sh '$(PYTHON) -B tests/docs.py' '$(PYTHON) -B tests/words.py'

# The CUDA C of random kernels, run by the processor in place of a GPU.
test-emulated: $(BUILD)/kjit $(FAKES)
	@KJIT_DRIVER=$(abspath $(BUILD))/tests/fake/libcuda.so.1 FAKE_CUDA_DEVICES=1 \
	KJIT_NVRTC=$(abspath $(BUILD))/tests/fake/libnvrtc.so.13 \
	FAKE_CUDA_RUNS='$(PYTHON) -B $(CURDIR)/tests/emulated/text.py' \
	    $(PYTHON) -B tests/random/compare.py --kjit $(BUILD)/kjit --keep $(BUILD)/random \
	    --no-nvrtc --generators users,meets,warps,shorts,overlaps --count $(EMULATED) \
	    --ways 'quick,cuda,cuda other'

# Random kernels, which compilers, optimisation and devices must agree on. RANDOM=N makes N of them.
# The same as IR text: what is read prints the same, and becomes the same code.
test-random: $(BUILD)/kjit $(BUILD)/tests/unit/test_ir_text
	@tests/tally.sh \
	    '$(PYTHON) -B tests/random/compare.py --kjit $(BUILD)/kjit --keep $(BUILD)/random \
	        --count $(RANDOM) --ways "quick,all passes,gcc,clang,constants,checked,rehearsed"' \
	    '$(PYTHON) -B tests/random/compare.py --kjit $(BUILD)/kjit --keep $(BUILD)/random \
	        --generators inexact --no-nvrtc --ways "quick,in turn,all passes" --count $(RANDOM)' \
	    '$(PYTHON) -B tests/random/compare.py --kjit $(BUILD)/kjit --keep $(BUILD)/random \
	        --generators naive --no-nvrtc --ways quick,split --count $(SPLIT)' \
	    '$(PYTHON) -B tests/random/texts.py --tester $(BUILD)/tests/unit/test_ir_text \
	        --keep $(BUILD)/random --count $(IR_SEEDS)' \
	    '$(PYTHON) -B tests/random/modules.py --kjit $(BUILD)/kjit --keep $(BUILD)/random \
	        --count $(MODULES)'

# What the analyses claim of random kernels, against what happens in these: BRUTE=N of them.
test-brute: $(BUILD)/tests/brute/brute
	@$< 1 $(BRUTE)

# All optimising passes, those too that are meant for GPUs, must leave what none leaves: whatever
# tests run on the processor, and random kernels such as passes look for. PASSES=N of these. The C
# compiler is at its best, as for users; with goldens, the most of them, it makes vectors, too, but
# takes two thirds of the time. Products by tensor cores, each type of element in each form, are
# half of that, and their C promises nothing of pointers, places or loops that other goldens' does
# not: these are not optimised.
PRODUCTS = $(foreach of,groups by_name,tests/golden/opt/tensor_$(of).out)
test-passes: $(BUILD)/kjit
	@KJIT_PASSES=all tests/tally.sh \
	    'KJIT_CC="$(or $(KJIT_CC),cc -O1)" $(BUILD)/kjit test --device cpu \
	        $(filter-out $(PRODUCTS),$(wildcard $(addsuffix /*.out,examples tests/golden/*)))' \
	    'KJIT_CC="$(QUICK_CC)" $(BUILD)/kjit test --device cpu $(PRODUCTS)' \
	    '$(PYTHON) -B tests/programs/check.py --kjit $(BUILD)/kjit --others "$(QUICK_CC)"' \
	    '$(PYTHON) tests/examples/reference.py --kjit $(BUILD)/kjit' \
	    '$(PYTHON) tests/stdlib/check.py --kjit $(BUILD)/kjit --others "$(QUICK_CC)"' \
	    '$(PYTHON) -B tests/random/compare.py --kjit $(BUILD)/kjit --keep $(BUILD)/random \
	        --generators naive --count $(PASSES) --ways "quick,all passes,sanitized" --sanitize' \
	    '$(PYTHON) -B tests/random/compare.py --kjit $(BUILD)/kjit --keep $(BUILD)/random \
	        --generators generate,naive,users --count $(PASSES) --no-nvrtc \
	        --ways "quick,again,other schedule"' \
	    '$(PYTHON) -B tests/random/compare.py --kjit $(BUILD)/kjit --keep $(BUILD)/random \
	        --generators axes --count $(PASSES) --no-nvrtc --ways "quick,quick all,relaunched"'

# What takes long: what the checker says of every kernel whose result tests compare, of the library,
# and by rehearsals; the same bits with all passes and with none; packages, and the library as one
# file.
test-thorough: all $(QUEUED)
	@KJIT=$(abspath $(BUILD))/kjit QUEUED=$(abspath $(QUEUED)) BUILD=$(BUILD) CC='$(CC)' \
	    KERNELS=$(KERNELS) PYTHON=$(PYTHON) tests/tally.sh \
	    'tests/cli.sh tests/thorough/*.sh' \
	    '$(PYTHON) -B tests/random/rehearsed.py --kjit $(BUILD)/kjit --keep $(BUILD)/random \
	        --count $(RANDOM)'

# Valid kernels, damaged at random: they compile, or kjit says what is wrong. MUTANTS=N of them.
test-mutants: $(BUILD)/kjit
	@tests/tally.sh \
	    '$(PYTHON) -B tests/random/mutate.py --kjit $(BUILD)/kjit --keep $(BUILD)/random \
	        --count $(MUTANTS)' \
	    '$(PYTHON) -B tests/random/beside_numpy.py --kjit $(BUILD)/kjit --only-damaged \
	        --damaged 10 --count 40'

# What becomes of every example in NVRTC's hands, where there is NVRTC.
test-nvrtc: all
	@KJIT=$(BUILD)/kjit PYTHON=$(PYTHON) tests/nvrtc.sh

# The goldens once more, by a judge that shares no code with kjit.
golden: $(BUILD)/kjit
	@KJIT=$(BUILD)/kjit tests/golden.sh

golden-update: $(BUILD)/kjit
	@$(BUILD)/kjit test --device cpu --update $(wildcard $(GOLDEN))

# One build for what watches kjit from inside: clang's, with its warnings, for tests and fuzzers.
# Of debug information it has lines, which are all that sanitizers tell. To optimise what sanitizers
# add takes clang more than half its time; so only what tests run most is optimised, further above.
WATCHED = $(MAKE) --no-print-directory CC=clang CFLAGS='-O0 -g1' BUILD=$(BUILD)/watched \
          SANITIZE=address,undefined GUIDED=1

# Leaks of libraries that are not ours are named in tests/lsan.supp; a size that no machine has is
# an answer of malloc's, not an end. Calls take more stack than else.
test-asan:
	+@ulimit -s 32768; ASAN_OPTIONS=allocator_may_return_null=1 \
	LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 \
	    $(WATCHED) TEST_PARTS='test-unit test-golden test-hostile test-host' test

test-tsan:
	@TSAN_OPTIONS=suppressions=$(CURDIR)/tests/tsan.supp:die_after_fork=0 \
	    $(MAKE) --no-print-directory CC=clang CFLAGS='-O0 -g1' SANITIZE=thread BUILD=$(BUILD)/tsan \
	        test-threads

test-threads: $(filter $(THREADED),$(UNIT)) $(FAKES) $(FAKE_ML)
	@tests/unit.sh $(filter $(THREADED),$(UNIT))

test-gpu: all $(GPU) python
	@tests/tally.sh 'tests/unit.sh $(GPU)' '$(BUILD)/kjit test --device cuda $(wildcard $(GOLDEN))' \
	    '$(PYTHON) tests/examples/reference.py --kjit $(BUILD)/kjit --device cuda' \
	    '$(PYTHON) -B tests/programs/check.py --kjit $(BUILD)/kjit --device cuda' \
	    '$(PYTHON) -B tests/gpu/records.py --kjit $(BUILD)/kjit' \
	    '$(PYTHON) -B tests/gpu/products.py --kjit $(BUILD)/kjit' \
	    '$(PYTHON) tests/stdlib/check.py --kjit $(BUILD)/kjit --device cuda' \
	    '$(PYTHON) tests/conformance/check.py --kjit $(BUILD)/kjit --device cuda' \
	    '$(PYTHON) -W ignore tests/conformance/casts.py --kjit $(BUILD)/kjit --device cuda' \
	    '$(PYTHON) -B tests/conformance/pairs.py --kjit $(BUILD)/kjit --device cuda' \
	    '$(PYTHON) -B tests/conformance/ufuncs.py --kjit $(BUILD)/kjit --device cuda' \
	    'BUILD=$(BUILD) PYTHON=$(NUMBA) tests/gpu/interop.sh'

fuzz:
	+@$(WATCHED) fuzz-run

fuzz-run: $(FUZZERS)
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz.sh $(FUZZERS)

$(BUILD)/tests/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(BUILD)/libkjit.a
	@mkdir -p $(@D)
	$(V)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(WARNINGS) -o $@ $< $(BUILD)/libkjit.a $(LIBS)

# A driver, an NVRTC, an NVML and an NCCL that only pretend: tests/fake/fake.h.
FAKE_NVRTC = tests/fake/libnvrtc.c tests/fake/params.c
FAKE_CUDA  = $(filter-out $(FAKE_NVRTC) tests/fake/libnvidia_ml.c tests/fake/libnccl.c, \
                          $(wildcard tests/fake/*.c)) tests/emulated/threads.c

$(BUILD)/tests/fake/libcuda.so.1: $(FAKE_CUDA)
$(BUILD)/tests/fake/libnvrtc.so.13: $(FAKE_NVRTC)
$(FAKE_ML): tests/fake/libnvidia_ml.c
$(FAKE_NCCL): tests/fake/libnccl.c
$(FAKES) $(FAKE_ML) $(FAKE_NCCL): $(wildcard tests/fake/*.h) tests/emulated/threads.h \
                                  $(filter runtime/%_api.def %/driver.h,$(TREE))
	@mkdir -p $(@D)
	$(V)$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(WARNINGS) $(LDFLAGS) -shared \
	    -Wl,-soname,$(@F) -o $@ $(filter %.c,$^) -lpthread -ldl

# Programs of tests run once: to optimise them takes longer than they do, and so does copying the
# library's debug information into each. A debugger wants `make TEST_FLAGS=`, sanitizers want lines.
TEST_FLAGS = -O0 $(if $(SANITIZE),,-g0 -Wl,-S)

# The command, and a test, by clocks that tests set: tests/paced/paced.h.
PACED_CALLS = clock_seconds clock_of_launches load_read measure_peaks kjit_device_facts \
              kjit_prepare kjit_launch_prepared kjit_close_prepared
$(PACED): tests/paced/clock.c tests/paced/launches.c $(CLI) $(COMMAND) $(BUILD)/libkjit.a \
          tests/paced/paced.h
	@mkdir -p $(@D)
	$(V)$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(WARNINGS) $(TEST_FLAGS) $(LDFLAGS) \
	    $(PACED_CALLS:%=-Wl,--wrap=%) -o $@ $(filter-out %.h,$^) $(CLI_LIBS) $(LIBS)

# The command, whose compilations wait for others: tests/queued.sh.
$(QUEUED): tests/queued/kjit.c $(CLI) $(COMMAND) $(BUILD)/libkjit.a
	@mkdir -p $(@D)
	$(V)$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(WARNINGS) $(TEST_FLAGS) $(LDFLAGS) \
	    -Wl,--wrap=main -o $@ $^ $(CLI_LIBS) $(LIBS)

$(BUILD)/tests/brute/brute: $(BRUTES) $(wildcard tests/brute/*.h) $(BUILD)/libkjit.a
	@mkdir -p $(@D)
	$(V)$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(WARNINGS) $(LDFLAGS) -o $@ $(filter-out %.h,$^) \
	    $(LIBS)

$(WHOLE): tests/ranks/whole.c $(BUILD)/libkjit.a
	@mkdir -p $(@D)
	$(V)$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(WARNINGS) $(TEST_FLAGS) $(LDFLAGS) -o $@ \
	    $^ $(LIBS)

# They are linked with parts of the command.
$(BUILD)/tests/unit/test_tune_run $(BUILD)/tests/unit/test_measure: PARTS_TESTED = $(COMMAND)
$(BUILD)/tests/unit/test_tune_run $(BUILD)/tests/unit/test_measure: $(COMMAND)

$(BUILD)/tests/unit/test_tune_run: tests/paced/clock.c
$(BUILD)/tests/unit/test_tune_run: PACED_CLOCK = tests/paced/clock.c -Wl,--wrap=clock_seconds

# It says by itself how time passes, and what the machine does.
$(BUILD)/tests/unit/test_measure: WRAP = -Wl,--wrap=load_read,--wrap=clock_of_launches

# Linking takes longer than compiling a test. So most are one program, those that want the driver
# that pretends another, and each a link to it, which it knows by the name that it is called by.
# Those that stand in for functions of the library are programs of their own.
UNIT_ALONE = $(patsubst %,$(BUILD)/tests/unit/test_%,count_work measure memory tune_run verify)
UNIT_CUDA  = $(filter $(BUILD)/tests/unit/test_cuda_%,$(UNIT))
UNIT_HOST  = $(filter-out $(UNIT_ALONE) $(UNIT_CUDA),$(UNIT))
UNIT_LINKS = $(UNIT_HOST) $(UNIT_CUDA)

$(UNIT_LINKS:=.o): $(BUILD)/tests/unit/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	$(V)$(CC) $(ALL_CFLAGS) $(WARNINGS) $(TEST_FLAGS) -c -o $@ $<
	$(V)objcopy --redefine-sym main=$* $@

# Before LD_LIBRARY_PATH, where a driver may be.
$(BUILD)/tests/unit/cuda: DRIVER = $(FAKES) \
    -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../fake'
$(BUILD)/tests/unit/cuda: $(UNIT_CUDA:=.o) $(FAKES)
$(BUILD)/tests/unit/host: $(UNIT_HOST:=.o)
$(BUILD)/tests/unit/host $(BUILD)/tests/unit/cuda: tests/unit/tests.c $(COMMAND) $(BUILD)/libkjit.a
	$(V)printf 'TEST(%s)\n' $(notdir $(basename $(filter $(@D)/%.o,$^))) >$@.inc
	$(V)$(CC) $(TEST_FLAGS) -DTESTS='"$@.inc"' -I. -c -o $@.o $<
	$(V)$(CC) $(CFLAGS) $(SANITIZE_FLAGS) $(TEST_FLAGS) $(LDFLAGS) $(FIXED) -o $@ $@.o \
	    $(filter %.o,$^) $(BUILD)/libkjit.a $(DRIVER) -lcmocka $(CLI_LIBS) $(LIBS)

$(UNIT_HOST): $(BUILD)/tests/unit/host
$(UNIT_CUDA): $(BUILD)/tests/unit/cuda
$(UNIT_LINKS):
	$(V)ln -sf $(notdir $<) $@

# It says by itself how time passes for the library.
$(BUILD)/tests/unit/test_count_work: WRAP = -Wl,--wrap=clock_ms

# It writes an archive.
$(BUILD)/tests/unit/test_memory: LDLIBS = $(shell pkg-config --libs libzip)

# It stands in for a pass.
$(BUILD)/tests/unit/test_verify: WRAP = -Wl,--wrap=ir_uniform

$(BUILD)/tests/%: tests/%.c $(BUILD)/libkjit.a
	@mkdir -p $(@D)
	$(V)$(CC) $(ALL_CFLAGS) $(WARNINGS) $(TEST_FLAGS) $(LDFLAGS) $(WRAP) -o $@ $< \
	    $(PACED_CLOCK) $(PARTS_TESTED) $(BUILD)/libkjit.a -lcmocka $(LDLIBS) $(LIBS)

# It counts what is allocated by standing in for malloc.
$(BUILD)/bench/frontend: WRAP = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free

# It takes the time of the passes and of the verifier by standing in for them.
$(BUILD)/bench/passes: WRAP = -Wl,--wrap=ir_run_passes,--wrap=ir_verify

$(BUILD)/bench/%: bench/%.c $(BUILD)/libkjit.a
	@mkdir -p $(@D)
	$(V)$(CC) $(ALL_CFLAGS) -Iinclude $(WARNINGS) $(LDFLAGS) $(WRAP) -o $@ $< \
	    $(BUILD)/libkjit.a $(LIBS)

bench: all $(BENCHES)
	@KJIT=$(abspath $(BUILD))/kjit BENCHES=$(abspath $(BUILD))/bench PYTHON=$(PYTHON) bench/all.sh

# What the Python package costs beside C.
bench-python: python $(BUILD)/bench/python/call
	@PYTHONPATH=$(abspath $(BUILD))/python KJIT_DEVICE=$(DEVICE) $(PYTHON) -B \
	    bench/python/launch.py $(BUILD)/bench/python/call $(DEVICE)

# What the runtime costs on a GPU, beside the driver, numba-cuda and CuPy, and how fast kernels are,
# beside numba-cuda, nvcc, NVRTC, experts and libraries. NUMBA is a Python that has them.
bench-gpu: all $(BENCHES)
	@$(NUMBA) bench/peers.py --kjit $(BUILD)/kjit --benches $(BUILD)/bench --out bench/results
	@$(NUMBA) -B bench/kernels/measure.py --kjit $(BUILD)/libkjit.so --out bench/results

# How fast kernels are on the processor, beside C by hand, PoCL and numba. NUMBA is a Python that
# has NumPy, and numba if there is one.
bench-cpu: all
	@$(NUMBA) -B bench/cpu/measure.py --kjit $(BUILD)/libkjit.so --out bench/results

# The documentation as a site, in build/site/html, by mkdocs (docs/site), and what must hold of it.
site: all
	@$(PYTHON) -B docs/site/build.py --kjit $(BUILD)/kjit --out $(BUILD)/site

test-site: site
	@$(PYTHON) -B tests/site.py --kjit $(BUILD)/kjit --site $(BUILD)/site/html

# What includes what, drawn into docs/architecture.md.
picture:
	@$(PYTHON) -B tests/picture.py --write

format:
	clang-format -i $(FORMATTED)

check-format:
	@tests/format.sh $(FORMATTED) --width $(MEASURED)

# ---- people --------------------------------------------------------------------------------

packages:
	@tests/packages.sh $(KINDS)

demo: packages # a line for each file that is made
	@$(MAKE) --no-print-directory V='@echo "making $$@";' all
	$(BUILD)/kjit run examples/measured.k --save counts=$(BUILD)/counts.npy

# Manual pages, of what the commands say of themselves: `man kjit`, `man kjit-run`.
PAGES = $(BUILD)/man/kjit.1 $(COMMANDS:%=$(BUILD)/man/kjit-%.1)
COMMANDS = $(shell $(BUILD)/kjit complete 2>/dev/null)
man: $(BUILD)/kjit
	@$(MAKE) --no-print-directory man-pages

man-pages: $(PAGES)

# What is in README.md alone: examples, the environment.
PAGE = awk -f cli/shell/page.awk

$(BUILD)/man/kjit.1: $(BUILD)/kjit cli/shell/page.awk README.md
	@mkdir -p $(@D)
	$(V)$(PAGE) README.md >$(@:.1=.h2m)
	$(V)help2man --no-info --name 'compile and run GPU kernels of numba'"'"'s dialect' \
	    --include $(@:.1=.h2m) -o $@ $(BUILD)/kjit

$(BUILD)/man/kjit-%.1: $(BUILD)/kjit cli/shell/page.awk README.md
	@mkdir -p $(@D)
	$(V)$(PAGE) -v command=$* README.md >$(@:.1=.h2m)
	$(V)help2man --no-info --version-string $(VERSION) --include $(@:.1=.h2m) -o $@ \
	    --name "$$($(BUILD)/kjit --help | sed -n 's/^  $* *//p')" '$(BUILD)/kjit $*'
	$(V)sed -i -e '/^\.TH/s/KJIT/\U&-$*/' -e 's/^kjit $* \\-/kjit-$* \\-/' $@

install: all $(if $(shell command -v help2man),man)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(LIBDIR)/cmake/kjit \
	    $(DESTDIR)$(PREFIX)/include \
	    $(DESTDIR)$(PREFIX)/share/doc/kjit
	install -d $(DESTDIR)$(PREFIX)/share/doc/kjit/docs
	install -m 644 LICENSE README.md CHANGELOG.md $(DESTDIR)$(PREFIX)/share/doc/kjit/
	install -m 644 docs/*.md $(DESTDIR)$(PREFIX)/share/doc/kjit/docs/
	cp -R --no-preserve=ownership,mode examples $(DESTDIR)$(PREFIX)/share/doc/kjit/
	install -d $(DESTDIR)$(PREFIX)/share/kjit
	cp -R --no-preserve=ownership,mode editors $(DESTDIR)$(PREFIX)/share/kjit/
	install $(BUILD)/kjit $(DESTDIR)$(PREFIX)/bin/
	$(STRIP) $(DESTDIR)$(PREFIX)/bin/kjit
	install -m 644 include/kjit.h include/kjit.hpp include/kjit_tools.h \
	    $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(BUILD)/libkjit.a $(BUILD)/libkjit.so.$(VERSION) $(DESTDIR)$(LIBDIR)/
	$(STRIP) -g $(DESTDIR)$(LIBDIR)/libkjit.a $(DESTDIR)$(LIBDIR)/libkjit.so.$(VERSION)
	ln -sf libkjit.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libkjit.so.$(MAJOR)
	ln -sf libkjit.so.$(MAJOR) $(DESTDIR)$(LIBDIR)/libkjit.so
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' \
	    -e 's|@PRIVATE@|$(LIBS)|' kjit.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/kjit.pc
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' kjit-config.cmake.in \
	    >$(DESTDIR)$(LIBDIR)/cmake/kjit/kjit-config.cmake
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	    $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 cli/shell/kjit.bash \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/kjit
	install -m 644 cli/shell/_kjit $(DESTDIR)$(PREFIX)/share/zsh/site-functions/
	install -m 644 cli/shell/kjit.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/
	if [ -e $(BUILD)/man/kjit.1 ]; then install -m 644 $(BUILD)/man/*.1 \
	    $(DESTDIR)$(PREFIX)/share/man/man1/; fi
	printf '%s\n' 'set(PACKAGE_VERSION $(VERSION))' \
	    'string(COMPARE EQUAL "$${PACKAGE_FIND_VERSION_MAJOR}" $(MAJOR) PACKAGE_VERSION_COMPATIBLE)' \
	    >$(DESTDIR)$(LIBDIR)/cmake/kjit/kjit-config-version.cmake

# Everything that `make install` with the same PREFIX, LIBDIR and DESTDIR has put there.
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/kjit \
	    $(addprefix $(DESTDIR)$(PREFIX)/include/,kjit.h kjit.hpp kjit_tools.h) \
	    $(DESTDIR)$(LIBDIR)/libkjit.a $(DESTDIR)$(LIBDIR)/libkjit.so* \
	    $(DESTDIR)$(LIBDIR)/pkgconfig/kjit.pc $(DESTDIR)$(PREFIX)/share/man/man1/kjit*.1 \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/kjit \
	    $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_kjit \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/kjit.fish
	rm -rf $(DESTDIR)$(LIBDIR)/cmake/kjit $(DESTDIR)$(PREFIX)/share/doc/kjit \
	    $(DESTDIR)$(PREFIX)/share/kjit

include packaging/packaging.mk

clean:
	rm -rf build

help:
	@echo 'make                  build/kjit, build/libkjit.so, build/libkjit.a'
	@echo 'make demo             install what is missing, build, run an example'
	@echo 'make test             every test that needs no GPU; make test-gpu: those that do'
	@echo 'make test-asan        unit, golden, hostile, host tests with sanitizers; test-tsan: threads'
	@echo 'make test-brute       what analyses claim of random kernels, BRUTE=$(BRUTE) of them'
	@echo 'make test-random      random kernels by several compilers, RANDOM=$(RANDOM) of them'
	@echo 'make test-passes      all passes on the processor, PASSES=$(PASSES) random kernels among it'
	@echo 'make test-mutants     kernels damaged at random, MUTANTS=$(MUTANTS) of them'
	@echo 'make test-emulated    CUDA C of random kernels on the processor, EMULATED=$(EMULATED) seeds'
	@echo "make test-oracle      RANDOM of them against numba, NUMBA as below"
	@echo "make test-numba       numba-cuda's own tests on kjit: NUMBA=$(NUMBA) DEVICE=$(DEVICE)"
	@echo 'make fuzz             fuzzers, with FUZZ_SECONDS=N for so long at random'
	@echo 'make golden-update    rewrite the expected outputs; read `git diff` after'
	@echo 'make bench            figures for this machine'
	@echo 'make bench-gpu        the runtime and kernels on a GPU beside numba-cuda, nvcc and others'
	@echo 'make bench-python     a launch from Python beside one from C, importing'
	@echo 'make bench-cpu        kernels on the processor beside C by hand, PoCL and numba'
	@echo 'make format           clang-format everything'
	@echo 'make wheel            the Python package, in build/wheel; make python: in build/python'
	@echo 'make picture          draw in docs/architecture.md what includes what'
	@echo 'make site             the documentation as a site, in build/site/html; make test-site'
	@echo 'make man              manual pages, in build/man, of what the commands say of themselves'
	@echo 'make install          PREFIX=$(PREFIX) DESTDIR=; make uninstall removes it'
	@echo 'make dist             an archive of the sources, in build/dist; make deb: Debian packages'
	@echo 'make amalgamation     the library as one file, build/amalgamation/kjit.c, and its header'
	@echo 'make test-clean       the Debian packages in a system of their own; takes minutes'
	@echo 'Settings: CC CFLAGS SANITIZE= DEBUG=1 BUILD= V='

.PHONY: all tested test test-unit test-golden test-cli test-examples test-programs test-paste \
        test-brute test-conformance \
        test-stdlib test-bench test-python test-hostile test-host test-cache test-layers test-docs \
        test-numba python wheel \
        test-oracle test-passes test-casts test-thorough test-asan test-tsan test-threads \
        test-random test-emulated test-mutants test-nvrtc test-gpu golden golden-update \
        fuzz fuzz-run bench \
        bench-gpu bench-cpu bench-python man man-pages uninstall picture format check-format \
        site test-site packages demo install clean help

# BUILT=1: all is as new as it can be. To read what includes what is most of what make does then.
ifndef BUILT
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
endif
