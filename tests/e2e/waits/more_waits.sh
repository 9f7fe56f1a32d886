#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-analyze finds waits that no record tells of: late receivers of plain sends, probes, polling, targets and origins of access epochs that come late, locks of windows
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
t_need_mpirun
command -v python3 >/dev/null || t_skip 'no python3'

# analyzed ARGUMENT...: into out
analyzed()
{
	timeout 60 "$t_build/measure-analyze" --format json "$@" >out 2>err || t_fail "$*: ended with $?: $(cat err)"
}

# found WHAT EXPRESSION: it is true of out
found()
{
	python3 "$t_here/waits.py" out "$2" >said 2>&1 || t_fail "$1: not so: $2: $(cat said)"
}

# Delays of 50 ms, five times each; on a busy machine ranks may come in another order.
mpicc -g -O1 -finstrument-functions -o more_delays "$t_here/more_delays.c" || t_fail 'more_delays.c does not compile'
mpirun -n 2 "$measure" -o mpi ./more_delays || t_fail "more_delays: ended with $?"
analyzed mpi
found 'eager' 'found["longest_eager"]["node"] < 4194304'
found 'late receiver' 'time("late_receiver", "receive_late", "MPI Rank 0") > 10e6'
found 'late receiver: cause' 'is_near(caused("late_receiver", "receive_late", "MPI Rank 1"), time("late_receiver"))'
found 'probe' 'time("late_sender", "MPI_Probe", "MPI Rank 1") > 1e6'
found 'polling' 'time("late_sender_polling", "MPI_Test", "MPI Rank 1") > 1e6'
found 'late post' 'time("late_post", "post_late", "MPI Rank 0") > 10e6'
found 'early wait' 'time("early_wait", "complete_late", "MPI Rank 1") > 10e6'
found 'late complete' '10e6 < time("late_complete", "complete_late") <= time("early_wait", "complete_late")'
found 'lock' 'time("window_lock", "lock") > 10e6'
found 'sum' 'is_near(added(), found["waiting_ns"])'

# A bound that is stated: the long messages are shorter.
analyzed --rendezvous=8388608 mpi
found 'all eager' 'time("late_receiver") == 0'
analyzed --rendezvous=4194304 mpi
found 'none eager' 'time("late_receiver", "receive_late") > 10e6'
if "$t_build/measure-analyze" --rendezvous=many mpi >out 2>err; then t_fail '--rendezvous=many is accepted'; fi
t_end
