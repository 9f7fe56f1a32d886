/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fuzz target: a run directory that a job has left, as measure-repair takes it: parts of
 * processes that have ended (a.done) or are gone with their keepers (b, c). It becomes an archive,
 * or there is a word and the parts are still there; and nothing else is touched. */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "assemble/write/assemble.h"
#include "fuzz.h"

static const char *const folders[] = {
	".parts", ".parts/a.done", ".parts/b", ".parts/c", ".parts/a+1.done", NULL};

static bool is_there(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", fuzz_directory(), name);
	return access(path, F_OK) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct measure_assemble_report report;

	fuzz_unpack(data, size, folders);
	measure_status_t status = measure_assemble(fuzz_directory(), &report);
	if (status == MEASURE_OK && !is_there(MEASURE_ANCHOR_NAME))
		fuzz_fault("no archive, and no error");
	if (status == MEASURE_OK)
		return 0;
	if (!report.trouble[0] || strchr(report.trouble, '\n'))
		fuzz_fault("not one line: '%s'", report.trouble);
	if (!is_there(MEASURE_PARTS_NAME))
		fuzz_fault("failed (%s), and the parts are gone", report.trouble);
	return 0;
}
