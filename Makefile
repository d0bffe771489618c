# SPDX-License-Identifier: GPL-3.0-or-later
#
# Front doors. CMake does the work; see CMakePresets.json for more builds.
#
#   make demo    install what is missing, build the core, run all faults of paper 003 on fitted profiles, say what was found in one screen
#   make demo-system   one abstract test of ten buttons on 100 layouts and all mutants of its level, beside random agents and a recording, in one screen
#   make real-bugs     published bugs of libraft, PySyncObj, uhashring, pacemaker, bgolly, SUMO, happn-swim and kad-dht as Debian and npm ship them: found with 20 seeds each, shrunk, told
#                     (those of npm need make registries; which are missing is said in the end, and is no success)
#   make subjects      all programs that nobody here wrote and that are tested here: those of npm, as by "make registries", and those of Debian
#   make registries    programs of npm that nobody here wrote, into build/registries: what tests `registries_..` and their pages take (needs node, npm and a network)
#   make ablation   profiles, gray box, directed testing and order of mail, each against doing without: what finds more?
#   make mutants   every mutant of every model in experiments/library/efsm: killed, by which planner, after how many moves (docs/look-up/efsm.md)
#   make wheel   build/corridor-VERSION-py3-none-manylinux_..whl: import corridor for Python 3.9 and later, installed by pip without a compiler
#   make check   install what is missing, build, run each test that is not long once, those in C under sanitizers, compare the bits
#   make check-quick   the tests that take seconds, without sanitizers (about four minutes)
#   make check-full   the rest of it, in parts of some minutes each: tests with their full counts, the command line under sanitizers, the same bits
#                     at the paper's full size by two compilers, the two commands in the places that CI does not stand in, the wheel, several
#                     machines (about two hours on two cores). PARTS="counts-3 bits": only
#                     these; .ci/check parts names them
#   make check-distributed   the same bits under mpirun, a real Slurm of one node, ssh to network namespaces, Snakemake (installs nothing)
#   make bench   measure against limits, as ratios within one run (docs/evidence/benchmarks.md); BENCH=--quick: without the campaign; --peers: others at the same work
#   make fault-free   both algorithms without a fault, a million reorganizations each, and their options, more than 20,000 each: no
#                     check may fail (about ten minutes)
#   make torture   bad days with their full counts: kills, power cuts, failing calls and allocations, full disks, damaged files; each
#                  ends in the file of a quiet run (about two hours on two cores). WHICH="kills power-cuts": only these
#   make search-study   which generator finds more failures, and sooner, twenty searches by each; sixty on each of thirteen kinds of faults (docs/do/search.md)
#   make benchmark-of-bugs   every bug of experiments/bugs, looked for by every generator of its layer with 20 seeds (BUGS=--quick: two seeds and a
#                            tenth of the budgets); what it takes, and what came out: docs/evidence/bugs.md
#   make region-study   F5d found from F5 by directed generation, on twenty islands (docs/do/search.md)
#   make site   all pages as a site in build/site: static, with a search, for a browser without a network (needs mkdocs)
#   make packages   Debian packages in build/packages: the program, headers for modules, the package for Python (docs/do/install.md)
#   make check-packages   install these where there is nothing else, run their tests, remove them, ask lintian; then all of it in Debian 13
#                         or 12, whichever this is not (installs mmdebstrap, needs root; RELEASES="12": only there)
#   make image   a container image of at most 120 MB in build/image (needs root, and buildah)
#   make artifact   build/corridor-artifact.tar: a campaign with its result, page and expected fingerprints, for who judges artefacts
#   make coverage   which lines of the readers the corpora of invalid input do not reach

SHELL := /bin/bash
.DELETE_ON_ERROR:
.NOTPARALLEL:

CORE_PACKAGES := gcc libc6-dev cmake ninja-build pkg-config libgsl-dev libhdf5-dev libdeflate-dev libisal-dev libz3-dev libjansson-dev \
  librandom123-dev libsqlite3-dev nettle-dev
# Without these two "watch" and pictures of graphs say what they lack.
BUILD_PACKAGES := $(CORE_PACKAGES) libmicrohttpd-dev graphviz
# Without METIS, SCOTCH and igraph their modules are not built.
CHECK_PACKAGES := libcmocka-dev chromium clang libclang-rt-dev binutils hdf5-tools man-db gcovr mkdocs \
  libmetis-dev libscotch-dev libigraph-dev \
  python3 python3-numpy python3-h5py python3-pandas python3-xarray python3-h5netcdf python3-uhashring r-cran-hdf5r octave

# What is tested here as Debian has it; the programs of npm are in experiments/library/registries/package.json.
BUG_PACKAGES := python3 libraft-dev python3-pysyncobj python3-uhashring pacemaker-cli-utils golly sumo
SUBJECT_PACKAGES := $(BUG_PACKAGES) python3-networkx mcl g++ patroni libopendht-dev golang-go golang-etcd-server-dev

CORRIDOR := build/release/corridor

# $(call build,PRESET,TARGETS)
build = @.ci/build $(1) $(2)

# $(call builds,PRESET:TARGET ...), side by side: while one is configured, or linked in the end, the others compile.
define builds
	@set -o pipefail; running= failed=; for build in $(1); do \
	  .ci/build $${build%%:*} -j$$(nproc) $${build#*:} | cat & \
	  running+=" $$!"; \
	done; \
	for one in $$running; do wait $$one || failed=yes; done; [ -z "$$failed" ]
endef

.PHONY: all wheel demo demo-system real-bugs benchmark-of-bugs registries subjects ablation mutants check check-quick check-full check-distributed fault-free bench torture search-study region-study coverage site packages check-packages image artifact install-packages install clean

all: install-packages
	$(call build,release,corridor corridor_library manual partitioner_modules process_modules)

install-packages:
	@.ci/install $(BUILD_PACKAGES)

wheel: all
	@.ci/install python3 binutils
	$(call build,release,wheel)
	@rm -f build/corridor-*.whl
	@python3 -B experiments/python/wheel.py build/release build

demo:
	@.ci/install $(CORE_PACKAGES)
	@FIRST=yes .ci/build release corridor
	@$(CORRIDOR) plan experiments/library/demo.json
	@$(CORRIDOR) run experiments/library/demo.json --force -o build/demo.h5
	@$(CORRIDOR) report build/demo.h5 --force -o build/demo.html
	@[ ! -e build/release/the-core-alone ] || echo "This was the core; \"make all\" adds agents, models, running systems and distributed programs."

demo-system: install-packages
	@.ci/install python3
	$(call build,release,corridor)
	@python3 -B experiments/library/systems/ten_buttons.py $(CORRIDOR) build/demo-system

real-bugs: install-packages
	@.ci/install $(BUG_PACKAGES)
	$(call build,release,corridor process_modules)
	@python3 -B experiments/library/processes/real_bugs.py $(CORRIDOR) build/real-bugs

registries:
	@mkdir -p build/registries && cp experiments/library/registries/package.json build/registries
	@npm install --prefix build/registries --ignore-scripts --no-audit --no-fund

subjects: registries
	@.ci/install $(SUBJECT_PACKAGES)
	@sh experiments/library/registries/build.sh

ablation: all
	@$(CORRIDOR) run experiments/library/ablation.json --force -o build/ablation.h5
	@$(CORRIDOR) compare build/ablation.h5

# The larger a model, the less is tried of each mutant: about seven minutes of one core in all.
SMALL_MODELS := button_doors_1 escape inres_hogrefe inres_initiator lossy_link phone_call_1 phone_call_time shopping_cart traffic_light
MIDDLE_MODELS := class2_transport_small counter3
LARGER_MODELS := class2_transport counter3_100 counter3_32000
LARGEST_MODELS := billing_depth billing_hard billing_hard_small billing_synth billing_synth_small
MUTANTS = $(CORRIDOR) efsm mutants $(1:%=experiments/library/efsm/%.json) $(2) --sheet scores
mutants: all
	@$(call MUTANTS,$(SMALL_MODELS),--runs 2 --states 20000 --compare-moves 500000)
	@$(call MUTANTS,$(MIDDLE_MODELS),--runs 1 --moves 60 --resets 5 --states 2000)
	@$(call MUTANTS,$(LARGER_MODELS),--runs 1 --moves 60 --resets 5 --states 2000 --compare-moves 100000)
	@$(call MUTANTS,$(LARGEST_MODELS),--runs 1 --moves 60 --resets 5 --states 200 --compare-moves 20000)

check:
	@.ci/install $(BUILD_PACKAGES) $(CHECK_PACKAGES)
	$(call builds,release:unsanitized asan:sanitized)
	@.ci/check

check-quick:
	@.ci/install $(BUILD_PACKAGES) $(CHECK_PACKAGES)
	$(call build,release,unsanitized sanitized)
	@.ci/check quick

# Each part makes the builds that it needs.
check-full:
	@.ci/install $(BUILD_PACKAGES) $(CHECK_PACKAGES)
	@.ci/check full $(PARTS)

bench: all
	$(call build,release,bench)
	@build/release/bench $(BENCH)

fault-free: all
	@$(CORRIDOR) run experiments/library/fault_free.json --force -o build/fault-free.h5
	@$(CORRIDOR) show build/fault-free.h5 tables
	@$(CORRIDOR) run experiments/library/fault_free_options.json --force -o build/fault-free-options.h5
	@$(CORRIDOR) show build/fault-free-options.h5 tables

# $(call is_wanted,NAMES): whether one of these tortures is to be run.
is_wanted = $(if $(strip $(WHICH)),$(filter $(1),$(WHICH)),all)
torture: all
	@.ci/install $(BUILD_PACKAGES) $(CHECK_PACKAGES)
	$(call build,release,all)
	$(if $(call is_wanted,damaged readers),$(call build,fuzz,fuzz_journal fuzz_readers))
	$(if $(call is_wanted,replays),$(foreach preset,dev clang clang-release,$(call build,$(preset),corridor) &&) true)
	@/usr/bin/python3 -B experiments/command/tests/torture/all.py build/release "$$PWD" $(WHICH)

search-study: all
	$(call build,release,all)
	@python3 -B experiments/layers/search/tests/study/search_study.py build/release/corridor "$$PWD" build/release/experiments/layers/search/study build/release/experiments/command/modules build/search-study

# A bug whose package is missing is said, and counted.
benchmark-of-bugs: all
	$(call build,release,all)
	@python3 -B experiments/bugs/benchmark.py $(CORRIDOR) build/bugs $(BUGS)

region-study: all
	@/usr/bin/python3 -B experiments/layers/search/tests/study/region_study.py $(CORRIDOR) "$$PWD" build/region-study

# The bad days of several machines on one: needs openmpi-bin, slurmctld, slurmd, slurm-client, openssh-server, iproute2, snakemake, and root;
# what is not there is a counted skip.
check-distributed: all
	@python3 -B experiments/command/tests/distributed.py $(CORRIDOR) "$$PWD"

# The readers and their errors; lines that are left are those of memory running out.
READERS := sim/json/(read|fields)\.c sim/expression/parse\.c profiles/(profile|series|influence)\.c \
  experiments/layers/interaction/(experiment|model|arm|laws_read|laws_resolve|suite_file)\.c
coverage:
	@.ci/install $(BUILD_PACKAGES) $(CHECK_PACKAGES)
	$(call build,coverage,all)
	@ctest --test-dir build/coverage -j2 -R '_invalid|^json|^profiles|^fit|^expression|^parameters|^model|^suite_file' --quiet
	@gcovr --root . --object-directory build/coverage $(foreach f,$(READERS),--filter '$(f)') --print-summary --exclude-unreachable-branches

PACKAGE_PACKAGES := debhelper dh-python dpkg-dev
packages:
	@.ci/install $(BUILD_PACKAGES) $(PACKAGE_PACKAGES)
	@.ci/packages build

RELEASES = 12 13
check-packages:
	@.ci/install $(BUILD_PACKAGES) $(PACKAGE_PACKAGES)
	@for release in $(RELEASES); do .ci/packages $$release || exit; done

image:
	@.ci/install $(BUILD_PACKAGES) $(PACKAGE_PACKAGES) buildah
	@.ci/image/make

artifact: all
	@.ci/artifact/make $(CORRIDOR) build

site:
	@.ci/install python3 mkdocs
	@.ci/site/make . build/site

install: all
	@cmake --install build/release

clean:
	rm -rf build
