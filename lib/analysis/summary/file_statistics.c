/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of files: those with the most bytes. */
#include "config.h"

#include "summary_internal.h"

#include <stdlib.h>

#include "analysis/report/profile_report.h"
#include "base/figures.h"
#include "base/printable.h"
#include "trace/common/containers.h"

#define TOLD 10 /* files */

/* A row of the table of files. */
struct file_use {
	struct measure_key key;
	const uint64_t *row;
	uint64_t bytes;
};

static int compare_uses(const void *left, const void *right)
{
	const struct file_use *a = left, *b = right;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	if (measure_cell(a->row, FILES, TICKS) != measure_cell(b->row, FILES, TICKS))
		return measure_cell(a->row, FILES, TICKS) < measure_cell(b->row, FILES, TICKS) ? 1
											       : -1;
	if (a->key.high != b->key.high)
		return a->key.high > b->key.high ? 1 : -1;
	return (a->key.low > b->key.low) - (a->key.low < b->key.low);
}

/* The most bytes first. */
static struct file_use *list_uses(const struct measure_summary *summary, size_t *nr)
{
	const struct measure_profile_table *table = &summary->profile.tables[MEASURE_TABLE_FILES];
	struct file_use *uses = measure_zeroed(table->nr + 1, sizeof(*uses));

	*nr = 0;
	for (size_t i = 0; i < table->nr; i++) {
		const uint64_t *row =
			&table->values[i * measure_profile_table_width(MEASURE_TABLE_FILES)];

		if (measure_cell(row, FILES, OPERATIONS))
			uses[(*nr)++] = (struct file_use){table->keys[i], row,
				measure_cell(row, FILES, BYTES_READ) +
					measure_cell(row, FILES, BYTES_WRITTEN)};
	}
	qsort(uses, *nr, sizeof(*uses), compare_uses);
	return uses;
}

static void print_use(const struct measure_summary *summary, const struct file_use *use)
{
	const uint64_t unknown =
		summary_scale(summary, measure_cell(use->row, FILES, UNKNOWN_SIZES));
	char text[64];

	fprintf(summary->out, "  %17s %17s",
		measure_figure(summary_scale(summary, measure_cell(use->row, FILES, BYTES_READ))),
		measure_figure(
			summary_scale(summary, measure_cell(use->row, FILES, BYTES_WRITTEN))));
	fprintf(summary->out, " %13s %9s",
		measure_figure(summary_scale(summary, measure_cell(use->row, FILES, OPERATIONS))),
		measure_figure(summary_scale(summary, measure_cell(use->row, FILES, EMPTY))));
	fprintf(summary->out, " %11.6f s  %s, %s",
		summary_seconds(
			summary, summary_scale(summary, measure_cell(use->row, FILES, TICKS))),
		MEASURE_PRINTABLE(measure_key_text(
			&summary->profile, MEASURE_KEY_FILE, use->key.high, text, sizeof(text))),
		MEASURE_PRINTABLE(measure_key_text(&summary->profile, MEASURE_KEY_INTERFACE,
			use->key.low, text, sizeof(text))));
	if (unknown)
		fprintf(summary->out, "; size of %s operation%s unknown", measure_figure(unknown),
			unknown == 1 ? "" : "s");
	fputc('\n', summary->out);
}

/* Nothing where no operations were recorded. */
void summary_print_files(struct measure_summary *summary)
{
	size_t nr;
	struct file_use *uses = list_uses(summary, &nr);

	if (nr > 0)
		fprintf(summary->out,
			"\nFiles with the most bytes%s; `empty` operations moved no bytes (error "
			"or end of file)\n  %17s %17s %13s %9s %13s  file, interface\n",
			summary_is_estimated(summary) ? ", estimated" : "", "read", "written",
			"operations", "empty", "time");
	for (size_t i = 0; i < nr && i < TOLD; i++)
		print_use(summary, &uses[i]);
	if (nr > TOLD)
		fprintf(summary->out, "  and %zu more\n", nr - TOLD);
	measure_free(uses);
}
