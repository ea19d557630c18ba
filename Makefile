# Everything a person or a CI machine does with this repository. `make help`
# lists the targets. Building and testing need Go, a C compiler, git and make;
# `make check` also downloads the pinned linter, `make e2e` the pinned agents
# (with npm, into ~/.cache/aside-e2e or $ASIDE_E2E_CACHE).

GO    ?= go
LINT_VERSION := 2.15.0

BIN   := $(CURDIR)/bin
LINT  := $(BIN)/tools/golangci-lint-$(LINT_VERSION)

# FTS5 is compiled into SQLite by its tag; SQLite needs cgo. Version control
# is not asked, so that a copy or somebody else's folder builds too.
TAGS  := sqlite_fts5
BUILD := -buildvcs=false -tags $(TAGS)
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
export CGO_ENABLED := 1

.DEFAULT_GOAL := build
.PHONY: build run test races fuzz e2e xterm esctest bench check generate generated tidy format lint tools pictures clean help

build: ## bin/aside and bin/aside-hook
	$(GO) build $(BUILD) -trimpath -ldflags '-X main.version=$(VERSION)' -o $(BIN)/aside .
	CGO_ENABLED=0 $(GO) build $(BUILD) -trimpath -o $(BIN)/aside-hook ./hookbridge/hook/aside-hook

run: build ## build, and open aside on DIR (default: here)
	$(BIN)/aside $(DIR)

test: ## all tests that download nothing, with the race detector
	$(GO) test $(BUILD) -race -timeout 20m ./...

races: ## 10,000 rounds of all that can happen to a decision or a card at once
	ASIDE_RACE_ROUNDS=10000 $(GO) test $(BUILD) -race -count 1 -timeout 1h -run 'Races|AtOnce' ./hookbridge ./session/helper

FUZZTIME ?= 10m
fuzz: ## every fuzz test, FUZZTIME each (default: 10m)
	@grep -ro --include='*_test.go' '^func Fuzz[[:alnum:]]*' . | sed 's/func //' | while IFS=: read -r file name; do \
		$(GO) test $(BUILD) -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) "$$(dirname "$$file")" || exit 1; done

e2e: build ## the real agents against a scripted model
	ASIDE_E2E_BIN=$(BIN) $(GO) test -buildvcs=false -tags '$(TAGS) e2e' -count 1 -timeout 30m ./e2e/...

# Debian: apt-get install xterm xvfb
xterm: ## the recorded streams in our emulator and in the real xterm
	$(GO) test $(BUILD),xterm -count 1 -v -run Xterm -timeout 5m ./e2e/streams

# esctest2, by George Nachman and Thomas Dickey, is not part of this repository.
ESCTEST ?= ../esctest2/esctest
esctest: ## esctest2, which ESCTEST is the folder of, on our emulator
	$(GO) build $(BUILD) -o $(BIN)/tools/esctest ./e2e/esctest
	cd $(ESCTEST) && $(BIN)/tools/esctest python3 esctest.py --expected-terminal=xterm --xterm-checksum=334 \
		--max-vt-level=5 --options xtermWinopsEnabled --no-print-logs --logfile $(BIN)/esctest.log
	@sed -n '/^\*\*\* .* passed/,$$p' $(BIN)/esctest.log

bench: ## all benchmarks; docs/benchmarks.md explains them
	$(GO) test $(BUILD) -run '^$$' -bench . ./...

check: generated tidy format lint test ## what has to pass before a change is merged

generate: ## write the files that are made from the code
	$(GO) generate ./...
	$(GO) run $(BUILD) . keys > docs/keys.md
	$(GO) run $(BUILD) . man > docs/man/aside.1

# The files are made in a copy: a check leaves no changes behind.
generated: ## are the generated files current?
	.ci/generated

tidy:
	$(GO) mod tidy -diff

format: $(LINT)
	$(LINT) fmt --diff

lint: $(LINT)
	$(LINT) run ./...

tools: $(LINT) ## the linter, into bin/tools

# A linter of the right version that is there already saves minutes.
$(LINT):
	@mkdir -p $(@D)
	@for found in "$$(command -v golangci-lint)" "$$($(GO) env GOPATH)/bin/golangci-lint"; do \
		if [ "$$("$$found" version --short 2>/dev/null)" = "$(LINT_VERSION)" ]; then \
			ln -sf "$$found" $@ && exit 0; \
		fi; \
	done; \
	echo "installing golangci-lint $(LINT_VERSION)" && \
	GOBIN=$(@D) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(LINT_VERSION) && \
	mv $(@D)/golangci-lint $@

# One script for each run of the program; its line "#: ARGUMENTS" says how that
# is started. All run at once: they wait more than they work.
pictures: build ## the pictures of the documentation, from docs/pictures/*.txt
	@$(GO) build -buildvcs=false -o $(BIN)/tools/picture ./e2e/picture
	@for light in false true; do for script in docs/pictures/*.txt; do \
		$(BIN)/tools/picture -timeout 3m -to docs/pictures -light=$$light -script "$$script" $$(sed -n 's/^#: //p' "$$script") & \
		running="$$running $$!"; \
	done; done; \
	for run in $$running; do wait $$run || failed=1; done; [ -z "$$failed" ]

clean: ## what was built
	rm -rf $(BIN)

help: ## this list
	@sed -n 's/^\([a-z0-9]*\):[^#]*## \(.*\)/  \1 \2/p' $(MAKEFILE_LIST) | while read -r name text; do printf '  %-10s %s\n' "$$name" "$$text"; done
