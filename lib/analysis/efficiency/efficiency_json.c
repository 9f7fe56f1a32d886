/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Efficiencies as JSON: "efficiency", and "what_if" where that was asked for. */
#include "config.h"

#include <inttypes.h>

#include "analysis/report/profile_report.h"
#include "cli/json_text.h"
#include "efficiency_report.h"
#include "what_if.h"

static void print_number(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, ", \"%s\": %" PRIu64, name, value);
}

static void print_ticks(
	const struct measure_waits *waits, FILE *out, const char *name, uint64_t ticks)
{
	print_number(out, name, measure_profile_ns(&waits->profile, ticks));
}

/* Nanoseconds since the start of the trace. */
static void print_time(
	const struct measure_waits *waits, FILE *out, const char *name, uint64_t time)
{
	const uint64_t start = waits->profile.trace->definitions.clock.offset;

	print_ticks(waits, out, name, time > start ? time - start : 0);
}

/* More digits than doubles have: products hold as they do here. */
static void print_ratio(FILE *out, const char *name, double value, bool is_known)
{
	if (is_known)
		fprintf(out, ", \"%s\": %.17g", name, value);
	else
		fprintf(out, ", \"%s\": null", name);
}

static void print_factors_json(const struct measure_factors *factors, FILE *out)
{
	const bool is_known = factors->parallel > 0;

	print_ratio(out, "parallel_efficiency", factors->parallel, is_known);
	print_ratio(out, "load_balance", factors->balance, is_known);
	print_ratio(out, "communication_efficiency", factors->communication, is_known);
	print_ratio(out, "serialisation_efficiency", factors->serialisation, is_known);
	print_ratio(out, "transfer_efficiency", factors->transfer, is_known);
}

static void print_processes(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	fputs(", \"processes\": [", out);
	for (size_t i = 0; i < efficiency->nr_processes; i++) {
		const struct measure_process_time *process = &efficiency->processes[i];

		fprintf(out, "%s\n  {\"location\": %" PRIu32, i > 0 ? "," : "", process->location);
		print_ticks(waits, out, "useful_ns", process->useful);
		print_ticks(waits, out, "io_ns", process->io);
		fputc('}', out);
	}
	fputc(']', out);
}

static void print_most(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	if (efficiency->most_useful > 0)
		print_number(
			out, "most_location", efficiency->processes[efficiency->most].location);
	else
		fputs(", \"most_location\": null", out);
	fputs(", \"most_region\": ", out);
	if (efficiency->region == MEASURE_NONE)
		fputs("null", out);
	else
		measure_json_text(
			out, measure_profile_region_name(&waits->profile, efficiency->region));
}

static void print_what_if(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	const struct measure_prediction *prediction = &efficiency->prediction;

	fputs(",\n\"what_if\": {\"changes\": ", out);
	measure_json_text(out, efficiency->what_if->text);
	print_ticks(waits, out, "time_ns", efficiency->run_ticks);
	print_ticks(waits, out, "predicted_ns", prediction->run_ticks);
	print_ratio(out, "factor", (double)prediction->run_ticks / (double)efficiency->run_ticks,
		efficiency->run_ticks > 0);
	print_ticks(waits, out, "ideal_ns", prediction->ideal_ticks);
	print_factors_json(&prediction->factors, out);
	print_ratio(out, "latency_s", prediction->network.latency, prediction->network.latency > 0);
	print_ratio(out, "bandwidth_bytes_per_s", prediction->network.bandwidth,
		prediction->network.bandwidth > 0);
	fputc('}', out);
}

void measure_efficiency_print_json(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	fprintf(out, ",\n\"efficiency\": {\"window\": \"%s\"",
		efficiency->is_whole ? "whole" : "mpi");
	print_time(waits, out, "from_ns", efficiency->window.from);
	print_time(waits, out, "until_ns", efficiency->window.until);
	print_ticks(waits, out, "time_ns", efficiency->run_ticks);
	print_ticks(waits, out, "ideal_ns", efficiency->ideal_ticks);
	print_factors_json(&efficiency->factors, out);
	fprintf(out, ", \"is_approximate\": %s", efficiency->is_approximate ? "true" : "false");
	print_most(waits, efficiency, out);
	print_processes(waits, efficiency, out);
	fputc('}', out);
	if (efficiency->what_if)
		print_what_if(waits, efficiency, out);
}
