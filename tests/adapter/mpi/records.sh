# SPDX-License-Identifier: BSD-3-Clause
# For run.sh and fortran.sh to source after mpirun.sh: $expected is the file with the records that
# the program is to give. Its source says, in its first comment, how it runs and what is looked at.
stub=$PWD/.libs/libmeasure-stub.so
adapter=$PWD/.libs/libmeasure-mpi.so
ranks=$(tell Ranks 1)
order=$(tell Order certain)
complete=$(tell Complete yes)
groups=$(tell Groups auto)
only=$(tell Records '')
of=$(tell 'Expected of' '')

against_stub()
{
	run_mpi "$ranks" env MEASURE_STUB_LOG="$work/%p.log" LD_PRELOAD="$stub $adapter" \
		MEASURE_MPI_GROUPS="$groups" "$program" >"$work/traced" || fail "against the stub: ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output with the adapter"
	awk -v complete="$complete" -f "$here/check_log.awk" "$work"/*.log >"$work/records" ||
		fail "against the stub"
	[ -z "$only" ] || grep -E "^rank|^.$only " "$work/records" >"$work/only"
	[ -z "$only" ] || mv "$work/only" "$work/records"
	[ "$order" = certain ] || return 0
	[ -z "$of" ] || "$mpirun" --version 2>&1 | grep -q "$of" || return 0
	[ "${MEASURE_UPDATE:-0}" = 0 ] || cp "$work/records" "$expected"
	diff "$expected" "$work/records" || fail "other records than expected"
}

end_to_end()
{
	run_mpi "$ranks" ./measure -q --mpi-groups "$groups" -o "$work/trace" "$program" >"$work/traced" ||
		fail "under measure: ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output under measure"
	otf2-print --silent -Werror "$work/trace/traces.otf2" 2>"$work/messages" >"$work/banner" ||
		fail "otf2-print refuses the archive"
	[ ! -s "$work/messages" ] || fail "otf2-print complains: $(cat "$work/messages")"
	[ ! -x ./measure-check ] || [ "$complete" = no ] ||
		./measure-check "$work/trace" >"$work/messages" 2>&1 ||
		fail "measure-check: $(cat "$work/messages")"
}

# Runs it without and with the adapter. One that cannot do what it is for ends as a skipped test.
check_program()
{
	program=$1
	run_mpi "$ranks" "$program" >"$work/plain"
	case $? in
	0) ;;
	77) skip "$(cat "$work/plain")" ;;
	*) fail "ends with an error" ;;
	esac
	against_stub
	[ ! -x ./measure ] || end_to_end
	rm -rf "$work"/*.log "$work/trace"
}
