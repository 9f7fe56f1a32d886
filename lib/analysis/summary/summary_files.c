/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of files: those with the most bytes. */
#include "config.h"

#include "summary.h"

#include "base/printable.h"

#define TOLD 10 /* files */

static const char *interface_of(const struct measure_unified *unified, uint32_t paradigm)
{
	const struct measure_archive_definitions *definitions = &unified->definitions;

	if (paradigm >= definitions->io_paradigms.nr)
		return "?";
	return measure_intern_key(
		&definitions->strings, definitions->io_paradigms.items[paradigm].name);
}

static const char *path_of(const struct measure_unified *unified, uint32_t file)
{
	const struct measure_archive_definitions *definitions = &unified->definitions;

	if (file >= definitions->io_files.nr)
		return "(no file)";
	return measure_intern_key(&definitions->strings, definitions->io_files.items[file].name);
}

void measure_summary_print_files(FILE *out, const struct measure_unified *unified,
	const struct measure_trace_statistics *account)
{
	const measure_files_t *files = &account->files;

	if (files->nr == 0)
		return;
	fprintf(out,
		"\nFiles with the most bytes%s; `empty` operations moved none, which may be an "
		"error or the end\n  %17s %17s %13s %9s %13s  file, interface\n",
		account->is_estimated ? ", estimated" : "", "read", "written", "operations",
		"empty", "time");
	for (size_t i = 0; i < files->nr && i < TOLD; i++) {
		const struct measure_file_statistics *file = &files->items[i];
		fprintf(out, "  %17s %17s", measure_summary_number(file->read),
			measure_summary_number(file->written));
		fprintf(out, " %13s %9s %11.6f s  %s, %s",
			measure_summary_number(file->operations),
			measure_summary_number(file->empty), file->seconds,
			MEASURE_PRINTABLE(path_of(unified, file->file)),
			MEASURE_PRINTABLE(interface_of(unified, file->paradigm)));
		if (file->unknown)
			fprintf(out, "; bytes of %s operation%s are not known",
				measure_summary_number(file->unknown),
				file->unknown == 1 ? "" : "s");
		fputc('\n', out);
	}
	if (files->nr > TOLD)
		fprintf(out, "  and %zu more\n", files->nr - TOLD);
}
