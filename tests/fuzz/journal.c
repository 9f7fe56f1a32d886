/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fuzz target: journals of one or several processes become the model of an archive, or are
 * refused; files of the input are journals, one of each process. */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assemble/unify/job.h"
#include "assemble/part/part.h"
#include "assemble/clocks/clock_correction.h"
#include "assemble/unify/unify.h"
#include "fuzz.h"

#define MOST_PARTS 2

static void make_model(const struct measure_part *parts, size_t nr)
{
	struct measure_job job = {.nr_missing = 0};
	struct measure_clock_correction timeline = {.resolution = 0};
	struct measure_unified unified = {.job = NULL};
	measure_status_t status = measure_job_make(parts, nr, &job);

	if (status == MEASURE_OK)
		status = measure_clock_correction_make(&job, &timeline);
	if (status == MEASURE_OK)
		measure_unify(&job, &timeline, &unified);
	measure_unified_free(&unified);
	measure_clock_correction_free(&timeline);
	measure_job_free(&job);
}

/* An empty folder: there is no keeper's journal. */
static int open_parts(void)
{
	static int fd = -1;

	if (fd < 0) {
		fd = open(fuzz_directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		mkdirat(fd, "part", 0777);
	}
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct measure_part parts[MOST_PARTS] = {{.fd = -1}};
	struct fuzz_file file;
	size_t nr = 0, position = 0;

	while (nr < MOST_PARTS && fuzz_next(data, size, &position, &file)) {
		struct measure_part part = {.fd = -1};
		size_t journal_size;
		uint8_t *journal = fuzz_journal(file.data, file.size, &journal_size);

		if (measure_part_read_live(open_parts(), "part", journal, journal_size, &part) ==
			MEASURE_OK)
			parts[nr++] = part;
		else
			measure_part_free(&part);
	}
	if (nr > 0)
		make_model(parts, nr);
	for (size_t i = 0; i < nr; i++)
		measure_part_free(&parts[i]);
	return 0;
}
