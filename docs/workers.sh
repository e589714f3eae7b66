#!/usr/bin/env bash
# Prints how long gen takes over the examples, and how much of the processor, without workers and with
# 1, 2 and 4 of them; how much memory the largest process of assay's had, or the largest worker, in MB (on Linux, and
# without the processes in which code under test runs); and whether all come to the same files. Nothing is taken from a cache.
#
#	docs/workers.sh [EXAMPLE...]         (by default some that take ten seconds each)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "${ASSAY:-}" ] && cp "$ASSAY" "$work/assay" || go build -C "$root" -o "$work/assay" ./cmd/assay
[ $# -gt 0 ] || set -- account bintree classify geometry parse ringbuffer
packages=("${@/#/./examples/}")
(cd "$root" && git ls-files -z | xargs -0 tar -c) | (mkdir "$work/module" && tar -x -C "$work/module")
# memory notes the largest memory of the processes of this assay that do the given verb, until it is killed.
memory() {
	while sleep 0.5; do
		for p in /proc/[0-9]*; do
			[[ $p/exe -ef $work/assay && $(tr '\0' ' ' <"$p/cmdline") == *" $1 "* ]] && awk '/^VmHWM/ { print int($2 / 1024) }' "$p/status" || true
		done
	done >"$work/memory" 2>/dev/null
}
TIMEFORMAT='%R %U %S'
printf '%-12s %9s %9s %7s %7s  %s\n' workers seconds CPU memory files load
for n in 0 1 2 4; do
	find "$work/module/examples" -name '*_assay*_test.go' -delete
	with=()
	[ "$n" = 0 ] || with=(-workers "$n")
	memory "$([ "$n" = 0 ] && echo gen || echo worker)" &
	watch=$!
	took=$({ time "$work/assay" gen -C "$work/module" -cache off -timeout 20m "${with[@]}" "${packages[@]}" >"$work/said" 2>&1; } 2>&1)
	kill "$watch" && wait "$watch" 2>/dev/null || true
	most=$(sort -n "$work/memory" | tail -1)
	files=$(cd "$work/module" && cat $(find examples -name '*_assay*_test.go' | sort) | sha256sum | cut -c1-6)
	awk -v n="$n" -v f="$files" -v m="${most:--}" -v l="$(cut -d' ' -f1-3 /proc/loadavg)" '{ printf "%-12s %9.1f %9.1f %7s %7s  %s\n", n == 0 ? "none" : n, $1, $2 + $3, m, f, l }' <<<"$took"
done
