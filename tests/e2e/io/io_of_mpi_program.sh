#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: in an MPI program its own files are recorded, and those that MPI-IO uses, inside of the calls that do;
# no thread of the MPI library gets a location by that.
. "$(dirname "$0")/../lib.sh"
t_need_mpirun
program=$t_build/tests/adapter/mpi/io/mpi_files.mpi
[ -x "$program" ] || t_skip 'no MPI programs'
[ -x "$measure" ] || t_skip 'measure is not built'
command -v otf2-print >/dev/null || t_skip 'no otf2-print'

(cd "$work" && mpirun -n 2 "$measure" -q -a +posixio -o "$work/archive" "$program") >"$work/words" 2>&1 ||
	t_fail "ends with $?: $(cat "$work/words")"
t_sound "$work/archive"
otf2-print "$work/archive/traces.otf2" >"$work/events"
otf2-print -G "$work/archive/traces.otf2" >"$work/definitions"
t_equal 'locations' 2 "$(grep -c '^LOCATION ' "$work/definitions")"
t_equal 'I/O paradigms' 3 "$(grep -c '^IO_PARADIGM ' "$work/definitions")"
awk '
	$1 == "ENTER" && /"MPI_File_write_at"/ { is_inside[$2] = 1 }
	$1 == "LEAVE" && /"MPI_File_write_at"/ { is_inside[$2] = 0 }
	$1 == "IO_OPERATION_BEGIN" && is_inside[$2] && /POSIX I\/O.*Mode: WRITE/ { nr++ }
	END { exit nr == 0 }' "$work/events" || t_fail 'nothing is written inside of MPI_File_write_at'
t_end
