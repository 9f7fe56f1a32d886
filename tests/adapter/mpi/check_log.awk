# SPDX-License-Identifier: BSD-3-Clause
# Reads the stub's logs of all ranks, which must all come to:
#  - Enter and Leave nest, and a call's records carry the time of its Enter or of its Leave;
#  - every request that was started is completed, cancelled or released once;
#  - every operation on a file ends once, while the file is open;
#  - every message sent is received on the same communicator, with the same tag and bytes
#    (-v complete=no: not looked at; complete=truncated: less may be received, in collectives as
#    well, and some libraries say 0 then), unless the call was refused;
#  - the collectives of a communicator together send as many bytes as they receive;
#  - ranks agree on the identity of communicators with the same members, and of windows;
#  - every one-sided operation is completed locally once, every lock released.
# Prints what was recorded without times and process-dependent numbers. What calls complete in
# no certain order is listed apart (so are all completed sends: MPI may give several of them
# one handle), and tests that found nothing are left out.

function fail(text)
{
	print "rank " rank ": " text >"/dev/stderr"
	is_failed = 1
}

function show(text)
{
	lines[rank, nr_lines[rank]++] = text
}

# Calls whose number or whose part in the work is a matter of timing.
function is_loose(name)
{
	return name ~ /^MPI_(Test|Testall|Testany|Testsome|Waitany|Waitsome|Iprobe|Improbe|Request_get_status|Win_test)$/
}

# MPI may give one handle to many requests that were complete at once.
function is_unordered(record, name)
{
	return record == "mpi_isend_complete" ||
		(record == "rma_op_complete_non_blocking" && name ~ /^MPI_Wait/)
}

# The current record is the attribute of a refused call.
function is_refusal()
{
	return $4 == "attribute" && (FILENAME in refusal) && $5 == refusal[FILENAME]
}

function tag_and_bytes(tag, bytes)
{
	return " tag " tag (complete == "truncated" ? "" : " bytes " bytes)
}

function close_request(id)
{
	if (open_requests[rank, id] != 1)
		fail("request " id " ends, but was not open")
	open_requests[rank, id] = 0
}

function close_transfer(handle, id)
{
	if (open_transfers[rank, handle, id] != 1)
		fail("file operation " id " ends, but was not open")
	open_transfers[rank, handle, id] = 0
}

FNR == 1 { rank = "?"; split("", held) }
$1 == "region" {
	name[FILENAME, $2] = $4
	# Calls that Open MPI had before MPI.
	sub(/^MPIX_/, "MPI_", name[FILENAME, $2])
}
$1 == "world" {
	rank = $2
	if (world != "" && world != $6)
		fail("another name for the world")
	world = $6
	for (i = 0; i < nr_held; i++)
		show(held[i])
	nr_held = 0
}
$1 == "comm" {
	comm_key[rank, $2] = $10
	if (!($10 in letter)) {
		letter[$10] = ++nr_keys
		key_members[$10] = $6
		key_others[$10] = $14
	}
	if (key_members[$10] != $6 || key_others[$10] != $14)
		fail("one identity for different communicators: " $0)
	show("comm " $2 " kind " $4 " members " $6 ($14 ? " and " $14 : "") " parent " ($8 == 4294967295 ? "none" : $8) \
		($12 == 1 || $4 < 2 ? "" : " without events"))
	comm_kind[$10] = $4
	comm_users[$10]++
	split($6, parts, ",")
	nr_members[$10] = length(parts)
	if ($14)
		nr_members[$10] += split($14, parts, ",")
}
$1 == "comm_name" || $1 == "cart" { show($0) }
$1 == "window" {
	show("window " $2 " comm " $4)
	if ($6 in window_comm && window_comm[$6] != comm_key[rank, $4])
		fail("one identity for windows of different communicators: " $0)
	window_comm[$6] = comm_key[rank, $4]
	window_users[$6]++
}
$1 == "window_name" || $1 == "group" { show($0) }
$1 == "attribute" && $4 == "Refused" { refusal[FILENAME] = $2; next }
$1 == "io_file" || $1 == "attribute" { show($0) }
$1 == "io_handle" {
	show("io_handle " $2 " file " $4 " paradigm " $6 " comm " ($8 == 4294967295 ? "none" : $8))
	if (($10 in handle_comm) && handle_comm[$10] != comm_key[rank, $8])
		fail("one identity for files of different communicators: " $0)
	handle_comm[$10] = comm_key[rank, $8]
	handle_users[$10]++
}
$1 != "event" { next }

{
	location = FILENAME SUBSEP $2
	loose = 0
}
$4 == "enter" {
	depth[location]++
	frame = location SUBSEP depth[location]
	call[frame] = name[FILENAME, $5]
	enter_time[frame] = $3
	leave_time[frame] = ""
}
{ frame = location SUBSEP depth[location] }
$4 != "enter" && $3 != enter_time[frame] {
	if (leave_time[frame] != "" && leave_time[frame] != $3)
		fail("more than two times in " call[frame])
	leave_time[frame] = $3
}
$4 == "leave" {
	if (depth[location]-- < 1 || call[frame] != name[FILENAME, $5])
		fail("leaves " name[FILENAME, $5] " in " call[frame])
}
$4 == "mpi_isend" { open_requests[rank, $9]++ }
$4 == "mpi_irecv_request" || $4 == "non_blocking_collective_request" { open_requests[rank, $5]++ }
$4 == "mpi_isend_complete" || $4 == "mpi_request_cancelled" { close_request($5) }
$4 == "mpi_irecv" { close_request($9) }
$4 == "non_blocking_collective_complete" { close_request($10) }
$4 == "mpi_collective_end" || $4 == "non_blocking_collective_complete" {
	traffic[comm_key[rank, $6]] += $8 - $9
}
$4 == "io_create_handle" { is_open[rank, $5] = 1 }
$4 ~ /^io_/ && $4 != "io_delete_file" && !is_open[rank, $5] {
	fail($4 " of handle " $5 ", which is not open")
}
$4 == "io_destroy_handle" { is_open[rank, $5] = 0 }
$4 == "io_operation_begin" { open_transfers[rank, $5, $9]++ }
$4 == "io_operation_complete" { close_transfer($5, $7) }
$4 == "io_operation_cancelled" { close_transfer($5, $6) }
$4 == "mpi_send" || $4 == "mpi_isend" {
	message = comm_key[rank, $6] " from " rank " to " peer(rank, $6, $5) tag_and_bytes($7, $8)
	balance[message]++
	if ($4 == "mpi_isend")
		sent[rank, $9] = message
	else
		sent_in[frame] = message
}
is_refusal() && frame in sent_in { balance[sent_in[frame]]-- }
$4 == "leave" { delete sent_in[frame] }
$4 == "mpi_isend_complete" { delete sent[rank, $5] }
$4 == "mpi_request_cancelled" && (rank, $5) in sent {
	balance[sent[rank, $5]]--
	delete sent[rank, $5]
}
$4 == "mpi_recv" || $4 == "mpi_irecv" {
	balance[comm_key[rank, $6] " from " peer(rank, $6, $5) " to " rank tag_and_bytes($7, $8)]--
}
$4 == "rma_put" || $4 == "rma_get" { open_operations[rank, $5, $8]++ }
$4 == "rma_atomic" { open_operations[rank, $5, $10]++ }
$4 ~ /^rma_op_complete_(non_)?blocking$/ {
	if (!open_operations[rank, $5, $6])
		fail("operation " $6 " ends, but was not open")
	open_operations[rank, $5, $6] = 0
	remote_operations[rank, $5, $6] = 1
	if (early[rank, $5, $6]) {
		early[rank, $5, $6]--
		remote_operations[rank, $5, $6] = 0
	}
}
# The records of a transaction are in the log when it ends, so those of another thread may be there earlier.
$4 == "rma_op_complete_remote" {
	if (!remote_operations[rank, $5, $6])
		early[rank, $5, $6]++
	remote_operations[rank, $5, $6] = 0
}
$4 == "rma_request_lock" && held_locks[rank, $5, $6]++ { fail("lock held twice: " $0) }
$4 == "rma_release_lock" && held_locks[rank, $5, $6]-- != 1 { fail("lock was not held: " $0) }

# Who is meant by a rank of a communicator. In an intercommunicator it is one of the other group.
function peer(r, comm, number,    key, n, parts)
{
	key = comm_key[r, comm]
	if (comm_kind[key] == 0)
		return number
	if (comm_kind[key] == 1)
		return r
	if (comm_kind[key] == 4 && ("," key_members[key] ",") ~ ("," r ","))
		n = split(key_others[key], parts, ",")
	else
		n = split(key_members[key], parts, ",")
	return number < n ? parts[number + 1] : "?"
}

{
	text = $4
	if ($4 == "enter" || $4 == "leave")
		text = text " " name[FILENAME, $5]
	else if (is_refusal())
		text = "refused"
	else
		for (i = 5; i <= NF; i++)
			text = text " " ($i == 4294967295 ? "none" : $i)
	if (is_loose(call[frame]) || is_unordered($4, call[frame])) {
		if ($4 != "enter" && $4 != "leave")
			loose_lines[rank, nr_loose[rank]++] = text
	} else if (rank == "?")
		held[nr_held++] = text
	else
		show(text)
}

END {
	for (key in balance)
		if (balance[key] != 0 && complete != "no")
			fail("unmatched (" balance[key] "): " key)
	for (key in traffic)
		if (traffic[key] != 0 && complete == "yes")
			fail("collectives: " traffic[key] " more bytes sent than received: " key)
	for (id in open_requests)
		if (open_requests[id] != 0 && complete != "no")
			fail("request still open: " id)
	for (id in early)
		if (early[id] != 0)
			fail("an operation ends at the target, but not here: " id)
	for (id in open_operations)
		if (open_operations[id] != 0 && complete != "no")
			fail("operation still open: " id)
	for (id in held_locks)
		if (held_locks[id] != 0)
			fail("lock still held: " id)
	for (key in window_users)
		if (window_users[key] != comm_users[window_comm[key]])
			fail("not all members know a window")
	for (id in open_transfers)
		if (open_transfers[id] != 0)
			fail("file operation still open: " id)
	for (key in handle_users)
		if (key != "0:0" && handle_users[key] != comm_users[handle_comm[key]])
			fail("not all members know the file " key)
	for (key in comm_users)
		if ((comm_kind[key] == 2 || comm_kind[key] == 4) && \
			comm_users[key] != nr_members[key])
			fail("not all members know communicator " key_members[key])
	for (rank = 0; nr_lines[rank] > 0; rank++) {
		print "rank " rank
		for (i = 0; i < nr_lines[rank]; i++)
			print "\t" lines[rank, i]
		for (i = 0; i < nr_loose[rank]; i++)
			print "\tin any order: " loose_lines[rank, i] | "LC_ALL=C sort"
		close("LC_ALL=C sort")
	}
	exit is_failed
}
