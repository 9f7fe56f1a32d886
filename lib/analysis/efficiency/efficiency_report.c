/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Efficiencies as text of 80 columns: the factors, sentences that explain them, and the prediction.
 */
#include "config.h"

#include <string.h>

#include "analysis/report/profile_report.h"
#include "analysis/waits/waits_figures.h"
#include "base/printable.h"
#include "efficiency_report.h"
#include "what_if.h"

/* Below this excess over the mean computing time, no process is named. */
#define LEAST_EXCESS 0.01

/* Other factors are explained below this. */
#define LEAST_FACTOR 0.9

const char *measure_efficiency_process_name(const struct measure_waits *waits, uint32_t location)
{
	const struct measure_definitions *definitions = &waits->profile.trace->definitions;
	const uint32_t group = definitions->locations[location].group;

	return group < definitions->nr_location_groups
		       ? measure_text(definitions, definitions->location_groups[group].name)
		       : measure_name_of_location(definitions, location);
}

/* ------------------------------------------------------------------------ factors --- */

static void print_balance(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	const struct measure_profile *profile = &waits->profile;
	const uint32_t location = efficiency->processes[efficiency->most].location;
	char ticks[MEASURE_FIGURE_TEXT], mean[MEASURE_FIGURE_TEXT], more[MEASURE_FIGURE_TEXT];

	if (efficiency->region == MEASURE_NONE ||
		measure_efficiency_excess(efficiency) < LEAST_EXCESS) {
		fputs("All processes compute about equally long.\n", out);
		return;
	}
	measure_report_name(out, measure_efficiency_process_name(waits, location), 30);
	fprintf(out, " computes %s longer than the mean, mostly\n",
		measure_figure_percent(measure_efficiency_excess(efficiency), more));
	if (efficiency->region == MEASURE_PSEUDO_NO_REGION) {
		fputs("outside of recorded regions", out);
	} else {
		fputs("in ", out);
		measure_report_functions(
			out, measure_profile_region_name(profile, efficiency->region), 50);
	}
	fprintf(out, " (%s, mean %s).\n",
		measure_waits_seconds(waits, efficiency->region_ticks, ticks),
		measure_waits_seconds(waits, (uint64_t)efficiency->region_mean, mean));
}

/* The process that the others wait for most, and the call path. */
static void print_serialisation(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	const struct measure_waited_for *found = &efficiency->waited_for;
	char ticks[MEASURE_FIGURE_TEXT], all[MEASURE_FIGURE_TEXT];

	if (efficiency->factors.serialisation >= LEAST_FACTOR || found->path == MEASURE_NONE)
		return;
	fprintf(out, "Of %s of waiting in MPI, %s is for ",
		measure_waits_seconds(waits, found->all, all),
		measure_waits_seconds(waits, found->of_location, ticks));
	measure_report_name(out, measure_efficiency_process_name(waits, found->location), 30);
	fputs(", mostly in\n", out);
	measure_waits_print_path(waits, found->path, 65, out);
	fprintf(out, " (%s).\n", measure_waits_seconds(waits, found->ticks, ticks));
}

static void print_transfer(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	const struct measure_transferred *found = &efficiency->transferred;
	char ticks[MEASURE_FIGURE_TEXT], all[MEASURE_FIGURE_TEXT];

	if (efficiency->factors.transfer >= LEAST_FACTOR || found->region == MEASURE_NONE)
		return;
	fprintf(out, "Apart from waiting, MPI takes %s (sum of all processes), mostly in\n",
		measure_waits_seconds(waits, found->all, all));
	measure_report_functions(
		out, measure_profile_region_name(&waits->profile, found->region), 65);
	fprintf(out, " (%s).\n", measure_waits_seconds(waits, found->ticks, ticks));
}

static void print_factor(const char *name, double factor, const char *meaning, FILE *out)
{
	fprintf(out, "%-28s %5.1f %%  %s\n", name, 100 * factor, meaning);
}

/* One process without MPI: that its master thread is not always computing says little. */
static bool has_threads_only(const struct measure_efficiency *efficiency)
{
	return efficiency->nr_processes == 1 && efficiency->hybrid.nr_threads > 0 &&
	       efficiency->hybrid.mpi >= 1;
}

static void print_window(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	char run[MEASURE_FIGURE_TEXT];

	fprintf(out, "\nefficiency of %s%s %s\n",
		efficiency->hybrid.nr_threads > 0 && !has_threads_only(efficiency)
			? "the master threads, "
			: "",
		measure_waits_seconds(waits, efficiency->run_ticks, run),
		efficiency->is_whole ? "from the first event to the last"
				     : "between MPI_Init and MPI_Finalize");
}

static void print_factors(const struct measure_factors *factors, FILE *out)
{
	print_factor(
		"parallel efficiency", factors->parallel, "mean computing time / run time", out);
	print_factor("= load balance", factors->balance, "mean computing time / longest", out);
	print_factor("x communication efficiency", factors->communication,
		"longest computing time / run time", out);
	print_factor("  = serialisation efficiency", factors->serialisation,
		"longest computing time / ideal run time", out);
	print_factor("  x transfer efficiency", factors->transfer,
		"run time in an ideal network / run time", out);
}

static void print_pair(const char *name, double value, const char *other, double beside, FILE *out)
{
	fprintf(out, "%-28s %5.1f %%   %-28s %5.1f %%\n", name, 100 * value, other, 100 * beside);
}

static void print_threads(const struct measure_hybrid *hybrid, FILE *out)
{
	fprintf(out, "OpenMP, %s threads: factors%*slosses that add up\n",
		measure_figure(hybrid->nr_threads),
		14 - (int)strlen(measure_figure(hybrid->nr_threads)), "");
	print_pair("parallel efficiency", hybrid->parallel, "parallel efficiency", hybrid->parallel,
		out);
	print_pair("= load balance", hybrid->openmp_balance, "outside parallel regions",
		hybrid->serial_region, out);
	print_pair("x communication", hybrid->openmp_communication, "in parallel regions",
		hybrid->parallel_region, out);
}

static void print_hybrid(const struct measure_hybrid *hybrid, FILE *out)
{
	if (hybrid->nr_threads == 0)
		return;
	fprintf(out, "\nMPI x OpenMP, %s threads: factors%*slosses that add up\n",
		measure_figure(hybrid->nr_threads),
		8 - (int)strlen(measure_figure(hybrid->nr_threads)), "");
	print_pair("parallel efficiency", hybrid->parallel, "parallel efficiency", hybrid->parallel,
		out);
	print_pair("= MPI", hybrid->mpi, "processes", hybrid->process, out);
	print_pair("  = load balance", hybrid->mpi_balance, "  load balance",
		hybrid->process_balance, out);
	print_pair("  x serialisation", hybrid->mpi_serialisation, "  serialisation",
		hybrid->process_serialisation, out);
	print_pair(
		"  x transfer", hybrid->mpi_transfer, "  transfer", hybrid->process_transfer, out);
	print_pair("x OpenMP", hybrid->openmp, "threads", hybrid->thread, out);
	print_pair("  = load balance", hybrid->openmp_balance, "  outside parallel regions",
		hybrid->serial_region, out);
	print_pair("  x communication", hybrid->openmp_communication, "  in parallel regions",
		hybrid->parallel_region, out);
}

static void print_scalability(const struct measure_scalability *scalability, FILE *out)
{
	if (!scalability->is_known)
		return;
	fprintf(out, "\n%s scaling, from %s processes to %s\n",
		scalability->is_weak ? "weak" : "strong",
		measure_figure(scalability->reference.nr_processes),
		measure_figure(scalability->work.nr_processes));
	print_factor("global efficiency", scalability->global,
		"parallel efficiency x computation scaling", out);
	print_factor("computation scaling", scalability->computation,
		"computing time of the reference / this run", out);
	if (scalability->ipc <= 0)
		return;
	print_factor("= instruction scaling", scalability->instructions,
		"instructions of the reference / this run", out);
	print_factor("x IPC scaling", scalability->ipc,
		"instructions per cycle, to the reference's", out);
	print_factor("x frequency scaling", scalability->frequency,
		"cycles per second, to the reference's", out);
}

/* --------------------------------------------------------------------- prediction --- */

static void print_change(const char *name, double now, double then, FILE *out)
{
	fprintf(out, "%-28s %5.1f %%  -> %5.1f %%\n", name, 100 * now, 100 * then);
}

static void print_network(const struct measure_network *network, FILE *out)
{
	char latency[MEASURE_FIGURE_TEXT], bandwidth[MEASURE_FIGURE_TEXT];

	if (network->latency <= 0)
		return;
	fprintf(out, "Messages of this run show a latency of %s",
		measure_figure_seconds(network->latency, latency));
	if (network->bandwidth > 0)
		fprintf(out, " and a bandwidth of %s/s",
			measure_figure_size((uint64_t)network->bandwidth, bandwidth));
	fputs(".\n", out);
}

static void print_prediction(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	const struct measure_prediction *prediction = &efficiency->prediction;
	const struct measure_factors *now = &efficiency->factors, *then = &prediction->factors;
	char run[MEASURE_FIGURE_TEXT], predicted[MEASURE_FIGURE_TEXT];

	fputs("\nwhat if: ", out);
	measure_report_name(
		out, MEASURE_PRINTABLE(efficiency->what_if->text), MEASURE_REPORT_COLUMNS - 9);
	fputc('\n', out);
	fprintf(out, "%-28s %7s  -> %7s   (%.3f x)\n", "run time",
		measure_waits_seconds(waits, efficiency->run_ticks, run),
		measure_waits_seconds(waits, prediction->run_ticks, predicted),
		efficiency->run_ticks
			? (double)prediction->run_ticks / (double)efficiency->run_ticks
			: 1);
	print_change("parallel efficiency", now->parallel, then->parallel, out);
	print_change("= load balance", now->balance, then->balance, out);
	print_change("x serialisation efficiency", now->serialisation, then->serialisation, out);
	print_change("x transfer efficiency", now->transfer, then->transfer, out);
	print_network(&prediction->network, out);
}

/* Which process, for whom, where. */
static void print_reasons(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	if (efficiency->nr_processes > 1)
		print_balance(waits, efficiency, out);
	print_serialisation(waits, efficiency, out);
	print_transfer(waits, efficiency, out);
}

void measure_efficiency_print_short(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	const struct measure_factors *factors = &efficiency->factors;
	const struct measure_hybrid *hybrid = &efficiency->hybrid;

	if (efficiency->most_useful == 0 || !efficiency->has_model)
		return;
	fputc('\n', out);
	if (!has_threads_only(efficiency))
		fprintf(out,
			"efficiency %.1f %% = balance %.1f %% x serialisation %.1f %% "
			"x transfer %.1f %%\n",
			100 * factors->parallel, 100 * factors->balance,
			100 * factors->serialisation, 100 * factors->transfer);
	if (hybrid->nr_threads > 0)
		fprintf(out, "with threads %.1f %% = MPI %.1f %% x OpenMP %.1f %%\n",
			100 * hybrid->parallel, 100 * hybrid->mpi, 100 * hybrid->openmp);
	print_reasons(waits, efficiency, out);
}

void measure_efficiency_print_text(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	if (efficiency->most_useful == 0)
		return;
	print_window(waits, efficiency, out);
	if (has_threads_only(efficiency))
		print_threads(&efficiency->hybrid, out);
	else if (!efficiency->has_model)
		fputs("Not known: these threads are not of OpenMP, for which there is a model.\n",
			out);
	else
		print_factors(&efficiency->factors, out);
	if (efficiency->is_approximate)
		fputs("Approximate: a process spends more than 1 % of the time polling "
		      "(MPI_Test).\n",
			out);
	print_reasons(waits, efficiency, out);
	if (!has_threads_only(efficiency))
		print_hybrid(&efficiency->hybrid, out);
	print_scalability(&efficiency->scalability, out);
	measure_efficiency_print_windows(waits, efficiency, out);
	if (efficiency->what_if)
		print_prediction(waits, efficiency, out);
}
