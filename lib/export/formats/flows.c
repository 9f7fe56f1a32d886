/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Choosing the messages to draw; see flows.h. Each column of a view of the whole window keeps its
 * best ones in a heap, so that no more than these are in memory. */
#include "config.h"

#include "flows.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/figures.h"
#include "cli/cli.h"

/* The width of a view, and what is drawn in a column of it; more only if more are asked for than
 * MEASURE_FLOWS_DEFAULT. */
#define NR_COLUMNS 2000
#define PER_COLUMN 50

struct flow {
	uint64_t send_ns, receive_ns;
	uint64_t bytes, waiting_ns;
	uint32_t sender, receiver, tag;
};

struct flow_column {
	MEASURE_GROWING_ITEMS(struct flow); /* [0] is the first to go */
};

struct flow_choice {
	const struct measure_conversion *conversion;
	struct flow_column columns[NR_COLUMNS];
	size_t nr_most; /* in a column */
	uint64_t nr_messages;
};

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Less than 0: `a` is drawn rather than `b`. */
static int compare_flows(const void *left, const void *right)
{
	const struct flow *a = left, *b = right;
	int order = COMPARE(b->waiting_ns, a->waiting_ns);

	if (order == 0)
		order = COMPARE(b->bytes, a->bytes);
	if (order == 0)
		order = COMPARE(a->send_ns, b->send_ns);
	if (order == 0)
		order = COMPARE(a->sender, b->sender);
	if (order == 0)
		order = COMPARE(a->receiver, b->receiver);
	return order ? order : COMPARE(a->receive_ns, b->receive_ns);
}

static void column_sink(struct flow_column *column)
{
	const struct flow moved = column->items[0];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < column->nr) {
		if (child + 1 < column->nr &&
			compare_flows(&column->items[child + 1], &column->items[child]) > 0)
			child++;
		if (compare_flows(&column->items[child], &moved) <= 0)
			break;
		column->items[at] = column->items[child];
		at = child;
	}
	column->items[at] = moved;
}

static void column_rise(struct flow_column *column)
{
	size_t at = column->nr - 1;

	while (at > 0 && compare_flows(&column->items[at], &column->items[(at - 1) / 2]) > 0) {
		const struct flow moved = column->items[at];

		column->items[at] = column->items[(at - 1) / 2];
		column->items[(at - 1) / 2] = moved;
		at = (at - 1) / 2;
	}
}

static void choose(void *data, const struct measure_conversion_message *message)
{
	struct flow_choice *choice = data;
	const uint64_t from = choice->conversion->from_ns;
	const uint64_t length = choice->conversion->until_ns - from + 1;
	const struct flow flow = {message->send.ns, message->receive.ns, message->bytes,
		message->waiting_ns, message->send.location, message->receive.location,
		message->tag};
	const uint64_t place = message->send.ns > from ? message->send.ns - from : 0;
	const size_t number = (size_t)((unsigned __int128)place * NR_COLUMNS / length);
	struct flow_column *column =
		&choice->columns[number < NR_COLUMNS ? number : NR_COLUMNS - 1];

	choice->nr_messages++;
	if (column->nr < choice->nr_most) {
		*measure_append_item(column) = flow;
		column_rise(column);
	} else if (column->nr > 0 && compare_flows(&flow, &column->items[0]) < 0) {
		column->items[0] = flow;
		column_sink(column);
	}
}

static struct flow *gather_columns(struct flow_choice *choice, size_t *nr)
{
	struct flow *all;
	size_t sum = 0;

	for (size_t i = 0; i < NR_COLUMNS; i++)
		sum += choice->columns[i].nr;
	all = measure_zeroed(sum, sizeof(*all));
	*nr = 0;
	for (size_t i = 0; i < NR_COLUMNS; i++) {
		for (size_t k = 0; k < choice->columns[i].nr; k++)
			all[(*nr)++] = choice->columns[i].items[k];
		measure_free(choice->columns[i].items);
	}
	if (sum > 1)
		qsort(all, sum, sizeof(*all), compare_flows);
	return all;
}

static int compare_ends(const void *left, const void *right)
{
	const struct flow_end *a = left, *b = right;
	int order = COMPARE(a->location, b->location);

	if (order == 0)
		order = COMPARE(a->ns, b->ns);
	return order ? order : COMPARE(a->flow, b->flow);
}

static void make_ends(struct flow_ends *flows, const struct flow *chosen, size_t nr)
{
	flows->ends = measure_zeroed(2 * nr, sizeof(*flows->ends));
	for (size_t i = 0; i < nr; i++) {
		const struct flow *flow = &chosen[i];
		struct flow_end end = {.ns = flow->send_ns,
			.location = flow->sender,
			.other = flow->receiver,
			.flow = (uint32_t)i + 1,
			.tag = flow->tag,
			.bytes = flow->bytes,
			.waiting_ns = flow->waiting_ns};

		flows->ends[flows->nr++] = end;
		end.ns = flow->receive_ns;
		end.location = flow->receiver;
		end.other = flow->sender;
		end.is_receive = true;
		flows->ends[flows->nr++] = end;
	}
	if (nr > 0)
		qsort(flows->ends, flows->nr, sizeof(*flows->ends), compare_ends);
}

static void say_left_out(const struct flow_ends *flows, const char *format)
{
	if (flows->nr_drawn == flows->nr_messages)
		return;
	measure_cli_say(
		"%s: %" PRIu64 " of %" PRIu64
		" messages are drawn, those of the longest waits first: --flows=N for more, "
		"--from and --until for a slice",
		format, flows->nr_drawn, flows->nr_messages);
}

measure_status_t flows_find(
	struct measure_conversion *conversion, const char *format, struct flow_ends *flows)
{
	const uint64_t nr_wanted = conversion->options->nr_flows;
	const uint64_t scale = nr_wanted / MEASURE_FLOWS_DEFAULT;
	struct flow_choice *choice = measure_zeroed(1, sizeof(*choice));
	const struct measure_conversion_matches matches = {.data = choice, .message = choose};
	measure_status_t status;
	struct flow *chosen;
	size_t nr;

	*flows = (struct flow_ends){.nr = 0};
	choice->conversion = conversion;
	choice->nr_most = nr_wanted == 0 ? 0 : PER_COLUMN * (scale > 1 ? scale : 1);
	status = measure_conversion_match(conversion, &matches);
	chosen = gather_columns(choice, &nr);
	flows->nr_messages = choice->nr_messages;
	flows->nr_drawn = nr < nr_wanted ? nr : nr_wanted;
	make_ends(flows, chosen, flows->nr_drawn);
	if (nr_wanted > 0)
		say_left_out(flows, format);
	measure_free(chosen);
	measure_free(choice);
	return status;
}

void flows_free(struct flow_ends *flows)
{
	measure_free(flows->ends);
}
