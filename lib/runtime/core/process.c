/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who this process is; see start.h. */
#include "config.h"

#include "start.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "adapter.h"
#include "base/procfs.h"
#include "clock/clock.h"
#include "config/settings.h"
#include "runtime/definitions/define.h"

#define MAX_ARGUMENTS 4096 /* bytes of the command line that are kept */

static char *quote(char *place, const char *end, const char *argument)
{
	bool is_plain = *argument &&
		argument[strspn(argument, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					  "0123456789_-+=./:,@%")] == '\0';

	if (is_plain)
		return place + snprintf(place, (size_t)(end - place), "%s", argument);
	if (end - place > 1)
		*place++ = '\'';
	for (; *argument && end - place > 6; argument++) {
		if (*argument == '\'')
			place += sprintf(place, "'\\''");
		else
			*place++ = *argument;
	}
	if (end - place > 1)
		*place++ = '\'';
	*place = '\0';
	return place;
}

/* The arguments behind the program's name, each with its NUL; returns how many bytes. */
static size_t read_arguments(char *raw, size_t size)
{
	ssize_t read = measure_text_read("/proc/self/cmdline", raw, size);
	size_t length = read > 0 ? (size_t)read : 0;
	size_t name = strlen(raw) + 1;

	if (length <= name)
		return 0;
	memmove(raw, raw + name, length - name);
	raw[length - name] = '\0';
	return length - name;
}

/* As a shell would take them. */
static void quote_arguments(const char *raw, size_t length, char *text, size_t size)
{
	char *place = text, *end = text + size;

	*text = '\0';
	for (size_t i = 0; i < length && end - place > 8; i += strlen(raw + i) + 1) {
		if (place != text)
			*place++ = ' ';
		place = quote(place, end, raw + i);
		if (place >= end)
			place = end - 1;
	}
}

/* Those that ProgramBegin names. */
static uint32_t count_arguments(const char *raw, size_t length)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < length && nr < MEASURE_MOST_ARGUMENTS; i += strlen(raw + i) + 1)
		nr++;
	return nr;
}

/* The last one stands for all that follow. */
static void define_arguments(const char *raw, size_t length, uint32_t nr)
{
	const char *end = raw + length;

	for (uint32_t i = 0; i < nr; i++, raw += strlen(raw) + 1) {
		const bool has_more = raw + strlen(raw) + 1 < end;
		const struct measure_def_string def = {1 + i,
			i == MEASURE_MOST_ARGUMENTS - 1 && has_more ? "..." : raw};

		MEASURE_JOURNAL(string, &def);
	}
}

static void read_program(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);

	path[length < 0 ? 0 : length] = '\0';
}

static void define_launch(const struct measure_settings *settings)
{
	struct measure_def_launch def = {settings->job, (uint32_t)settings->rank,
		(uint32_t)settings->size, (uint32_t)settings->local_rank,
		(uint32_t)settings->local_size};

	MEASURE_JOURNAL(launch, &def);
}

uint32_t measure_process_define(
	const struct measure_settings *settings, uint64_t begin_ticks, uint32_t nr_inherited)
{
	static char raw[MAX_ARGUMENTS], arguments[2 * MAX_ARGUMENTS], program[PATH_MAX];
	char node[MEASURE_NODE_TEXT];
	struct utsname name = {.nodename = "unknown"};
	struct measure_signals saved;
	struct measure_def_clock_truth truth;

	uname(&name);
	measure_node_read(node);
	read_program(program, sizeof(program));
	const size_t length = read_arguments(raw, sizeof(raw));
	const uint32_t nr_arguments = count_arguments(raw, length);
	quote_arguments(raw, length, arguments, sizeof(arguments));

	struct measure_def_process def = {name.nodename, node, getpid(),
		measure_process_start(getpid()), program, arguments, measure_clock_domain(),
		measure_clock_text(), 0, measure_clock_is_exact(), begin_ticks, settings->creator,
		settings->exec, nr_inherited, nr_arguments};
	if (measure_clock_is_exact())
		def.clock_frequency = measure_clock_frequency();
	measure_define_lock(&saved);
	MEASURE_JOURNAL(process, &def);
	define_arguments(raw, length, nr_arguments);
	define_launch(settings);
	if (measure_clock_truth(&truth))
		MEASURE_JOURNAL(clock_truth, &truth);
	measure_define_unlock(&saved);
	return nr_arguments;
}
