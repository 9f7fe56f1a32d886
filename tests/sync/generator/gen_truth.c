/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The true times: a folder with a file <location id>.time for each location, the times of its
 * events in order, 64-bit little-endian ticks of a nanosecond. */
#include "config.h"

#include "generate.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

static FILE *open_file(const struct gen *gen, const struct gen_location *location, const char *mode)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%" PRIu64 ".time", gen->options.truth, location->id);
	file = fopen(path, mode);
	if (!file)
		gen_fail("cannot write ", path);
	return file;
}

void gen_truth_start(struct gen *gen)
{
	if (!*gen->options.truth)
		return;
	if (mkdir(gen->options.truth, 0777) != 0 && errno != EEXIST)
		gen_fail("cannot make ", gen->options.truth);
	for (size_t i = 0; i < gen->nr_all_locations; i++)
		fclose(open_file(gen, &gen->locations[i], "wb"));
}

void gen_truth_flush(const struct gen *gen, struct gen_location *location)
{
	FILE *file;

	if (!*gen->options.truth || !location->nr_stamps)
		return;
	file = open_file(gen, location, "ab");
	for (uint32_t i = 0; i < location->nr_stamps; i++)
		location->stamps[i] = htole64(location->stamps[i]);
	if (fwrite(location->stamps, sizeof(uint64_t), location->nr_stamps, file) !=
		location->nr_stamps)
		gen_fail("cannot write to ", gen->options.truth);
	if (fclose(file) != 0)
		gen_fail("cannot write to ", gen->options.truth);
	location->nr_stamps = 0;
}
