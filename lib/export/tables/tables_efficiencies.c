/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of efficiencies: of the run, and of its phases and iterations. */
#include "config.h"

#include "analysis/efficiency/efficiency.h"
#include "tables_export.h"

/* Names are those of measure-analyze --format=json. */
struct efficiency_value {
	const char *name;
	double value;
};

static void write_values(struct tables_export *export, uint32_t window, const char *model,
	const struct efficiency_value *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

		TABLES_CELL(row, EFFICIENCIES, WINDOW) = tables_index(window);
		TABLES_CELL(row, EFFICIENCIES, MODEL) = tables_text(model);
		TABLES_CELL(row, EFFICIENCIES, NAME) = tables_text(values[i].name);
		TABLES_CELL(row, EFFICIENCIES, VALUE) = tables_real(values[i].value);
		tables_add(export->writer, TABLES_EFFICIENCIES, row);
	}
}

static void write_factors(
	struct tables_export *export, uint32_t window, const struct measure_factors *factors)
{
	const struct efficiency_value values[] = {
		{"communication_efficiency", factors->communication},
		{"load_balance", factors->balance}, {"parallel_efficiency", factors->parallel},
		{"serialisation_efficiency", factors->serialisation},
		{"transfer_efficiency", factors->transfer}};

	if (factors->parallel > 0) /* else nothing was computed */
		write_values(export, window, "mpi", values, sizeof(values) / sizeof(*values));
}

/* Models and names in the order of the alphabet. */
static void write_hybrid(struct tables_export *export, const struct measure_hybrid *hybrid)
{
	const struct efficiency_value additive[] = {
		{"openmp_parallel_efficiency", hybrid->parallel_region},
		{"parallel_efficiency", hybrid->parallel},
		{"process_communication", hybrid->process_communication},
		{"process_efficiency", hybrid->process},
		{"process_load_balance", hybrid->process_balance},
		{"process_serialisation", hybrid->process_serialisation},
		{"process_transfer", hybrid->process_transfer},
		{"serial_region_efficiency", hybrid->serial_region},
		{"thread_efficiency", hybrid->thread}};

	if (hybrid->nr_threads > 0)
		write_values(export, 0, "additive", additive, sizeof(additive) / sizeof(*additive));
}

static void write_multiplicative(struct tables_export *export, const struct measure_hybrid *hybrid)
{
	const struct efficiency_value values[] = {
		{"communication_efficiency", hybrid->communication},
		{"load_balance", hybrid->balance},
		{"mpi_communication_efficiency", hybrid->mpi_communication},
		{"mpi_load_balance", hybrid->mpi_balance}, {"mpi_parallel_efficiency", hybrid->mpi},
		{"mpi_serialisation_efficiency", hybrid->mpi_serialisation},
		{"mpi_transfer_efficiency", hybrid->mpi_transfer},
		{"openmp_communication_efficiency", hybrid->openmp_communication},
		{"openmp_load_balance", hybrid->openmp_balance},
		{"openmp_parallel_efficiency", hybrid->openmp},
		{"parallel_efficiency", hybrid->parallel}};

	if (hybrid->nr_threads > 0)
		write_values(export, 0, "multiplicative", values, sizeof(values) / sizeof(*values));
}

static void write_window(struct tables_export *export, uint32_t id, const char *name,
	struct tables_value number, const struct measure_interval *interval)
{
	tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

	TABLES_CELL(row, WINDOWS, ID) = tables_index(id);
	TABLES_CELL(row, WINDOWS, NAME) = tables_text(name);
	TABLES_CELL(row, WINDOWS, NUMBER) = number;
	TABLES_CELL(row, WINDOWS, START_NS) = tables_time(export, interval->from);
	TABLES_CELL(row, WINDOWS, END_NS) = tables_time(export, interval->until);
	tables_add(export->writer, TABLES_WINDOWS, row);
}

static void write_all(struct tables_export *export, const struct measure_efficiency *efficiency)
{
	const struct measure_profile *profile = &export->conversion->waits->profile;

	write_window(export, 0, efficiency->is_whole ? "whole" : "mpi",
		(struct tables_value){.kind = TABLES_VALUE_NONE}, &efficiency->window);
	write_hybrid(export, &efficiency->hybrid);
	write_factors(export, 0, &efficiency->factors);
	write_multiplicative(export, &efficiency->hybrid);
	for (uint32_t i = 0; i < efficiency->nr_windows; i++) {
		const struct measure_part_of_run *window = &efficiency->windows[i];

		write_window(export, i + 1, measure_profile_region_name(profile, window->region),
			tables_integer(window->number), &window->interval);
		write_factors(export, i + 1, &window->factors);
	}
}

void tables_write_efficiencies(struct tables_export *export)
{
	const struct measure_efficiency_options options = {.has_phases = true};
	struct measure_efficiency efficiency;

	if (!tables_is_whole(export) || export->conversion->waits->profile.nr_events == 0)
		return;
	measure_efficiency_find(&efficiency, export->conversion->waits, &options);
	write_all(export, &efficiency);
	measure_efficiency_free(&efficiency);
}
