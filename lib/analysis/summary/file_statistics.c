/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of files: those with the most bytes. */
#include "config.h"

#include "summary_internal.h"

#include <stdlib.h>

#include "base/figures.h"
#include "base/printable.h"
#include "trace/common/containers.h"

#define TOLD 10 /* files */

/* What was done with a file by an interface. */
struct file_use {
	uint32_t file; /* its index; MEASURE_NONE: none */
	uint32_t paradigm;
	struct summary_io io;
};

static int compare_uses(const void *left, const void *right)
{
	const struct file_use *a = left, *b = right;
	const uint64_t of_a = a->io.read + a->io.written, of_b = b->io.read + b->io.written;

	if (of_a != of_b)
		return of_a < of_b ? 1 : -1;
	if (a->io.ticks != b->io.ticks)
		return a->io.ticks < b->io.ticks ? 1 : -1;
	if (a->file != b->file)
		return a->file > b->file ? 1 : -1;
	return (a->paradigm > b->paradigm) - (a->paradigm < b->paradigm);
}

/* Of all handles, by file and interface; the most bytes first. */
static struct file_use *list_uses(const struct measure_summary *summary, size_t *nr)
{
	const struct measure_definitions *definitions = summary->definitions;
	const size_t nr_paradigms = definitions->nr_io_paradigms;
	struct file_use *uses =
		measure_zeroed((definitions->nr_io_files + 1) * nr_paradigms + 1, sizeof(*uses));

	for (size_t i = 0; i < definitions->nr_io_handles; i++) {
		const struct measure_io_handle *handle = &definitions->io_handles[i];
		size_t file =
			handle->file == MEASURE_NONE ? definitions->nr_io_files : handle->file;
		if (handle->paradigm == MEASURE_NONE)
			continue;
		struct file_use *use = &uses[file * nr_paradigms + handle->paradigm];
		use->file = handle->file;
		use->paradigm = handle->paradigm;
		summary_io_add(&use->io, &summary->events.handles[i]);
	}
	*nr = 0;
	for (size_t i = 0; i < (definitions->nr_io_files + 1) * nr_paradigms; i++)
		if (uses[i].io.operations)
			uses[(*nr)++] = uses[i];
	qsort(uses, *nr, sizeof(*uses), compare_uses);
	return uses;
}

static const char *path_of(const struct measure_summary *summary, uint32_t file)
{
	return file == MEASURE_NONE
		       ? "(no file)"
		       : summary_string(summary, summary->definitions->io_files[file].name);
}

static void print_use(const struct measure_summary *summary, const struct file_use *use)
{
	const struct summary_io *io = &use->io;
	const uint32_t interface = summary->definitions->io_paradigms[use->paradigm].name;

	fprintf(summary->out, "  %17s %17s %13s %9s", measure_figure(io->read),
		measure_figure(io->written), measure_figure(io->operations),
		measure_figure(io->empty));
	fprintf(summary->out, " %11.6f s  %s, %s", summary_seconds(summary, io->ticks),
		MEASURE_PRINTABLE(path_of(summary, use->file)),
		MEASURE_PRINTABLE(summary_string(summary, interface)));
	if (io->unknown)
		fprintf(summary->out, "; size of %s operation%s unknown",
			measure_figure(io->unknown), io->unknown == 1 ? "" : "s");
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
