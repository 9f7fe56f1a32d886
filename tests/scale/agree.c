/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the processes of a large job do in the run directory to agree, one after the other: at its
 * begin on where it is, and at its end on who assembles.
 *
 *	agree begin RANKS DIR   each joins the run directory DIR; the first one makes it
 *	agree end RANKS DIR     each looks whether it was the last one: hosts end one after the other;
 *	                        make_parts has made the parts
 *
 * Prints seconds for one process and for all of them, in this process and on this file system. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "assemble/part/part_directory.h"
#include "assemble/part/part_hosts.h"
#include "base/array.h"
#include "base/file.h"
#include "config/settings.h"
#include "format/run_layout.h"
#include "launch/rundir/rundir.h"

#define NR_MOMENTS 20
#define NR_LOOKS   3 /* the quickest one counts */

static void fail(const char *what, const char *name)
{
	fprintf(stderr, "agree: %s%s\n", what, name);
	exit(2);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* --------------------------------------------------------------------------- at the begin --- */

static void join_all(uint32_t nr_ranks, const char *directory)
{
	static struct measure_settings settings;
	struct measure_rundir rundir;
	const double start = now();

	measure_settings_defaults(&settings);
	settings.size = nr_ranks;
	snprintf(settings.launcher, sizeof(settings.launcher), "simulated");
	snprintf(settings.job, sizeof(settings.job), "1");
	snprintf(settings.output, sizeof(settings.output), "%s", directory);
	for (uint32_t i = 0; i < nr_ranks; i++) {
		settings.rank = i;
		if (measure_rundir_open(&settings, "simulated", &rundir) != MEASURE_OK)
			fail("cannot join ", directory);
		close(rundir.fd);
		close(rundir.parts_fd);
	}
	printf("one %.9f\nall %.6f\n", (now() - start) / nr_ranks, now() - start);
	measure_rundir_forget(&rundir);
}

/* ----------------------------------------------------------------------------- at the end --- */

/* Parts in the order of their names: those of a host together. */
typedef MEASURE_ARRAY(char *) names_t;

static measure_status_t names_add(void *data, int parts_fd, const char *name)
{
	const char *end = strstr(name, ".done");
	names_t *names = data;

	(void)parts_fd;
	return end ? measure_array_push(names, strndup(name, (size_t)(end - name))) : MEASURE_OK;
}

static int names_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t host_length(const char *name)
{
	return strcspn(name, "-");
}

static bool is_same_host(const char *a, const char *b)
{
	return host_length(a) == host_length(b) && strncmp(a, b, host_length(a)) == 0;
}

/* Parts of the host of the first one, up to here. */
static size_t end_of_host(const names_t *names, size_t first)
{
	size_t end = first;

	while (end < names->nr && is_same_host(names->items[first], names->items[end]))
		end++;
	return end;
}

static void append(int hosts_fd, const char *first, const char *line)
{
	char host[256];
	int fd;

	snprintf(host, sizeof(host), "%.*s", (int)host_length(first), first);
	fd = measure_file_open(hosts_fd, host, O_WRONLY | O_CREAT | O_APPEND);
	if (fd < 0 || dprintf(fd, "%s\n", line) < 0)
		fail("cannot write list of ", host);
	close(fd);
}

/* As keepers leave it that have all begun: lists of hosts. The parts of the first host are also in
 * the list of this one, so that it looks at as many. */
static int make_lists(int parts_fd, const names_t *names)
{
	int hosts_fd;

	mkdirat(parts_fd, MEASURE_HOSTS_NAME, 0777);
	hosts_fd = measure_file_open_directory(parts_fd, MEASURE_HOSTS_NAME);
	for (size_t i = 0; i < names->nr; i++) {
		append(hosts_fd, names->items[i], names->items[i]);
		if (is_same_host(names->items[i], names->items[0]))
			measure_hosts_add(parts_fd, names->items[i]);
	}
	return hosts_fd;
}

struct look_times {
	double host, others;
};

/* The quickest of some. */
static struct look_times time_looks(int parts_fd)
{
	struct look_times least = {1e9, 1e9};
	char host[256];

	for (int i = 0; i < NR_LOOKS; i++) {
		const double start = now();
		const bool has_kept = measure_hosts_has_kept(parts_fd);
		const double middle = now();

		measure_hosts_find_open(parts_fd, host);
		if (has_kept)
			fail("a keeper is there that cannot be: ", host);
		least.host = middle - start < least.host ? middle - start : least.host;
		least.others = now() - middle < least.others ? now() - middle : least.others;
	}
	return least;
}

/* One host after the other; at some moments a keeper's looks are timed. */
static uint32_t end_hosts(
	int parts_fd, int hosts_fd, const names_t *names, struct look_times *mean)
{
	struct look_times sum = {0, 0};
	uint32_t nr_hosts = 0, nr_moments = 0;

	for (size_t i = 0; i < names->nr; nr_hosts++) {
		const size_t end = end_of_host(names, i);

		append(hosts_fd, names->items[i], ".");
		if (end * NR_MOMENTS / names->nr > i * NR_MOMENTS / names->nr) {
			const struct look_times times = time_looks(parts_fd);

			sum.host += times.host;
			sum.others += times.others;
			nr_moments++;
		}
		i = end;
	}
	*mean = (struct look_times){sum.host / nr_moments, sum.others / nr_moments};
	return nr_hosts;
}

static void leave_all(uint32_t nr_ranks, const char *directory)
{
	const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const int parts_fd = fd < 0 ? -1 : measure_file_open_directory(fd, MEASURE_PARTS_NAME);
	names_t names = {.items = NULL};
	struct look_times mean;
	struct measure_parts parts;

	if (parts_fd < 0 || measure_file_visit(parts_fd, names_add, &names) != MEASURE_OK)
		fail("no run directory: ", directory);
	if (names.nr != nr_ranks)
		fail("not so many parts: ", directory);
	measure_array_sort(&names, names_compare);
	const uint32_t nr_hosts = end_hosts(parts_fd, make_lists(parts_fd, &names), &names, &mean);
	const double start = now();
	measure_parts_count(parts_fd, &parts);
	const double last = now() - start;
	printf("one %.9f\nlast_of_host %.9f\nlast %.6f\nall %.6f\n", mean.host, mean.others, last,
		mean.host * nr_ranks + mean.others * nr_hosts + last);
	measure_file_remove_tree(parts_fd, MEASURE_HOSTS_NAME);
	for (size_t i = 0; i < names.nr; i++)
		free(names.items[i]);
	free(names.items);
}

int main(int argc, char **argv)
{
	const uint32_t nr_ranks = argc == 4 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;

	if (nr_ranks == 0)
		fail("usage: agree begin|end RANKS DIR", "");
	if (strcmp(argv[1], "begin") == 0)
		join_all(nr_ranks, argv[3]);
	else
		leave_all(nr_ranks, argv[3]);
	return 0;
}
