/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The roll-call as JSON, an object; see rollcall.h. */
#include "config.h"

#include "cli/json_text.h"
#include "rollcall.h"

static const char *const verdict_words[] = {"free", "suspected", "proven"};

static void print_thread(
	const struct measure_rollcall *call, const struct measure_roll_thread *thread, FILE *out)
{
	fprintf(out, "{\"%s\": %u, \"thread\": %u, \"seconds\": %.3f, \"call\": ", call->word,
		call->processes.items[thread->process].rank, thread->index, thread->seconds);
	measure_json_text(out, thread->call ? thread->call : "");
	fputs(", \"path\": ", out);
	measure_json_text(out, thread->path ? thread->path : "");
	fputc('}', out);
}

static void print_core(
	const struct measure_rollcall *call, const struct measure_roll_core *core, FILE *out)
{
	fprintf(out, "{\"verdict\": \"%s\", \"threads\": [", verdict_words[core->verdict]);
	for (size_t i = 0; i < core->threads.nr; i++) {
		fputs(i ? ", " : "", out);
		print_thread(call, &call->threads.items[core->threads.items[i]], out);
	}
	fputs("]}", out);
}

static void print_mismatch(const struct measure_rollcall *call,
	const struct measure_roll_mismatch *mismatch, FILE *out)
{
	bool is_first = true;

	if (mismatch->comm >= call->comms.nr) {
		fprintf(out, "{\"%s\": %u, \"barriers\": true}", call->word,
			call->processes.items[mismatch->process].rank);
		return;
	}
	fputs("{\"comm\": ", out);
	measure_json_text(out, call->comms.items[mismatch->comm].name);
	fprintf(out, ", \"number\": %u, \"begun\": [", mismatch->ordinal);
	for (size_t i = 0; i < call->collectives.nr; i++) {
		const struct measure_roll_collective *one = &call->collectives.items[i];
		if (one->comm != mismatch->comm || one->ordinal != mismatch->ordinal)
			continue;
		fprintf(out, "%s{\"%s\": %u, \"operation\": \"%s\"", is_first ? "" : ", ",
			call->word, call->processes.items[one->process].rank,
			measure_roll_operation(one->operation));
		if (one->root < call->processes.nr)
			fprintf(out, ", \"root\": %u", call->processes.items[one->root].rank);
		fputc('}', out);
		is_first = false;
	}
	fputs("]}", out);
}

void measure_rollcall_print_json(const struct measure_rollcall *call, FILE *out)
{
	fputs("{\"mismatches\": [", out);
	for (size_t i = 0; i < call->mismatches.nr; i++) {
		fputs(i ? ", " : "", out);
		print_mismatch(call, &call->mismatches.items[i], out);
	}
	fputs("], \"deadlocks\": [", out);
	for (size_t i = 0; i < call->cores.nr; i++) {
		fputs(i ? ", " : "", out);
		print_core(call, &call->cores.items[i], out);
	}
	fputs("], \"waited_for\": [", out);
	for (size_t i = 0; i < call->awaited.nr; i++)
		fprintf(out, "%s{\"%s\": %u, \"by\": %u}", i ? ", " : "", call->word,
			call->processes.items[call->awaited.items[i].process].rank,
			call->awaited.items[i].nr_waiting);
	fputs("]}", out);
}
