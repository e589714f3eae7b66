#!/usr/bin/env bash
# Compares versions of public modules: docs/diff.sh mended|refactored [DIR [NAME...]]. Of
# "mended" the newer version mends a defect, of "refactored" it is said to change little or
# nothing. Prints a line for each with what assay says in the end; the whole output is left in
# DIR.
# docs/diff.sh times [DIR [NAME...]] prints what diff takes for those of the mended pairs, and
# what gen takes for the functions that were compared; and what diff takes where one function of
# 200 has changed.
# TIMEOUT is the bound for a package (60s). Modules come by the ordinary go client, and nothing is
# run unconfined.
set -euo pipefail
cd "$(dirname "$0")/.."
which=${1:?mended, refactored or times}
dir=$(mkdir -p "${2:-$(mktemp -d)}" && cd "${2:-.}" && pwd)
shift; shift || true
go build -o "$dir/assay" ./cmd/assay

# name, module@old, module@new, package
mended() {
	cat <<'END'
dateparse github.com/araddon/dateparse@v0.0.0-20210207001429-0eec95c9db7e github.com/araddon/dateparse@v0.0.0-20210429162001-6b43995a97de .
go-jose github.com/go-jose/go-jose/v3@v3.0.4 github.com/go-jose/go-jose/v3@v3.0.5 ./cipher
json-patch github.com/evanphx/json-patch@v3.0.0+incompatible github.com/evanphx/json-patch@v4.0.0+incompatible .
prototext google.golang.org/protobuf@v1.29.0 google.golang.org/protobuf@v1.29.1 ./internal/encoding/text
ringbuffer github.com/smallnest/ringbuffer@v0.1.0 github.com/smallnest/ringbuffer@v0.1.1 .
safenum github.com/cronokirby/safenum@v0.29.0 github.com/cronokirby/safenum@v0.30.0 .
shoutrrr github.com/containrrr/shoutrrr@v0.5.3 github.com/containrrr/shoutrrr@v0.6.0 ./pkg/util
skiplist github.com/MauriceGit/skiplist@v0.0.0-20181208093031-38aa714e3f14 github.com/MauriceGit/skiplist@v0.0.0-20211105230623-77f5c8d3e145 .
xpath github.com/antchfx/xpath@v1.3.5 github.com/antchfx/xpath@v1.3.6 .
yaml3 gopkg.in/yaml.v3@v3.0.0 gopkg.in/yaml.v3@v3.0.1 .
gjson github.com/tidwall/gjson@v1.6.4 github.com/tidwall/gjson@v1.6.5 .
gjson2 github.com/tidwall/gjson@v1.6.6 github.com/tidwall/gjson@v1.6.7 .
jsonparser github.com/buger/jsonparser@v1.0.0 github.com/buger/jsonparser@v1.1.1 .
xtext-unicode golang.org/x/text@v0.3.2 golang.org/x/text@v0.3.3 ./encoding/unicode
xtext-language golang.org/x/text@v0.3.6 golang.org/x/text@v0.3.7 ./internal/language
xz github.com/ulikunitz/xz@v0.5.7 github.com/ulikunitz/xz@v0.5.8 .
decimal github.com/shopspring/decimal@v1.3.0 github.com/shopspring/decimal@v1.3.1 .
cron github.com/robfig/cron/v3@v3.0.0 github.com/robfig/cron/v3@v3.0.1 .
strcase github.com/iancoleman/strcase@v0.1.3 github.com/iancoleman/strcase@v0.2.0 .
doublestar github.com/bmatcuk/doublestar/v4@v4.6.0 github.com/bmatcuk/doublestar/v4@v4.6.1 .
humanize github.com/dustin/go-humanize@v1.0.0 github.com/dustin/go-humanize@v1.0.1 .
units github.com/docker/go-units@v0.4.0 github.com/docker/go-units@v0.5.0 .
semver github.com/Masterminds/semver/v3@v3.1.1 github.com/Masterminds/semver/v3@v3.2.0 .
mapstructure github.com/mitchellh/mapstructure@v1.4.2 github.com/mitchellh/mapstructure@v1.4.3 .
shellwords github.com/mattn/go-shellwords@v1.0.11 github.com/mattn/go-shellwords@v1.0.12 .
multierror github.com/hashicorp/go-multierror@v1.1.0 github.com/hashicorp/go-multierror@v1.1.1 .
go-version-nil github.com/hashicorp/go-version@v1.2.0 github.com/hashicorp/go-version@v1.2.1 .
uniseg github.com/rivo/uniseg@v0.4.6 github.com/rivo/uniseg@v0.4.7 .
levenshtein-cost github.com/agext/levenshtein@v1.2.2 github.com/agext/levenshtein@v1.2.3 .
bitset-shift github.com/bits-and-blooms/bitset@v1.24.3 github.com/bits-and-blooms/bitset@v1.24.4 .
sjson github.com/tidwall/sjson@v1.2.8 github.com/tidwall/sjson@v1.2.9 .
gjson3 github.com/tidwall/gjson@v1.17.0 github.com/tidwall/gjson@v1.17.1 .
gjson4 github.com/tidwall/gjson@v1.19.0 github.com/tidwall/gjson@v1.19.1 .
END
}

refactored() {
	cat <<'END'
xxhash github.com/cespare/xxhash/v2@v2.1.2 github.com/cespare/xxhash/v2@v2.2.0 .
levenshtein github.com/agnivade/levenshtein@v1.1.1 github.com/agnivade/levenshtein@v1.2.0 .
uuid github.com/google/uuid@v1.3.0 github.com/google/uuid@v1.3.1 .
uuid2 github.com/google/uuid@v1.4.0 github.com/google/uuid@v1.5.0 .
btree github.com/google/btree@v1.1.2 github.com/google/btree@v1.1.3 .
deque github.com/gammazero/deque@v0.2.0 github.com/gammazero/deque@v0.2.1 .
semver-mod golang.org/x/mod@v0.20.0 golang.org/x/mod@v0.30.0 ./semver
errors github.com/pkg/errors@v0.9.0 github.com/pkg/errors@v0.9.1 .
semaphore golang.org/x/sync@v0.8.0 golang.org/x/sync@v0.16.0 ./semaphore
slug github.com/gosimple/slug@v1.13.1 github.com/gosimple/slug@v1.14.0 .
go-version github.com/hashicorp/go-version@v1.6.0 github.com/hashicorp/go-version@v1.7.0 .
structs github.com/fatih/structs@v1.0.0 github.com/fatih/structs@v1.1.0 .
bitset github.com/bits-and-blooms/bitset@v1.10.0 github.com/bits-and-blooms/bitset@v1.11.0 .
rate golang.org/x/time@v0.5.0 golang.org/x/time@v0.8.0 ./rate
r3 github.com/golang/geo@v0.0.0-20210211234256-740aa86cb551 github.com/golang/geo@v0.0.0-20230421003525-6adc56603217 ./r3
cast github.com/spf13/cast@v1.5.0 github.com/spf13/cast@v1.5.1 .
fuzzy-split github.com/sahilm/fuzzy@v0.1.0 github.com/sahilm/fuzzy@v0.1.1 .
fuzzy-iter github.com/sahilm/fuzzy@v0.1.2 github.com/sahilm/fuzzy@v0.1.3 .
go-version-lazy github.com/hashicorp/go-version@v1.7.0 github.com/hashicorp/go-version@v1.8.0 .
bitset-unrolled github.com/bits-and-blooms/bitset@v1.24.4 github.com/bits-and-blooms/bitset@v1.24.5 .
mod-module golang.org/x/mod@v0.20.0 golang.org/x/mod@v0.30.0 ./module
mod-modfile golang.org/x/mod@v0.20.0 golang.org/x/mod@v0.30.0 ./modfile
mod-dirhash golang.org/x/mod@v0.20.0 golang.org/x/mod@v0.30.0 ./sumdb/dirhash
mod-note golang.org/x/mod@v0.20.0 golang.org/x/mod@v0.30.0 ./sumdb/note
errgroup golang.org/x/sync@v0.8.0 golang.org/x/sync@v0.16.0 ./errgroup
cryptobyte golang.org/x/crypto@v0.20.0 golang.org/x/crypto@v0.40.0 ./cryptobyte
idna golang.org/x/net@v0.20.0 golang.org/x/net@v0.40.0 ./idna
text-runes golang.org/x/text@v0.14.0 golang.org/x/text@v0.28.0 ./runes
text-message golang.org/x/text@v0.14.0 golang.org/x/text@v0.28.0 ./message/catalog
END
}

wanted() { # NAME among NAMES..., or there are none
	name=$1
	shift
	[ $# = 0 ] || printf '%s\n' "$@" | grep -qx "$name"
}

if [ "$which" != times ]; then
	"$which" | while read -r name old new pkg; do
		wanted "$name" "$@" || continue
		"$dir/assay" diff -timeout "${TIMEOUT:-60s}" "$old" "$new" "$pkg" >"$dir/$name.out" 2>"$dir/$name.err" </dev/null || true
		echo "== $name: $(tail -1 "$dir/$name.out")"
	done
	exit
fi

# timed prints the seconds that a command takes, on the clock and of the processor. What it writes goes to a file.
TIMEFORMAT='%R %U %S'
timed() {
	out=$1
	shift
	{ time "$@" >"$out" 2>/dev/null </dev/null || true; } 2>&1 | awk '{ print $1, $2 + $3 }'
}

printf '%-18s %9s %9s %9s %9s %9s  %s\n' pair functions diff CPU gen CPU 'CPU, diff for gen'
mended | while read -r name old new pkg; do
	wanted "$name" "$@" || continue
	read -r clock cpu <<<"$(timed "$dir/$name.json" "$dir/assay" diff -json -cache off -timeout "${TIMEOUT:-60s}" "$old" "$new" "$pkg")"
	functions=$(grep -E '"action":"(difference|same)"' "$dir/$name.json" | grep -v '"verdict":"proved"' |
		sed -E 's/.*"func":"([^"]*)"(.*"doors":\[([^]]*)\])?.*/"\1",\3/' | grep -o '[^",]*' | grep -v '^Test' | sort -u | paste -sd'|')
	src=$(cd "$dir" && go mod download -json "$new" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
	rm -rf "$dir/src" && cp -r "$src" "$dir/src" && chmod -R u+w "$dir/src"
	[ -f "$dir/src/go.mod" ] || printf 'module %s\n\ngo 1.20\n' "${new%@*}" >"$dir/src/go.mod"
	read -r gclock gcpu <<<"$(timed "$dir/$name.gen" "$dir/assay" gen -C "$dir/src" -cache off -timeout "${TIMEOUT:-60s}" -dry-run -run "^($functions)\$" "$pkg")"
	awk -v n="$name" -v f="$(tr '|' '\n' <<<"$functions" | wc -l)" -v a="$clock" -v b="$cpu" -v c="$gclock" -v d="$gcpu" \
		'BEGIN { printf "%-18s %9d %9.1f %9.1f %9.1f %9.1f  %.2f\n", n, f, a, b, c, d, b / d }'
done

# One function of 200, of five shapes, has changed. The build cache has what a first comparison needs.
wanted one-of-200 "$@" || exit 0
for side in old new; do
	mkdir -p "$dir/two/$side" && printf 'module example.com/many\n\ngo 1.24\n' >"$dir/two/$side/go.mod"
	awk -v side="$side" 'BEGIN {
		print "// Package many has many functions.\npackage many\n\nimport \"strings\"\n"
		for (i = 0; i < 200; i++) {
			limit = i == 117 && side == "new" ? i + 1 : i
			if (i % 5 == 0) printf "// Clamp%d keeps n below a limit.\nfunc Clamp%d(n int) int {\n\tif n > %d {\n\t\treturn %d\n\t}\n\treturn n\n}\n\n", i, i, limit, limit
			if (i % 5 == 1) printf "// Words%d counts words.\nfunc Words%d(s string) int {\n\tif s == \"w%d\" {\n\t\treturn -1\n\t}\n\treturn len(strings.Fields(s))\n}\n\n", i, i, limit
			if (i % 5 == 2) printf "// Sum%d adds numbers up to a limit.\nfunc Sum%d(list []int) int {\n\tsum := 0\n\tfor _, n := range list {\n\t\tif sum+n > %d {\n\t\t\tbreak\n\t\t}\n\t\tsum += n\n\t}\n\treturn sum\n}\n\n", i, i, limit
			if (i % 5 == 3) printf "// Count%d counts what is above a limit.\nfunc Count%d(m map[string]int) (n int) {\n\tfor _, v := range m {\n\t\tif v > %d {\n\t\t\tn++\n\t\t}\n\t}\n\treturn n\n}\n\n", i, i, limit
			if (i % 5 == 4) printf "// Meter%d counts.\ntype Meter%d struct{ n int }\n\n// Add adds n and says whether the meter is full.\nfunc (m *Meter%d) Add(n int) bool {\n\tm.n += n\n\treturn m.n >= %d\n}\n\n", i, i, i, limit
		}
	}' >"$dir/two/$side/many.go"
done
for how in first again again; do
	echo "one function of 200, $how: $(timed "$dir/two/out" "$dir/assay" diff -cache off -timeout "${TIMEOUT:-60s}" "$dir/two/old" "$dir/two/new") s and of the processor; $(tail -1 "$dir/two/out")"
done
