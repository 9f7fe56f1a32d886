/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a run was asked for; see run_config.h. */
#include "config.h"

#include "run_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "format/run_layout.h"

#define CONFIGURATION_MOST (1 << 20)

static bool goes_upwards(const char *path)
{
	for (const char *dots = strstr(path, ".."); dots; dots = strstr(dots + 1, ".."))
		if ((dots == path || dots[-1] == '/') && (dots[2] == '\0' || dots[2] == '/'))
			return true;
	return false;
}

/* Names between slashes; "." is none. */
static size_t count_names(const char *path)
{
	size_t nr = 0;

	while (*path) {
		size_t length = strcspn(path, "/");
		nr += length > 1 || (length == 1 && *path != '.');
		path += length + (path[length] == '/');
	}
	return nr;
}

const char *measure_run_name(const char *directory, const char *output)
{
	size_t nr = count_names(output);
	const char *name = directory + strlen(directory);

	if (output[0] == '/' || nr == 0 || goes_upwards(output))
		return directory;
	for (; nr > 0 && name > directory; nr--)
		while (--name > directory && *name != '/')
			;
	return *name == '/' ? name + 1 : directory;
}

void measure_run_read(int directory_fd, const char *directory, struct measure_run *run)
{
	const char *why;
	uint8_t *data;
	size_t size;

	measure_settings_defaults(&run->settings);
	if (measure_file_load(directory_fd, MEASURE_CONFIGURATION_NAME, CONFIGURATION_MOST, &data,
		    &size) == MEASURE_OK) {
		if (measure_settings_parse(&run->settings, (const char *)data, &why) != MEASURE_OK)
			measure_settings_defaults(&run->settings);
		free(data);
	}
	if (!realpath(directory, run->directory))
		snprintf(run->directory, sizeof(run->directory), "%s", directory);
	run->name = measure_run_name(run->directory, run->settings.output);
}

bool measure_run_wants_functions(const struct measure_settings *settings)
{
	return strcmp(settings->adapters, "none") != 0 && strcmp(settings->sample, "off") == 0;
}
