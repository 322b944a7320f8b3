# Turnout's commands. Run make without a target for the list.

# The functions' processor, with the same names as template.yaml's parameter Architecture.
ARCH ?= arm64
GOARCH.arm64  = arm64
GOARCH.x86_64 = amd64

# make build and SAM build a function with this command.
BUILD = CGO_ENABLED=0 GOOS=linux GOARCH=$(or $(GOARCH.$(ARCH)),$(error ARCH must be arm64 or x86_64)) \
	go build -tags lambda.norpc -trimpath -buildvcs=false -ldflags "-s -w"

# A module of its own pins Go's tools. The npm tools are pinned beside it.
TOOL = go tool -modfile=infra/tools/go.mod
NODE = .local/node/node_modules

FUNCTIONS = $(notdir $(patsubst %/,%,$(dir $(wildcard functions/*/main.go))))

.PHONY: help run run-dynamodb test test-browser screenshots picture node-tools bench explore mutate build dist lint types third-party update dynamodb-local validate rehearse deploy smoke run-sam clean

# The list has targets with ##. Targets with one # are for rare occasions, and CONTRIBUTING names them.
help:
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' Makefile

##@ Run

# Prints a note if Go's cache is empty. A filled cache has a folder for each first byte of a hash.
first-time = @[ -d "$$(go env GOCACHE)/00" ] || echo "Go downloads and compiles everything the first time, which takes some minutes."

run: need-go ## start Turnout at http://127.0.0.1:3000 (PORT, DATA_DIR)
	$(first-time)
	@go build -o .local/bin/turnout ./infra/turnout
	@exec .local/bin/turnout

run-dynamodb: need-go dynamodb-local ## start Turnout on DynamoDB Local, in memory
	$(first-time)
	@go build -o .local/bin/turnout ./infra/turnout
	@exec infra/tools/dynamodb-local .local/bin/turnout -dynamodb

# The containers run on this machine's processor. They reach DynamoDB Local at this address, which on Linux is Docker's
# bridge, and elsewhere the loopback, through Docker Desktop. turnout makes the table, and serves it beside SAM.
run-sam: ARCH = $(if $(filter x86_64 amd64,$(shell uname -m)),x86_64,arm64)
run-sam: export DYNAMODB_LOCAL_HOST ?= $(if $(filter Linux,$(shell uname)),172.17.0.1,127.0.0.1)
run-sam: need-go need-python3 need-docker dynamodb-local ## run the functions in Lambda's containers, with Docker (PORT, SAMFLAGS)
	@infra/tools/install
	ARCH=$(ARCH) $(SAM) build --parameter-overrides Architecture=$(ARCH)
	@go build -o .local/bin/turnout ./infra/turnout
	@infra/tools/dynamodb-local bash -c ' \
		printf "{\"Parameters\": {\"TABLE_NAME\": \"turnout\", \"ORIGIN_SECRETS\": \"none\", \"AWS_ENDPOINT_URL_DYNAMODB\": \"%s\"}}" \
			"http://host.docker.internal:$${AWS_ENDPOINT_URL_DYNAMODB##*:}" >.aws-sam/variables.json; \
		PORT=0 .local/bin/turnout -dynamodb & trap "kill $$! 2>/dev/null" EXIT; \
		$(SAM) local start-api --port $(or $(PORT),3000) --env-vars .aws-sam/variables.json --warm-containers LAZY \
			--add-host host.docker.internal:host-gateway --parameter-overrides Architecture=$(ARCH) $(SAMFLAGS)'

##@ Test

# go test prints packages in this order, so the quick ones are first and the slowest one is last. It tests each package
# once, even if two patterns match the package.
PACKAGES ?= ./internal/event/... ./internal/environment ./internal/middleware ./internal/gateway ./internal/httpapi \
	./internal/... ./infra/... ./functions/...

test: need-go ## run all tests, and list at the end what skipped ones need (TESTFLAGS, PACKAGES)
	$(first-time)
	@if command -v java >/dev/null && command -v mvn >/dev/null; then $(MAKE) -s dynamodb-local || true; fi
	@echo "All tests take one to five minutes. A line is printed for each package that has passed."
	$(TOOL) gotestsum --format pkgname --format-hide-empty-pkg --hide-summary skipped \
		--jsonfile "$$(mktemp)" --post-run-command infra/tools/skipped -- $(TESTFLAGS) $(PACKAGES)

# $(call lint-with,TOOL,HOW TO GET IT,ARGUMENTS) runs a linter that some machines lack.
lint-with = @if command -v $(1) >/dev/null; then echo $(1) $(3); $(1) $(3); \
	else echo "lint: skipped, $(1) is missing ($(2))"; [ "$$CI" != true ]; fi

lint: export OXLINT_TSGOLINT_PATH = $(NODE)/.bin/tsgolint
lint: need-go types ## check Go, TypeScript, workflows, shell and Python
	@unformatted=$$(gofmt -l functions internal infra); [ -z "$$unformatted" ] || { echo "not gofmt-formatted:" $$unformatted; exit 1; }
	infra/tools/columns
	go vet ./...
	$(TOOL) staticcheck -checks inherit,ST1000 ./...
	$(TOOL) actionlint
	@infra/tools/third-party | diff infra/THIRD_PARTY - || { echo "lint: make third-party updates infra/THIRD_PARTY"; exit 1; }
	$(call lint-with,.local/venv/bin/zizmor,infra/tools/install with Python 3.11,--offline --quiet .github)
	$(call lint-with,shellcheck,apt-get install shellcheck,.ci/run .ci/bare $$(grep -lr '^#!.*bash' infra))
	$(call lint-with,$(NODE)/.bin/oxlint,make node-tools; needs npm,-c internal/site/.oxlintrc.json --quiet --type-aware --import-plugin $(addprefix internal/site/,src bundle browser/testdata))
	$(call lint-with,$(NODE)/.bin/prettier,make node-tools; needs npm,--check --log-level warn 'internal/site/@(src|bundle|browser)/**/*.@(js|ts|tsx)')
	$(call lint-with,.local/venv/bin/ruff,infra/tools/install,check --quiet infra)
	$(call lint-with,.local/venv/bin/ruff,infra/tools/install,format --check --quiet infra)

types: .local/types/locales/en.ts # check the types of the site's scripts
	$(call lint-with,$(NODE)/.bin/tsc,make node-tools; needs npm,-p internal/site/tsconfig.json)
	$(call lint-with,$(NODE)/.bin/tsc,make node-tools; needs npm,-p internal/site/src/worker/tsconfig.json)
	$(call lint-with,$(NODE)/.bin/tsc,make node-tools; needs npm,-p internal/site/browser/testdata/tsconfig.json)

# A TypeScript module has the texts as a type. In a JSON module the type of each text would be string.
.local/types/locales/en.ts: internal/site/src/locales/en.json
	@mkdir -p $(@D) && (printf 'export type English = '; cat $<) > $@

third-party: need-go # write infra/THIRD_PARTY, the licenses of what the program turnout contains
	@infra/tools/third-party >.local/THIRD_PARTY
	@mv .local/THIRD_PARTY infra/THIRD_PARTY

update: need-go need-npm need-python3 # bring the dependencies of Go, npm and Python to their newest versions
	go get $$(go list -m -f '{{if not (or .Indirect .Main)}}{{.Path}}{{end}}' all) && go mod tidy
	cd infra/tools && go get tool
	cd infra/tools && npm install --package-lock-only --engine-strict --ignore-scripts --save-dev --save-exact \
		$$(node -p 'Object.keys(require("./package.json").devDependencies).map((name) => name + "@latest").join(" ")')
	infra/tools/install
	for in in $(wildcard infra/*/requirements.in); do .local/venv/bin/uv pip compile --quiet --upgrade --universal \
		--python-version 3.10 --generate-hashes --no-annotate --no-header $$in -o $${in%.in}.txt || exit 1; done
	$(MAKE) third-party

test-browser: need-go need-chromium node-tools ## drive the site in Chromium, Firefox and WebKit
	go test -count=1 -timeout 30m $(TESTFLAGS) ./internal/site/browser

screenshots: need-go need-chromium node-tools ## take screenshots of every page and state, in .local/screenshots
	rm -rf .local/screenshots
	PICTURES=$(CURDIR)/.local/screenshots go test -count=1 -timeout 30m -run '^TestPictures$$' ./internal/site/browser
	@ls .local/screenshots | wc -l | xargs printf '%s pictures in .local/screenshots\n'

picture: need-go need-chromium node-tools # take the README's picture, internal/docs/turnout.png
	PICTURE=$(CURDIR)/internal/docs/turnout.png go test -count=1 -run '^TestReadmePicture$$' ./internal/site/browser

bench: need-go ## compare speed and size with baselines, and print a table (PART, THAN: a URL of another commit)
	go test -count=1 -v -run '^Test(Allocations|Benchmark)$$/$(PART)' -timeout 20m ./internal/benchmark -measure $(if $(THAN),-than $(THAN))

EXPLORE ?= 15m

explore: need-go ## search more orders of the store's calls than CI does (EXPLORE, PART)
	go test -count=1 -v -run '^TestExplore$$/$(PART)' -timeout 0 ./internal/dynamo/explore -explore $(EXPLORE)

# The aim is that tests kill 95 % of the mutants and cover 95 % of the lines, in each package. A busy machine needs a
# higher --timeout-coefficient. Each package is tested by its own tests. vet is off, because it would refuse some
# mutants before a test does. The cache is off, because the time of the first run limits the time of a mutant's run.
# Gremlins copies its folder with all files, so it runs in a copy that has only the files that the tests need.
MUTATED ?= environment event middleware httpapi gateway bolt dynamo portable site site/locale site/eventpage site/card site/bundle
MUTATE  = .local/mutate

mutate: need-go dynamodb-local ## mutation testing: print the mutants that no test kills (MUTATED)
	rm -rf $(MUTATE) && mkdir -p $(MUTATE)/.local
	cp -r functions internal infra template.yaml go.mod go.sum README.md Makefile $(MUTATE)
	cp -r .local/dynamodb-local $(MUTATE)/.local
	@for package in $(MUTATED); do \
		printf '\ninternal/%s\n' $$package; \
		(cd $(MUTATE) && GOFLAGS='-count=1 -vet=off' $(TOOL) gremlins unleash ./internal/$$package --exclude-files '/' --output-statuses lct --timeout-coefficient 5) || exit 1; \
	done
	@rm -rf $(MUTATE)

##@ Deploy

validate: need-go need-python3 ## check the deployment without an account: templates, build, a stack in moto
	infra/validate/run

rehearse: need-go need-python3 ## deploy, undo, restore, roll back and delete a stack with the real programs, in an emulator of AWS
	infra/rehearse/run

dist: need-go ## build the archives of a release into .local/dist (VERSION)
	@infra/tools/dist $(VERSION)

build: need-go ## build the functions for Lambda into .local/functions
	@for f in $(FUNCTIONS); do $(BUILD) -o .local/functions/$$f/bootstrap ./functions/$$f || exit 1; done

# SAM calls build-<logical id> for each function of template.yaml: build-CreateEventFunction
# builds functions/create-event.
build-%Function:
	$(BUILD) -o "$(ARTIFACTS_DIR)/bootstrap" ./functions/$$(echo $* | sed 's/\(.\)\([A-Z]\)/\1-\2/g' | tr A-Z a-z)

# Each stage has a stack of its own. The stack's resources have its name as a tag, for the bill. If PARAMETERS does not
# name a parameter, the parameter keeps its deployed value.
STAGE ?= production
STACK ?= turnout-$(STAGE)
# STAGE on the command line takes precedence over an exported STACK, which may belong to another stage.
ifeq ($(origin STAGE),command line)
STACK = turnout-$(STAGE)
endif
PYTHON = .local/venv/bin/python
SAM    = SAM_CLI_TELEMETRY=0 .local/venv/bin/sam

# The bucket for the function code: the output Programs of infra/deployer.yaml. Without it, SAM makes a bucket of its own.
PROGRAMS ?=

# The deployed commit. Operators, and the check for late approvals, read it from the stack.
COMMIT ?= $(shell git rev-parse --verify --quiet HEAD || echo unknown)
OWN = Architecture=$(ARCH) Commit=$(COMMIT)

# SAM takes NAME="" for an empty value, and silently drops NAME=.
OVERRIDES = $(foreach p,$(PARAMETERS),$(if $(filter %=,$(p)),'$(p)""','$(p)'))

deploy: need-go need-python3 ## build, deploy to AWS, upload the site and check it (STAGE, PARAMETERS, PROGRAMS)
	@infra/tools/install
	@$(PYTHON) -m infra.deploy.preflight $(STACK) $(OWN) --parameters $(PARAMETERS)
	ARCH=$(ARCH) $(SAM) build --parameter-overrides Architecture=$(ARCH)
	@go build -o .local/bin/smoke ./infra/smoke
	@$(PYTHON) -m infra.deploy.release record $(STACK)
	@$(PYTHON) -m infra.deploy.upload --assets $(STACK)
	$(SAM) deploy --stack-name $(STACK) --tags stack=$(STACK) $(if $(PROGRAMS),--config-env programs --s3-bucket $(PROGRAMS)) --s3-prefix $(STACK) --parameter-overrides $(OWN) $(OVERRIDES)
	@$(PYTHON) -m infra.deploy.upload $(STACK)
	@$(PYTHON) -m infra.deploy.release verify $(STACK)

smoke: need-go ## check a running Turnout from outside (URL)
	@go run ./infra/smoke $(or $(URL),$(error URL is missing: make smoke URL=https://turnout.example.org))

##@ Fetch tools, and clean up

# A target first checks for the tools that it needs. need-go also refuses an old version, which would only report syntax
# errors in go.mod.
GET.go       = Go 1.26 or newer, https://go.dev/dl
GET.java     = Java 17 or newer, for example OpenJDK from your system's packages
GET.mvn      = Maven, from your system's packages
GET.npm      = npm, which comes with Node.js
GET.chromium = Chromium, from your system's packages
GET.python3  = Python 3.10 or newer
GET.docker   = Docker Engine or Docker Desktop, https://docs.docker.com/get-docker
need-%:
	@command -v $* >/dev/null || { echo "$* is missing: install $(GET.$*)" >&2; exit 1; }
	$(ASK.$*)
need-chromium: # headless or desktop
	@command -v $${CHROMIUM:-chromium-headless-shell} >/dev/null || command -v chromium >/dev/null || { echo "chromium is missing: install $(GET.chromium)" >&2; exit 1; }
ASK.go = @case "$$(go version)" in *' go1.'[0-9][!0-9]* | *' go1.1'[0-9][!0-9]* | *' go1.20'[!0-9]*) \
	echo "$$(go version) is too old: install $(GET.go) (1.21 and newer fetch it themselves)" >&2; exit 1;; esac

node-tools: $(NODE)/.package-lock.json ## fetch TypeScript, linters and axe-core (needs npm)

# npm writes this file last, so the file marks a complete installation.
$(NODE)/.package-lock.json: infra/tools/package.json infra/tools/package-lock.json | need-npm
	@mkdir -p .local/node && cp $^ .local/node
	cd .local/node && npm ci --silent --no-fund --no-audit --ignore-scripts && touch node_modules/.package-lock.json

dynamodb-local: .local/dynamodb-local/pom.xml ## fetch AWS's DynamoDB Local (needs Maven and Java 17)

# The copy of pom.xml comes last, because it marks a complete fetch.
.local/dynamodb-local/pom.xml: internal/dynamo/dynamodblocal/pom.xml | need-java need-mvn
	rm -rf $(@D)
	mvn -q -B -C -Dstyle.color=never -f $< dependency:copy-dependencies
	cp $< $@.new && mv $@.new $@

clean: ## remove what was built and fetched, but not the data
	rm -rf .aws-sam
	[ ! -d .local ] || find .local -mindepth 1 -maxdepth 1 ! -name 'turnout.db*' -exec rm -rf {} +
