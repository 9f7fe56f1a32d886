/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files of costs, and where they are; see event_costs.h. A file may have been made by anybody, with
 * an editor: what it says is taken as a whole or not at all. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"
#include "base/procfs.h"
#include "event_costs.h"

#define LONGEST ((size_t)1 << 17)
#define BELOW   "measure/event-costs"

#define PROCESSOR "processor "

/* ------------------------------------------------------------------------- reading --- */

/* Nothing but a file: no pipe that nobody writes to, no terminal. The text is to be freed. */
static measure_status_t load_text(const char *path, char **text, char *error)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	const bool is_there = fd >= 0 || (errno != ENOENT && errno != ENOTDIR);
	struct stat stat = {.st_size = 0};
	size_t size = 0;

	*text = NULL;
	if (fd >= 0 && fstat(fd, &stat) == 0 && !S_ISREG(stat.st_mode))
		snprintf(error, MEASURE_EVENT_COSTS_ERROR, "is not a regular file");
	else if (fd >= 0 && stat.st_size > (off_t)LONGEST)
		snprintf(error, MEASURE_EVENT_COSTS_ERROR, "is longer than 128 KiB");
	else if (fd >= 0 && (*text = calloc(1, LONGEST + 1)) &&
		 measure_file_read_at(fd, *text, LONGEST, 0, &size) == MEASURE_OK) {
		close(fd);
		if (strlen(*text) == size)
			return MEASURE_OK;
		snprintf(error, MEASURE_EVENT_COSTS_ERROR, "is not a text file");
		return MEASURE_ERROR_FORMAT;
	} else
		snprintf(error, MEASURE_EVENT_COSTS_ERROR, "%s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return is_there ? MEASURE_ERROR_IO : MEASURE_ERROR_NOT_FOUND;
}

static bool read_line(struct measure_event_costs *costs, char *line)
{
	char *blank = strchr(line, ' ');

	if (*line == '#' || *line == '\0')
		return true;
	if (strncmp(line, PROCESSOR, sizeof(PROCESSOR) - 1) == 0) {
		const char *model = line + sizeof(PROCESSOR) - 1;
		if (!*model || strlen(model) >= sizeof(costs->processor))
			return false;
		memcpy(costs->processor, model, strlen(model) + 1);
		return true;
	}
	if (!blank)
		return false;
	*blank = '\0';
	return measure_event_costs_parse_line(costs, line, blank + 1);
}

/* The number of the first line that is wrong; 0: none is. */
static unsigned read_lines(struct measure_event_costs *costs, char *text)
{
	unsigned number = 0;

	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		number++;
		if (!read_line(costs, line))
			return number;
	}
	return 0;
}

measure_status_t measure_event_costs_read_file(
	const char *path, struct measure_event_costs *costs, char *error)
{
	char *text;

	*error = '\0';
	memset(costs, 0, sizeof(*costs));
	measure_status_t status = load_text(path, &text, error);
	if (status == MEASURE_OK) {
		const unsigned wrong = read_lines(costs, text);
		if (wrong)
			snprintf(error, MEASURE_EVENT_COSTS_ERROR, "line %u is no cost of events",
				wrong);
		else if (!costs->processor[0])
			snprintf(error, MEASURE_EVENT_COSTS_ERROR, "does not name a processor");
		status = *error ? MEASURE_ERROR_FORMAT : MEASURE_OK;
	}
	free(text);
	if (status != MEASURE_OK)
		memset(costs, 0, sizeof(*costs));
	return status;
}

/* ------------------------------------------------------------------------- writing --- */

static void write_text(FILE *file, const struct measure_event_costs *costs)
{
	char name[MEASURE_EVENT_COST_NAME], value[MEASURE_EVENT_COST_VALUE];

	fprintf(file, PROCESSOR "%s\n# RATE:BEFORE:AFTER:LOW:HIGH ...: events per second, ns\n",
		costs->processor);
	if (costs->reference > 0)
		fprintf(file, MEASURE_EVENT_COST_REFERENCE " %g\n", costs->reference);
	for (unsigned i = 0; i < MEASURE_NR_EVENT_COSTS; i++)
		for (unsigned k = 0; k < MEASURE_NR_WORKING_SETS; k++) {
			if (costs->curves[i][k].nr == 0)
				continue;
			measure_event_cost_name(name, i, k);
			measure_event_cost_value(value, &costs->curves[i][k]);
			fprintf(file, "%s %s\n", name, value);
		}
}

static void make_directories(const char *path)
{
	char directory[PATH_MAX];

	snprintf(directory, sizeof(directory), "%s", path);
	for (char *slash = directory + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(directory, 0777);
		*slash = '/';
	}
}

static bool write_new(const char *path, const struct measure_event_costs *costs)
{
	FILE *file = fopen(path, "we");

	if (!file)
		return false;
	write_text(file, costs);
	const bool is_written = !ferror(file);
	return (fclose(file) == 0) & is_written;
}

measure_status_t measure_event_costs_write_file(
	const char *path, const struct measure_event_costs *costs, char *error)
{
	char new[PATH_MAX + 32];

	*error = '\0';
	snprintf(new, sizeof(new), "%s.%ld", path, (long)getpid());
	make_directories(path);
	if (write_new(new, costs) && rename(new, path) == 0)
		return MEASURE_OK;
	snprintf(error, MEASURE_EVENT_COSTS_ERROR, "%s", strerror(errno));
	unlink(new);
	return MEASURE_ERROR_IO;
}

/* -------------------------------------------------------------------- where it is --- */

void measure_event_costs_processor(char processor[256])
{
	static const char key[] = "\nmodel name\t: ";
	char text[4096];
	struct utsname name;

	measure_text_read("/proc/cpuinfo", text, sizeof(text));
	const char *model = strstr(text, key);
	if (model) {
		model += sizeof(key) - 1;
		snprintf(processor, 256, "%.*s", (int)strcspn(model, "\n"), model);
	}
	if (!model || !*processor)
		snprintf(processor, 256, "%s", uname(&name) == 0 ? name.machine : "unknown");
}

/* Without blanks and slashes. */
static void model_file(char name[256])
{
	measure_event_costs_processor(name);
	for (char *c = name; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-@+",
			    *c) ||
			(*c == '.' && c == name))
			*c = '_';
}

/* False: nobody knows where the user's cache is. */
static bool user_path(char path[PATH_MAX], const char *model)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int length;

	if (cache && *cache == '/')
		length = snprintf(path, PATH_MAX, "%s/" BELOW "/%s", cache, model);
	else if (home && *home == '/')
		length = snprintf(path, PATH_MAX, "%s/.cache/" BELOW "/%s", home, model);
	else
		return false;
	return length < PATH_MAX;
}

bool measure_event_costs_usual_path(char path[PATH_MAX], bool is_to_write)
{
	const char *told = getenv("MEASURE_EVENT_COSTS");
	char model[256];

	if (told && *told)
		return snprintf(path, PATH_MAX, "%s", told) < PATH_MAX;
	model_file(model);
	const bool is_users = user_path(path, model);
	if (is_to_write || (is_users && access(path, F_OK) == 0))
		return is_users;
	return snprintf(path, PATH_MAX, MEASURE_SYSCONFDIR "/" BELOW "/%s", model) < PATH_MAX &&
	       access(path, F_OK) == 0;
}
