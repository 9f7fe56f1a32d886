/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the kernel says of this process, for programs that are tests. */
#ifndef MEASURE_TESTS_STATUS_H
#define MEASURE_TESTS_STATUS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* KiB, by a name of /proc/self/status: "RssAnon". */
static inline __attribute__((no_instrument_function)) long status_kib(const char *name)
{
	FILE *file = fopen("/proc/self/status", "r");
	const size_t length = strlen(name);
	char line[256];
	long kib = 0;

	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, name, length) == 0 && line[length] == ':')
			kib = strtol(line + length + 1, NULL, 10);
	if (file)
		fclose(file);
	return kib;
}

#endif
