#!/usr/bin/env bash
# Fetches old versions of public modules that have a known bug each, and has assay look for
# it: docs/bugs.sh [DIR [NAME...]]. Prints the findings in the function that the bug is in
# and the time that assay took. The whole output of assay is left in DIR. Nothing is run
# unconfined.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-.}" && pwd)
shift || true
go build -o "$dir/assay" ./cmd/assay

bugs() {
	cat <<'END'
go-cvss github.com/pandatix/go-cvss@v0.3.0 20 ParseVector
dateparse github.com/araddon/dateparse@v0.0.0-20210207001429-0eec95c9db7e . parseany.go:243
fuzzy github.com/sahilm/fuzzy@v0.1.0 . Find
go-radix github.com/armon/go-radix@v1.0.0 . Walk|Delete
go-jose github.com/go-jose/go-jose/v3@v3.0.4 cipher KeyUnwrap
json-patch github.com/evanphx/json-patch@v3.0.0+incompatible . Apply
protobuf google.golang.org/protobuf@v1.29.0 encoding/prototext Unmarshal
ringbuffer github.com/smallnest/ringbuffer@v0.1.0 . RingBuffer
safenum github.com/cronokirby/safenum@v0.29.0 . ModSqrt
shoutrrr github.com/containrrr/shoutrrr@v0.5.3 pkg/util PartitionMessage
skiplist github.com/MauriceGit/skiplist@v0.0.0-20181208093031-38aa714e3f14 . ChangeValue|SkipList
xpath github.com/antchfx/xpath@v1.3.5 . Select|MoveNext|Evaluate
END
}

bugs | while read -r name module pkg where; do
	if [ $# -gt 0 ] && ! printf '%s\n' "$@" | grep -qx "$name"; then
		continue
	fi
	if [ ! -d "$dir/$name" ]; then
		from=$(cd "$dir" && go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p')
		cp -r "$from" "$dir/$name"
		chmod -R u+w "$dir/$name"
		if [ ! -f "$dir/$name/go.mod" ]; then
			(cd "$dir/$name" && go mod init "${module%@*}" && go mod tidy) >/dev/null 2>&1 || true
		fi
	fi
	start=$(date +%s)
	(cd "$dir/$name" && GOFLAGS=-mod=mod "$dir/assay" gen -cache off -timeout 120s "./$pkg") >"$dir/$name.out" 2>"$dir/$name.err" </dev/null || true
	echo "== $name ($(($(date +%s) - start))s): $(tail -1 "$dir/$name.out")"
	grep -E "(error|warning): " "$dir/$name.err" | grep -E "$where" || echo "   nothing in $where"
done
