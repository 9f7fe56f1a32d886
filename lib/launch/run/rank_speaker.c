/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One voice for many ranks; see rank_speaker.h. Rank 0 speaks at once. Where its mistake ends the
 * job, the launcher ends the other ranks. Those that are still there after a while (the mistake is
 * theirs alone, or their launcher ends nobody) speak then: of those with the same lines one on each
 * node, who is first to take a name that the kernel gives to one of them only. */
#include "config.h"

#include "rank_speaker.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "cli/cli.h"
#include "launch/plan/launcher.h"

#define LINES_SIZE 8192
#define MEET_MS    500  /* all ranks of a node have started by then */
#define ALONE_MS   1500 /* a launcher that ends jobs has done so */

static struct measure_settings settings;
static char lines[LINES_SIZE];

bool measure_is_speaker(const struct measure_settings *of)
{
	return !measure_launcher_is_there(of) || of->rank == 0;
}

static void rank_speaker_keep(const char *line)
{
	size_t used = strlen(lines);

	snprintf(lines + used, sizeof(lines) - used, "%s", line);
	if (settings.rank == 0 && write(STDERR_FILENO, line, strlen(line)) < 0)
		lines[used] = '\0'; /* nowhere left to say it */
}

void measure_speaker_begin(void)
{
	measure_settings_defaults(&settings);
	measure_launcher_detect(&settings, getpid());
	if (measure_launcher_is_there(&settings))
		measure_cli_redirect(rank_speaker_keep);
}

void measure_speaker_end(void)
{
	measure_cli_redirect(NULL);
}

static void pause_ms(long milliseconds)
{
	struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};

	nanosleep(&pause, NULL);
}

/* An abstract socket's name: nothing is left of it when its process has ended. */
static bool is_first_here(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	uint64_t hash = measure_hash(MEASURE_HASH_START, settings.job, strlen(settings.job) + 1);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	hash = measure_hash(hash, lines, strlen(lines));
	snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "measure-mistake-%u-%016llx",
		(unsigned int)geteuid(), (unsigned long long)hash);
	return fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
}

void measure_speaker_refuse(void)
{
	measure_speaker_end();
	if (!measure_launcher_is_there(&settings) || !lines[0])
		return;
	if (settings.rank != 0)
		pause_ms(MEET_MS);
	bool is_first = is_first_here();
	if (settings.rank == 0)
		pause_ms(2 * MEET_MS);
	else if (is_first)
		pause_ms(ALONE_MS);
	if (settings.rank != 0 && is_first && write(STDERR_FILENO, lines, strlen(lines)) < 0)
		return;
}
