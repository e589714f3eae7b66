#!/usr/bin/env bash
# Runs assay over a repository of 60 public packages with a budget for all of them, and prints which
# part of all statements the written tests cover, as go test counts it: with -budget, and beside it by
# a run without one that is interrupted when the same time is over. Then what a further run over
# unchanged code takes, and one over a changed function. Hand-written tests are left out, the
# modules come by the ordinary go client, and everything is done in a new directory.
#
#	docs/scale.sh [BUDGET...]         (by default 2m 5m 15m)
#
# AGAIN is how often the command of the last budget is given again, to go on from where it ended. ALONE=1 leaves out the
# runs without a budget.
# WORKERS, such as "1 2", does something else in the place of all this: a run of 5 s for each package by so many workers
# over a server of their own, and beside its time what the simulation makes of the times of its jobs.
# KEEP names a directory in which the repositories are left with what was written and said.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'if [ -n "${KEEP:-}" ]; then mkdir -p "$KEEP" && cp -r "$work"/. "$KEEP"; fi; rm -rf "$work"' EXIT
[ -n "${ASSAY:-}" ] && cp "$ASSAY" "$work/assay" || go build -C "$root" -o "$work/assay" ./cmd/assay
mkdir "$work/many" && printf 'module example.com/many\n\ngo 1.24\n' >"$work/many/go.mod"

# name, module@version (or std for copies of the standard library's packages), and its packages
while read -r name module packages; do
	if [ "$module" = std ]; then
		for p in $packages; do
			mkdir -p "$work/many/$name/$(basename "$p")"
			find "$(go env GOROOT)/src/$p" -maxdepth 1 -name '*.go' ! -name '*_test.go' -exec cp {} "$work/many/$name/$(basename "$p")" \;
		done
		continue
	fi
	dir=$(cd "$work" && go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
	for p in $packages; do
		mkdir -p "$work/many/$name/$p"
		find "$dir/$p" -maxdepth 1 \( -name '*.go' -o -name '*.s' \) ! -name '*_test.go' -exec cp {} "$work/many/$name/$p" \;
	done
	chmod -R u+w "$work/many/$name"
	find "$work/many/$name" -name '*.go' -exec sed -i "s|\"${module%@*}\(/[^\"]*\)\?\"|\"example.com/many/$name\1\"|" {} +
done <<'MODULES'
gods github.com/emirpasic/gods/v2@v2.0.0-alpha containers utils lists lists/arraylist lists/doublylinkedlist lists/singlylinkedlist maps maps/hashbidimap maps/hashmap maps/linkedhashmap maps/treebidimap maps/treemap queues queues/arrayqueue queues/circularbuffer queues/linkedlistqueue queues/priorityqueue sets sets/hashset sets/linkedhashset sets/treeset stacks stacks/arraystack stacks/linkedliststack trees trees/avltree trees/binaryheap trees/btree trees/redblacktree
generic github.com/zyedidia/generic@v1.2.1 . avl bimap btree cache hashmap hashset heap interval list mapset multimap queue rope set stack trie
geo github.com/golang/geo@v0.0.0-20260818125358-b200a1149890 r1 r2 r3 s1 s2
levenshtein github.com/agnivade/levenshtein@v1.2.2 .
strcase github.com/iancoleman/strcase@v0.3.0 .
shellwords github.com/mattn/go-shellwords@v1.0.16 .
uuid github.com/google/uuid@v1.6.0 .
radix github.com/armon/go-radix@v1.0.0 .
deque github.com/gammazero/deque@v1.2.3 .
btree github.com/google/btree@v1.1.3 .
mod golang.org/x/mod@v0.42.0 internal/lazyregexp semver module sumdb/dirhash
std std path container/list container/ring encoding/hex encoding/csv text/tabwriter unicode/utf8 unicode/utf16 html bufio
MODULES
# What only the standard library may import has the same functions elsewhere.
sed -i 's|"internal/bytealg"|bytealg "strings"|; s|bytealg.LastIndexByteString|bytealg.LastIndexByte|; s|bytealg.IndexByteString|bytealg.IndexByte|' "$work"/many/std/*/*.go
(cd "$work/many" && go get github.com/segmentio/fasthash@v1.0.3 golang.org/x/exp@v0.0.0-20220218215828-6cf2b201936e && go build ./...) 2>"$work/built" || { cat "$work/built"; exit 1; }
# Packages without a statement (interfaces alone) do not count; the first 60 of the others stay.
(cd "$work/many" && go test -coverprofile="$work/none" ./... >/dev/null 2>&1 || true)
sed -n 's|^\(example.com/many.*\)/[^/]*\.go:.*|\1|p' "$work/none" | sort -u >"$work/with"
for p in $(cd "$work/many" && go list ./...); do
	keep=$(head -60 "$work/with" | grep -cx "$p" || true)
	[ "$keep" = 1 ] || echo "$p"
done >"$work/without"
packages=$(head -60 "$work/with")
echo "$(head -60 "$work/with" | wc -l) packages, $(awk 'NR == FNR { in60[$1] = 1; next } { p = $1; sub("/[^/]*$", "", p) } in60[p] { n += $2 } END { print n }' <(echo "$packages") "$work/none") statements; load $(cut -d' ' -f1-3 /proc/loadavg)"

# covered prints which part of all statements the tests in a directory cover.
covered() {
	(cd "$1" && go test -vet=off -coverprofile="$work/profile" $packages >/dev/null 2>&1 || true)
	awk '/^example/ { n += $2; if ($3 > 0) c += $2 } END { printf "%.1f %%", 100 * c / n }' "$work/profile"
}

# recorded does all packages by a number of workers, and simulates the same.
recorded() {
	local n=$1 dir="$work/workers-$1" url=nats://127.0.0.1:14222 begin took
	cp -r "$work/many" "$dir"
	"$work/bin/nats-server" -a 127.0.0.1 -p 14222 -js -sd "$work/store-$n" >"$work/server-$n" 2>&1 &
	local processes=($!)
	sleep 1
	for i in $(seq "$n"); do
		"$work/assay" worker -server "$url" -json -j 1 -dir "$work/worker-$n-$i" 2>"$work/log-$n-$i" &
		processes+=($!)
	done
	sleep 1
	begin=$(date +%s.%N)
	# shellcheck disable=SC2086 # one word for each package
	"$work/assay" gen -C "$dir" -cache off -server "$url" -recheck 0 -timeout 5s $packages >"$dir/said" 2>&1 || true
	took=$(awk -v b="$begin" -v e="$(date +%s.%N)" 'BEGIN { printf "%.1f", e - b }')
	kill "${processes[@]}" && wait "${processes[@]}" 2>/dev/null || true
	cat "$work/log-$n-"* | sed -n 's/.*"msg":"done".*"took":\([0-9]*\).*/\1/p' | awk '{ print $1 / 1e9 }' >"$work/times-$n"
	echo "$n workers: $(wc -l <"$work/times-$n") jobs, $(awk '{ s += $1 } END { printf "%.1f", s }' "$work/times-$n") s of work; done in $took s; simulated: $(
		cd "$root" && go test ./internal/workers -run xxx -bench Recorded -benchtime 1x -recorded "$work/times-$n" -recorded.workers "$n" | grep -o '[0-9.]* s\b'
	); load $(cut -d' ' -f1-3 /proc/loadavg)"
}
if [ -n "${WORKERS:-}" ]; then
	GOBIN="$work/bin" go install -C "$root" github.com/nats-io/nats-server/v2
	for n in $WORKERS; do recorded "$n"; done
	exit
fi

printf '%-8s %-10s %9s %9s %8s  %s\n' budget how covered packages seconds load
for budget in "${@:-2m 5m 15m}"; do
	for budget in $budget; do
		for how in passes one-by-one; do
			[ "$how" = passes ] || [ -z "${ALONE:-}" ] || continue
			dir="$work/$how-$budget"
			cp -r "$work/many" "$dir"
			begin=$(date +%s.%N)
			# shellcheck disable=SC2086 # one word for each package
			if [ "$how" = passes ]; then
				"$work/assay" gen -C "$dir" -cache "$work/cache-$budget" -budget "$budget" $packages >"$dir/said" 2>&1 || true
			else
				timeout -s INT "$budget" "$work/assay" gen -C "$dir" -cache off $packages >"$dir/said" 2>&1 || true
			fi
			took=$(awk -v b="$begin" -v e="$(date +%s.%N)" 'BEGIN { printf "%.0f", e - b }')
			with=$(find "$dir" -name '*_assay_test.go' -exec dirname {} + | sort -u | wc -l)
			load=$(cut -d' ' -f1-3 /proc/loadavg)
			printf '%-8s %-10s %9s %9s %8s  %s\n' "$budget" "$how" "$(covered "$dir")" "$with" "$took" "$load"
		done
	done
done

# What the same command comes to when it is given again.
for i in $(seq "${AGAIN:-0}"); do
	dir="$work/passes-$budget"
	begin=$(date +%s.%N)
	# shellcheck disable=SC2086 # as above
	"$work/assay" gen -C "$dir" -cache "$work/cache-$budget" -budget "$budget" $packages >"$dir/said" 2>&1 || true
	took=$(awk -v b="$begin" -v e="$(date +%s.%N)" 'BEGIN { printf "%.0f", e - b }')
	with=$(find "$dir" -name '*_assay_test.go' -exec dirname {} + | sort -u | wc -l)
	load=$(cut -d' ' -f1-3 /proc/loadavg)
	printf '%-8s %-10s %9s %9s %8s  %s\n' "$budget" "again $i" "$(covered "$dir")" "$with" "$took" "$load"
done

# What a further run costs that has no time to deepen anything: over unchanged code, and where one
# package has a new function.
dir="$work/passes-$budget"
again() {
	begin=$(date +%s.%N)
	# shellcheck disable=SC2086 # as above
	"$work/assay" gen -C "$dir" -json -cache "$work/cache-$budget" -budget 9s $packages >"$work/again" 2>/dev/null || true
	awk -v what="$1" -v n="$(grep -c '"action":"pass".*"cached":true' "$work/again")" -v b="$begin" -v e="$(date +%s.%N)" \
		'BEGIN { printf "%s: %d packages from the cache, %.1f s\n", what, n, e - b }'
}
again "a further run"
echo 'func assayScaleProbe() int { return 1 }' >>"$(find "$dir/levenshtein" -name '*.go' ! -name '*_test.go' | head -1)"
again "with a function more in one package"
