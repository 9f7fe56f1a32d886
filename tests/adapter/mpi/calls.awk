# SPDX-License-Identifier: BSD-3-Clause
# Folds what check_log.awk prints into one line per kind of call, with its records, and the ranks that made it:
#	3: MPI_Send: mpi_send 1 0 5 4 | 0 1*2	the third kind; rank 0 made such a call once, rank 1 twice
# After them, for each rank, the calls in their order, by these numbers: "4-6 3*2 9" are 4, 5, 6, 3, 3 and 9.
# Nothing is lost by that, and an expected file is read by what a call gives.

# The number of a kind of call; counts that the rank made one more of it.
function count_call(text)
{
	if (!(text in number)) {
		texts[++nr_texts] = text
		number[text] = nr_texts
	}
	nr_made[number[text], rank]++
	return number[text]
}

function add_call(text)
{
	calls[rank, nr_calls[rank]++] = count_call(text)
}

function put(word)
{
	if (length(line) + length(word) > 100) {
		print line
		line = "\t"
	}
	line = line " " word
}

# Puts calls of one rank: repetitions and runs of consecutive numbers each as one word.
function put_calls(rank,    i, first, last, nr)
{
	for (i = 0; i < nr_calls[rank]; i += nr) {
		first = last = calls[rank, i]
		nr = 1
		while (i + nr < nr_calls[rank] && calls[rank, i + nr] == first)
			nr++
		if (nr > 1) {
			put(first "*" nr)
			continue
		}
		while (i + nr < nr_calls[rank] && calls[rank, i + nr] == last + 1) {
			last++
			nr++
		}
		put(first == last ? first : first "-" last)
	}
}

$1 == "rank" && NF == 2 { rank = $2; ranks[nr_ranks++] = rank; next }
{ sub(/^\t/, "") }
$1 == "enter" { outer[depth++] = text; text = $2 ":"; next }
$1 == "leave" && depth > 0 {
	inner = text
	text = outer[--depth]
	if (depth > 0)
		text = text " [" count_call(inner) "]" # a call within a call
	else
		add_call(inner)
	next
}
depth > 0 { text = text (text ~ /:$/ ? " " : "; ") $0; next }
{ add_call($0) }

END {
	for (i = 1; i <= nr_texts; i++) {
		line = i ": " texts[i] " |"
		for (k = 0; k < nr_ranks; k++)
			if ((i, ranks[k]) in nr_made)
				line = line " " ranks[k] (nr_made[i, ranks[k]] > 1 ? "*" nr_made[i, ranks[k]] : "")
		print line
	}
	for (k = 0; k < nr_ranks; k++) {
		line = "rank " ranks[k] ":"
		put_calls(ranks[k])
		print line
	}
}
