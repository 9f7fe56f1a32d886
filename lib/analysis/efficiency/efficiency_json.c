/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Efficiencies as JSON: "efficiency", and "what_if" where that was asked for. */
#include "config.h"

#include <inttypes.h>

#include "analysis/waits/waits_figures.h"
#include "cli/json_text.h"
#include "efficiency_report.h"
#include "what_if.h"

void measure_efficiency_json_interval(
	const struct measure_waits *waits, const struct measure_interval *interval, FILE *out)
{
	measure_waits_json_time(waits, out, "from_ns", interval->from);
	measure_waits_json_time(waits, out, "until_ns", interval->until);
	measure_waits_json_ticks(waits, out, "time_ns", interval->until - interval->from);
}

/* More digits than doubles have: products hold as they do here. */
static void print_ratio(FILE *out, const char *name, double value, bool is_known)
{
	if (is_known)
		fprintf(out, ", \"%s\": %.17g", name, value);
	else
		fprintf(out, ", \"%s\": null", name);
}

void measure_efficiency_json_factors(const struct measure_factors *factors, FILE *out)
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
		measure_waits_json_ticks(waits, out, "useful_ns", process->useful);
		measure_waits_json_ticks(waits, out, "io_ns", process->io);
		fputc('}', out);
	}
	fputc(']', out);
}

static void print_hybrid_json(const struct measure_hybrid *hybrid, FILE *out)
{
	if (hybrid->nr_threads == 0) {
		fputs(", \"hybrid\": null", out);
		return;
	}
	fprintf(out, ",\n \"hybrid\": {\"threads\": %" PRIu32, hybrid->nr_threads);
	print_ratio(out, "parallel_efficiency", hybrid->parallel, true);
	fputs(",\n  \"multiplicative\": {\"model\": \"multiplicative\"", out);
	print_ratio(out, "load_balance", hybrid->balance, true);
	print_ratio(out, "communication_efficiency", hybrid->communication, true);
	print_ratio(out, "mpi_parallel_efficiency", hybrid->mpi, true);
	print_ratio(out, "mpi_load_balance", hybrid->mpi_balance, true);
	print_ratio(out, "mpi_communication_efficiency", hybrid->mpi_communication, true);
	print_ratio(out, "mpi_serialisation_efficiency", hybrid->mpi_serialisation, true);
	print_ratio(out, "mpi_transfer_efficiency", hybrid->mpi_transfer, true);
	print_ratio(out, "openmp_parallel_efficiency", hybrid->openmp, true);
	print_ratio(out, "openmp_load_balance", hybrid->openmp_balance, true);
	print_ratio(out, "openmp_communication_efficiency", hybrid->openmp_communication, true);
	fputs("},\n  \"additive\": {\"model\": \"additive\"", out);
	print_ratio(out, "process_efficiency", hybrid->process, true);
	print_ratio(out, "process_load_balance", hybrid->process_balance, true);
	print_ratio(out, "process_communication", hybrid->process_communication, true);
	print_ratio(out, "process_serialisation", hybrid->process_serialisation, true);
	print_ratio(out, "process_transfer", hybrid->process_transfer, true);
	print_ratio(out, "thread_efficiency", hybrid->thread, true);
	print_ratio(out, "serial_region_efficiency", hybrid->serial_region, true);
	print_ratio(out, "openmp_parallel_efficiency", hybrid->parallel_region, true);
	fputs("}}", out);
}

static void print_most(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	const uint32_t location = efficiency->most_useful > 0
					  ? efficiency->processes[efficiency->most].location
					  : MEASURE_NONE;

	measure_waits_json_index(out, "most_location", location);
	measure_waits_json_region(waits, out, "most_region", efficiency->region);
}

static void print_scalability(const struct measure_scalability *scalability, FILE *out)
{
	if (!scalability->is_known) {
		fputs(", \"scalability\": null", out);
		return;
	}
	fprintf(out, ",\n \"scalability\": {\"scaling\": \"%s\"",
		scalability->is_weak ? "weak" : "strong");
	measure_waits_json_number(out, "reference_processes", scalability->reference.nr_processes);
	print_ratio(out, "global_efficiency", scalability->global, true);
	print_ratio(out, "computation_scaling", scalability->computation, true);
	print_ratio(out, "instruction_scaling", scalability->instructions, scalability->ipc > 0);
	print_ratio(out, "ipc_scaling", scalability->ipc, scalability->ipc > 0);
	print_ratio(out, "frequency_scaling", scalability->frequency, scalability->ipc > 0);
	fputc('}', out);
}

static void print_verdicts(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	const struct measure_waited_for *waited = &efficiency->waited_for;
	const struct measure_transferred *transferred = &efficiency->transferred;

	fputs(",\n \"waited_for\": {\"factor\": \"serialisation_efficiency\"", out);
	measure_waits_json_index(out, "location", waited->location);
	measure_waits_json_index(out, "path", waited->path);
	measure_waits_json_ticks(waits, out, "path_ns", waited->ticks);
	measure_waits_json_ticks(waits, out, "location_ns", waited->of_location);
	measure_waits_json_ticks(waits, out, "time_ns", waited->all);
	fputs("},\n \"transferred\": {\"factor\": \"transfer_efficiency\"", out);
	measure_waits_json_region(waits, out, "region", transferred->region);
	measure_waits_json_ticks(waits, out, "region_ns", transferred->ticks);
	measure_waits_json_ticks(waits, out, "time_ns", transferred->all);
	fputc('}', out);
}

static void print_what_if(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	const struct measure_prediction *prediction = &efficiency->prediction;

	fputs(",\n\"what_if\": {\"changes\": ", out);
	measure_json_text(out, efficiency->what_if->text);
	measure_waits_json_ticks(waits, out, "time_ns", efficiency->run_ticks);
	measure_waits_json_ticks(waits, out, "predicted_ns", prediction->run_ticks);
	print_ratio(out, "factor", (double)prediction->run_ticks / (double)efficiency->run_ticks,
		efficiency->run_ticks > 0);
	measure_waits_json_ticks(waits, out, "ideal_ns", prediction->ideal_ticks);
	measure_efficiency_json_factors(&prediction->factors, out);
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
	measure_efficiency_json_interval(waits, &efficiency->window, out);
	measure_waits_json_ticks(waits, out, "ideal_ns", efficiency->ideal_ticks);
	measure_efficiency_json_factors(&efficiency->factors, out);
	fprintf(out, ", \"is_approximate\": %s", efficiency->is_approximate ? "true" : "false");
	print_most(waits, efficiency, out);
	print_processes(waits, efficiency, out);
	print_verdicts(waits, efficiency, out);
	print_scalability(&efficiency->scalability, out);
	print_hybrid_json(&efficiency->hybrid, out);
	measure_efficiency_print_windows_json(waits, efficiency, out);
	fputc('}', out);
	if (efficiency->what_if)
		print_what_if(waits, efficiency, out);
}
