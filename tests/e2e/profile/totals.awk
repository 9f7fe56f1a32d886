# SPDX-License-Identifier: BSD-3-Clause
#
# Totals by name from what otf2-print prints: visits, inclusive and exclusive ticks of regions; messages, collective
# operations and bytes of files. Tasks have stacks of their own, whose clocks stand still while others run.

function name_of(text,	parts)
{
	sub(/" <[0-9]+>.*/, "", text)
	sub(/^[^"]*"/, "", text)
	return text
}

function number_after(word,	text)
{
	text = $0
	sub(".*" word ": ", "", text)
	sub(/[^0-9].*/, "", text)
	return text + 0
}

function close_call(location, time,	stack, depth, name, spent)
{
	stack = current[location]
	depth = depths[location, stack]--
	name = names[location, stack, depth]
	spent = time - paused[location, stack] - begins[location, stack, depth]
	exclusive[name] += spent - children[location, stack, depth]
	if (--open[location, stack, name] == 0)
		inclusive[name] += spent
	children[location, stack, depth - 1] += spent
}

function leave(location, time, name,	stack, at)
{
	stack = current[location]
	for (at = depths[location, stack]; at > 0 && names[location, stack, at] != name; at--)
		;
	if (at == 0)
		return
	while (depths[location, stack] >= at)
		close_call(location, time)
}

# The clock of what is left stands still.
function switch_stack(location, time, stack,	before)
{
	before = current[location]
	left[location, before] = time
	if ((location, stack) in left)
		paused[location, stack] += time - left[location, stack]
	current[location] = stack
}

!/^[A-Z][A-Z0-9_]+ +[0-9]+ +[0-9]+ / { next }
{
	location = $2
	time = $3
	last[location] = time
}
/^ENTER / || /^CALLING_CONTEXT_ENTER / {
	name = name_of($0)
	stack = current[location]
	depth = ++depths[location, stack]
	names[location, stack, depth] = name
	begins[location, stack, depth] = time - paused[location, stack]
	children[location, stack, depth] = 0
	open[location, stack, name]++
	visits[name]++
}
/^LEAVE / || /^CALLING_CONTEXT_LEAVE / { leave(location, time, name_of($0)) }
/^THREAD_TASK_SWITCH / {
	number = number_after("Generation Number")
	team = $0
	sub(/.*Thread Team: /, "", team)
	sub(/, Creating Thread.*/, "", team)
	creator = number_after("Creating Thread")
	stack = current[location]
	if (number > 0) {
		if (teams[location, stack] != team)
			host[location, team] = stack
		stack = team SUBSEP creator SUBSEP number
		teams[location, stack] = team
	} else if ((location, team) in host) {
		stack = host[location, team]
		delete host[location, team]
	}
	if (stack != current[location])
		switch_stack(location, time, stack)
}
/^MPI_I?SEND / {
	size = number_after("Length")
	messages++
	message_bytes += size
	if (/^MPI_ISEND /)
		sent[location, number_after("Request")] = size
}
/^MPI_ISEND_COMPLETE / { delete sent[location, number_after("Request")] }
/^MPI_REQUEST_CANCELLED / {
	request = number_after("Request")
	if ((location, request) in sent) {
		messages--
		message_bytes -= sent[location, request]
		delete sent[location, request]
	}
}
/^(MPI|RMA)_COLLECTIVE_END / || /^NON_BLOCKING_COLLECTIVE_COMPLETE / {
	operation = $0
	sub(/.*Operation: /, "", operation)
	sub(/[^A-Z_].*/, "", operation)
	collectives[operation]++
}
/^IO_OPERATION_BEGIN / {
	mode = $0
	sub(/.*Mode: /, "", mode)
	sub(/[^A-Z].*/, "", mode)
	modes[location, name_of($0), number_after("Matching Id")] = mode
}
/^IO_OPERATION_COMPLETE / {
	operations++
	size = number_after("Result")
	if (size < 2^63)
		bytes[modes[location, name_of($0), number_after("Matching Id")]] += size
}

END {
	for (key in depths) {
		split(key, parts, SUBSEP)
		location = parts[1]
		stack = substr(key, length(location) + 2)
		if (!(location in running))
			running[location] = current[location]
		end = stack == running[location] ? last[location] : left[location, stack]
		current[location] = stack
		while (depths[key] > 0)
			close_call(location, end)
	}
	for (name in visits)
		printf "region\t%s\t%d\t%.0f\t%.0f\n", name, visits[name], inclusive[name], exclusive[name]
	for (operation in collectives)
		printf "collective\t%s\t%d\n", operation, collectives[operation]
	printf "messages\t%d\t%.0f\n", messages, message_bytes
	printf "operations\t%d\t%.0f\t%.0f\n", operations, bytes["READ"], bytes["WRITE"]
}
