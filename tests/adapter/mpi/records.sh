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
	awk -v complete="$complete" -f "$here/check_log.awk" "$work"/*.log >"$work/calls" ||
		fail "against the stub"
	compare_records
}

# Compares what was recorded with what is expected, or says why not.
compare_records()
{
	[ -z "${T_ONE_PROGRAM-}" ] || {
		echo "SKIP: $name: records are not compared: $mpirun cannot start several programs as one job"
		return
	}
	[ "$order" = certain ] || {
		echo "SKIP: $name: records are not compared: their order is a matter of timing"
		return
	}
	[ -z "$of" ] || "$mpirun" --version 2>&1 | grep -q "$of" || {
		echo "SKIP: $name: records are not compared: those of $of are expected, this is $("$mpirun" --version 2>&1 | head -n 1)"
		return
	}
	if [ -n "$only" ]; then
		grep -E "^rank|^.$only " "$work/calls" >"$work/records"
	else
		awk -f "$here/calls.awk" "$work/calls" >"$work/records"
	fi
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
	if [ "$complete" = no ]; then
		echo "SKIP: $name: measure-check is not asked: there are calls that are never completed"
	elif [ ! -x ./measure-check ]; then
		echo "SKIP: $name: measure-check is not built"
	else
		./measure-check "$work/trace" >"$work/messages" 2>&1 || fail "measure-check: $(cat "$work/messages")"
	fi
}

# Runs it without and with the adapter. One that cannot do what it is for ends as a skipped test.
check_program()
{
	program=$1
	[ "$(tell Programs one)" = one ] || choose_programs
	run_mpi "$ranks" "$program" >"$work/plain"
	case $? in
	0) ;;
	77) skip "$(cat "$work/plain")" ;;
	*) fail "ends with an error" ;;
	esac
	against_stub
	if [ -x ./measure ]; then
		end_to_end
	else
		echo "SKIP: $name: not recorded end to end: measure is not built"
	fi
	rm -rf "$work"/*.log "$work/trace"
}
