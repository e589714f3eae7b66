#!/usr/bin/env bash
# Runs assay over public packages and prints a line of figures for each: coverage by the
# written tests, the mutants that they kill, their number, lines of test for each statement
# that they cover, findings, mismatches, time, and whether they pass again with the race
# detector, in another order, five times, and what go vet and staticcheck say of them.
# Hand-written tests do not count, so that the
# figures are those of what assay writes. Below is the mean of the coverage and of the
# mutation scores (a package without tests has a coverage of 0). Copies are made in a new directory; modules come by the ordinary go
# client. Arguments select packages by name.
#
#	docs/corpus.sh [name...]
#
# LIST=applications takes packages of applications instead: handlers, clients, stores, clocks, commands.
#
# TIMEOUT is the bound for a package (30s), FLAGS are further flags of gen ("-engine random"),
# REPEAT is how often the tests are run again (5; 0 leaves it out, and vet and staticcheck),
# KEEP a directory in which the packages are left, with what was written and said.
#
# SERVER is the URL of a NATS server the workers of which do the work ("assay worker", of the same program: ASSAY names it, or
# it is built), and JOBS how many packages are worked on at the same time (1, or 16 with SERVER). Lines then come as packages end.
set -euo pipefail
timeout=${TIMEOUT:-30s}
repeat=${REPEAT:-5}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "${KEEP:-}" ]; then
	trap 'mkdir -p "$KEEP" && cp -r "$work"/. "$KEEP" && rm -rf "$work"' EXIT
fi
if [ -n "${ASSAY:-}" ]; then cp "$ASSAY" "$work/assay"; else go build -C "$root" -o "$work/assay" ./cmd/assay; fi
flags=${FLAGS:-}
at_once=${JOBS:-1}
if [ -n "${SERVER:-}" ]; then
	flags="-server $SERVER $flags"
	at_once=${JOBS:-16}
fi
[ "$repeat" = 0 ] || GOBIN="$work" go install honnef.co/go/tools/cmd/staticcheck@v0.8.2

# name, module@version (or std for a copy of a package of the standard library), package
packages="
semver golang.org/x/mod@v0.42.0 semver
module golang.org/x/mod@v0.42.0 module
levenshtein github.com/agnivade/levenshtein@v1.2.2 .
strcase github.com/iancoleman/strcase@v0.3.0 .
shellwords github.com/mattn/go-shellwords@v1.0.16 .
uuid github.com/google/uuid@v1.6.0 .
xxhash github.com/cespare/xxhash/v2@v2.3.0 .
runewidth github.com/mattn/go-runewidth@v0.0.31 .
radix github.com/armon/go-radix@v1.0.0 .
btree github.com/google/btree@v1.1.3 .
deque github.com/gammazero/deque@v1.2.3 .
avl github.com/zyedidia/generic@v1.2.1 avl
heap github.com/zyedidia/generic@v1.2.1 heap
glist github.com/zyedidia/generic@v1.2.1 list
queue github.com/zyedidia/generic@v1.2.1 queue
trie github.com/zyedidia/generic@v1.2.1 trie
r1 github.com/golang/geo@v0.0.0-20260818125358-b200a1149890 r1
r2 github.com/golang/geo@v0.0.0-20260818125358-b200a1149890 r2
r3 github.com/golang/geo@v0.0.0-20260818125358-b200a1149890 r3
s1 github.com/golang/geo@v0.0.0-20260818125358-b200a1149890 s1
lexer github.com/expr-lang/expr@v1.17.8 parser/lexer
parser github.com/expr-lang/expr@v1.17.8 parser
list std container/list
ring std container/ring
path std path
strconv std internal/strconv
utf8 std unicode/utf8
hex std encoding/hex
tabwriter std text/tabwriter
"

applications="
gobreaker github.com/sony/gobreaker/v2@v2.3.0 .
godotenv github.com/joho/godotenv@v1.5.1 .
labels k8s.io/apimachinery@v0.34.1 pkg/labels
chi github.com/go-chi/chi/v5@v5.2.3 .
logrus github.com/sirupsen/logrus@v1.9.3 .
quorum go.etcd.io/raft/v3@v3.6.0 quorum
sqlx github.com/jmoiron/sqlx@v1.4.0 .
reflectx github.com/jmoiron/sqlx@v1.4.0 reflectx
pflag github.com/spf13/pflag@v1.0.10 .
ttlcache github.com/jellydator/ttlcache/v3@v3.4.1 .
koanf github.com/knadh/koanf/v2@v2.4.1 .
kong github.com/alecthomas/kong@v1.17.0 .
nkeys github.com/nats-io/nkeys@v0.4.17 .
buntdb github.com/tidwall/buntdb@v1.3.0 .
sessions github.com/gorilla/sessions@v1.4.0 .
png std image/png
flate std compress/flate
textproto std net/textproto
comment std go/doc/comment
flag std flag
xml std encoding/xml
"
case "${LIST:-}" in
'') ;;
applications) packages=$applications ;;
*)
	echo "LIST is applications or nothing" >&2
	exit 2
	;;
esac

printf '%-12s %8s %8s %5s %5s %8s %10s %7s  %s\n' package coverage mutants tests lines findings mismatches seconds "go test -race -shuffle=on -count=$repeat"
# one works on a package, and prints its line.
one() {
	local name=$1 module=$2 package=$3 dir line lines ratio verdict names
	dir="$work/$name"
	if [ "$module" = std ]; then
		mkdir "$dir"
		find "$(go env GOROOT)/src/$package" -maxdepth 1 -name '*.go' ! -name '*_test.go' -exec cp {} "$dir" \;
		# What only the standard library may import has the same functions elsewhere.
		sed -i 's|"internal/bytealg"|bytealg "strings"|; s|bytealg.LastIndexByteString|bytealg.LastIndexByte|; s|bytealg.IndexByteString|bytealg.IndexByte|' "$dir"/*.go
		printf 'module example.com/%s\n\ngo 1.24\n' "$name" >"$dir/go.mod"
		package=.
	else
		cp -r "$(cd "$work" && go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')" "$dir"
		chmod -R u+w "$dir"
		rm -f "$dir/go.work" # it names modules that are not in this copy
	fi
	# shellcheck disable=SC2086 # flags are several words
	line=$("$work/assay" gen -C "$dir" -json -ignore-existing -timeout "$timeout" $flags "./$package" 2>"$dir/stderr" | tee "$dir/events" | grep '"action":"summary"' | grep -v '"package":""' || true)
	figure() { printf '%s' "$line" | sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" | grep . || echo "${2:--}"; }
	percent() { figure "$1" | awk '{ if ($1 == "-") print; else printf "%.1f\n", $1 }'; }
	lines=$(cat "$dir/$package"/*_assay_test.go 2>/dev/null | wc -l || true) # there may be none
	ratio=$(awk -v l="$lines" -v c="$(figure coverage 0)" -v s="$(figure statements 0)" 'BEGIN { n = s * c / 100; if (n > 0) printf "%.1f", l / n; else print "-" }')
	verdict=-
	if [ "$repeat" != 0 ]; then
		verdict=ok
		names=$(sed -n 's/^func \(Test[A-Za-z0-9_]*\)(.*/\1/p' "$dir/$package"/*_assay_test.go 2>/dev/null | paste -sd '|' || true)
		(cd "$dir/$package" && go vet . >"$dir/vet" 2>&1) || verdict="go vet: $(grep -m1 _assay_ "$dir/vet" || echo "of other files")"
		(cd "$dir/$package" && "$work/staticcheck" . >"$dir/static" 2>&1) || true
		if grep -q _assay_ "$dir/static"; then verdict="staticcheck: $(grep -m1 _assay_ "$dir/static")"; fi
		(cd "$dir/$package" && go test -race -shuffle=on -count="$repeat" -run "^($names)\$" . >"$dir/out" 2>&1) || verdict="FAIL: $(grep -m1 -E -- '--- FAIL|panic:|\.go:[0-9]+' "$dir/out" || true)"
	fi
	printf '%-12s %8s %8s %5s %5s %8s %10s %7s  %s\n' "$name" "$(percent coverage)" "$(percent mutation_score)" \
		"$(figure tests)" "$ratio" "$(figure findings)" "$(figure mismatches)" "$(figure elapsed_s)" "$verdict" | tee -a "$work/table"
}

begun=()
while read -r name module package; do
	[ -n "$name" ] || continue
	if [ $# -gt 0 ] && ! printf '%s\n' "$@" | grep -qx "$name"; then
		continue
	fi
	while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do wait -n; done
	one "$name" "$module" "$package" &
	begun+=($!)
done <<<"$packages"
for process in "${begun[@]}"; do wait "$process"; done
awk '{ c += $2; n++; if ($3 != "-") { m += $3; k++ } } END { printf "mean coverage %.1f of %d, mean mutation score %.1f of %d\n", n ? c / n : 0, n, k ? m / k : 0, k }' "$work/table"
