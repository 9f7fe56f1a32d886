/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of OpenMP: which run-time library answered, as the adapters have noted in
 * properties of the processes. All processes of a job are alike in this, so the first one that
 * says something speaks for all. */
#include "config.h"

#include "summary.h"

#include <string.h>

#include "base/printable.h"

/* The n-th value of a property, or NULL. */
static const char *value_of(const struct measure_part *part, const char *name, size_t n)
{
	for (size_t i = 0; i < part->properties.nr; i++)
		if (strcmp(part->properties.items[i].name, name) == 0 && n-- == 0)
			return part->properties.items[i].value;
	return NULL;
}

static const struct measure_part *first_part(const struct measure_job *job)
{
	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;
		if (part && (value_of(part, "OPENMP_RUNTIME", 0) ||
				    value_of(part, "OPENMP_STAND_IN", 0)))
			return part;
	}
	return NULL;
}

static void print_runtime(FILE *out, const struct measure_part *part)
{
	const char *runtime = value_of(part, "OPENMP_RUNTIME", 0);
	const char *library = value_of(part, "OPENMP_LIBRARY", 0);
	const char *stand_in = value_of(part, "OPENMP_STAND_IN", 0);

	fprintf(out, "OpenMP      ");
	if (!runtime)
		fprintf(out, "not used; %s was there in place of libgomp.so.1\n",
			MEASURE_PRINTABLE(stand_in));
	else if (!stand_in || !library)
		fprintf(out, "%s%s%s\n", MEASURE_PRINTABLE(runtime), library ? " in " : "",
			MEASURE_PRINTABLE(library ? library : ""));
	else if (strcmp(library, stand_in) == 0)
		fprintf(out, "%s in %s, in place of libgomp.so.1\n", MEASURE_PRINTABLE(runtime),
			MEASURE_PRINTABLE(library));
	else
		fprintf(out, "%s in %s; %s answers libgomp's calls\n", MEASURE_PRINTABLE(runtime),
			MEASURE_PRINTABLE(library), MEASURE_PRINTABLE(stand_in));
}

void measure_summary_print_openmp(FILE *out, const struct measure_job *job)
{
	const struct measure_part *part = first_part(job);
	const char *other, *reason;

	if (!part)
		return;
	print_runtime(out, part);
	other = value_of(part, "OPENMP_OTHER_LIBRARY", 0);
	reason = value_of(part, "OPENMP_NOT_RECORDED", 0);
	if (other)
		fprintf(out, "            and %s: each has threads of its own\n",
			MEASURE_PRINTABLE(other));
	if (value_of(part, "OPENMP_RUNTIME", 1))
		fprintf(out,
			"            the library was ended by the program and started again\n");
	if (reason)
		fprintf(out, "            not recorded: %s\n", MEASURE_PRINTABLE(reason));
}
