#!/usr/bin/env bash
# Runs the engines one by one over public containers and prints, for each, coverage by the
# written tests, findings of any severity and seconds; and what sequence alone reaches and
# finds: of the statements and outcomes of conditions that neither symbolic nor random covers,
# how many it does, and of its findings those at places where they find nothing. Copies are
# made in a new directory; modules come by the ordinary go client. Arguments select packages
# by name. With LIST set, what sequence alone reaches is listed.
#
#	docs/engines.sh [name...]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -C "$root" -o "$work/assay" ./cmd/assay

# name, module@version (or std for a copy of a package of the standard library), package
packages="
btree github.com/google/btree@v1.1.3 .
deque github.com/gammazero/deque@v1.2.3 .
list std container/list
radix github.com/armon/go-radix@v1.0.0 .
cache github.com/zyedidia/generic@v1.2.1 cache
"

printf '%-8s %-10s %9s %9s %11s %8s\n' package engine tests coverage findings seconds
while read -r name module package; do
	[ -n "$name" ] || continue
	if [ $# -gt 0 ] && ! printf '%s\n' "$@" | grep -qx "$name"; then
		continue
	fi
	for engine in symbolic random sequence; do
		dir="$work/$name-$engine"
		if [ "$module" = std ]; then
			mkdir "$dir"
			find "$(go env GOROOT)/src/$package" -maxdepth 1 -name '*.go' ! -name '*_test.go' -exec cp {} "$dir" \;
			printf 'module example.com/%s\n\ngo 1.24\n' "$name" >"$dir/go.mod"
			within=.
		else
			cp -r "$(cd "$work" && go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')" "$dir"
			chmod -R u+w "$dir"
			within=$package
		fi
		if [ "$name" = btree ]; then # degree 2, whatever is asked for: the smallest there is
			sed -i 's/^func NewWithFreeListG\[.*{$/&\n\tdegree = 2/' "$dir/btree_generic.go"
		fi
		"$work/assay" gen -C "$dir" -json -engine "$engine" -mutate=false -debug=cover -timeout 240s "./$within" >"$dir.json" 2>"$dir.err" || true
		line=$(grep '"action":"summary"' "$dir.json" | grep -v '"package":""' || true)
		figure() { printf '%s' "$line" | sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p"; }
		grep '^cover: ' "$dir.err" | sed "s|.*/\([^/]*\.go:\)|\1|" | sort -u >"$dir.missed" || true
		grep '"action":"finding"' "$dir.json" | sed 's|.*"func":"\([^"]*\)","kind":"\([^"]*\)","severity":"\([^"]*\)".*"pos":"[^"]*/\([^/"]*\)".*|\4 \2|' | sort -u >"$dir.found" || true
		printf '%-8s %-10s %9s %8.1f%% %11s %8.1f\n' "$name" "$engine" "$(figure tests)" "$(figure coverage | grep . || echo 0)" "$(wc -l <"$dir.found")" "$(figure elapsed_s | grep . || echo 0)"
	done
	comm -12 "$work/$name-symbolic.missed" "$work/$name-random.missed" | comm -23 - "$work/$name-sequence.missed" >"$work/$name.reached"
	sort -u "$work/$name-symbolic.found" "$work/$name-random.found" | comm -13 - "$work/$name-sequence.found" >"$work/$name.new"
	printf '%-8s sequence alone: %d statements and outcomes, %d findings\n' "$name" "$(wc -l <"$work/$name.reached")" "$(wc -l <"$work/$name.new")"
	if [ -n "${LIST:-}" ]; then
		sed 's/^/	/' "$work/$name.reached" "$work/$name.new"
	fi
done <<<"$packages"
