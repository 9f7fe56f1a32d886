#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: two jobs that connect by a port are two archives; what they say to each other is in
# neither, and nothing waits for its other end there
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"
[ -x ./measure ] && [ -x ./measure-check ] || skip "measure is not built"
case $mpi_library in
open) command -v ompi-server >/dev/null || skip "no ompi-server" ;;
*) skip "jobs find each other in another way with this MPI library" ;;
esac
program=$PWD/tests/adapter/mpi/comm/ports.mpi

ompi-server --no-daemonize --report-uri "$work/uri" >/dev/null 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
for ((i = 0; i < 100; i++)); do
	[ ! -s "$work/uri" ] || break
	sleep 0.1
done
[ -s "$work/uri" ] || skip "ompi-server does not work here"
mpirun_options="$mpirun_options --ompi-server file:$work/uri"

# together PREFIX...: both jobs at once
together()
{
	rm -f "$work/port"
	run_mpi 2 "$@" "$program" server "$work/port" &
	run_mpi 2 "$@" "$program" client "$work/port" && wait $!
}

together || skip "jobs cannot connect here"
together ./measure -q -o "$work/trace" || fail "under measure: ends with $?"
for archive in "$work/trace" "$work/trace.1"; do
	[ -e "$archive/traces.otf2" ] || fail "no $archive"
	./measure-check "$archive" >"$work/words" 2>&1 || fail "$(cat "$work/words")"
	! grep -q warning "$work/words" || grep -q ' 0 warnings' "$work/words" ||
		fail "$(cat "$work/words")"
	[ "$(otf2-print "$archive/traces.otf2" | grep -c -E '^MPI_(SEND|RECV) ')" = 0 ] ||
		fail "$archive has messages"
done
