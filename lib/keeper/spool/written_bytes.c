/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much a job writes; see written_bytes.h. A node has its part of --max-size, by its processes;
 * each keeper adds up what its process has written and has in event memory, and what others tell.
 */
#include "config.h"

#include "written_bytes.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "format/run_layout.h"
#include "cli/cli.h"
#include "base/posix.h"

/* Recording stops with so much of the bound left: between two looks a process may take its event
 * memory once, and while the spooler writes once more. */
#define RESERVE 8

/* The same for what keepers have not told yet. */
#define TELL_MOST  (UINT64_C(1) << 20)
#define TELL_LEAST (UINT64_C(64) << 10)
#define TELL_SHARE 1024

#define LEAST_CHUNKS 4 /* of event memory */

/* A rate that fills so much in so long, or half of the disk, is worth a word. */
#define FAST_BYTES 10e9
#define FAST_S     600
#define LOOK_MS    1000

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t bound_of_node(const struct measure_settings *settings)
{
	double share = 1;

	if (settings->size > settings->local_size)
		share = (double)settings->local_size / (double)settings->size;
	return (uint64_t)((double)settings->max_size * share);
}

uint64_t measure_written_bytes_buffer(const struct measure_settings *settings)
{
	uint64_t least = LEAST_CHUNKS * settings->chunk;
	uint64_t most = bound_of_node(settings) / (2 * RESERVE * larger(settings->local_size, 1));

	if (settings->max_size == 0 || settings->buffer <= larger(most, least))
		return settings->buffer;
	return larger(most, least);
}

void measure_written_bytes_begin(struct measure_written_bytes *volume,
	const struct measure_settings *settings, const char *run_directory, int parts_fd)
{
	volume->settings = settings;
	volume->run_directory = run_directory;
	volume->parts_fd = parts_fd;
	volume->most = settings->max_size ? larger(bound_of_node(settings), 1) : 0;
	volume->is_said = settings->quiet;
	volume->next = measure_now_ms() + LOOK_MS;
}

static uint64_t bytes_of(const struct measure_spool *spool)
{
	const struct measure_segment *segment = spool->segment;
	uint64_t nr_chunks = (spool->retention ? measure_retention_nr(spool->retention)
					       : spool->chunks_written) +
			     atomic_load(&segment->header->nr_used);

	return spool->journal_written + nr_chunks * segment->layout.chunk_size;
}

static uint64_t tell_from(const struct measure_written_bytes *volume)
{
	uint64_t share = volume->most / TELL_SHARE;

	if (volume->most == 0 || share > TELL_MOST)
		return TELL_MOST;
	return larger(share, TELL_LEAST);
}

/* One process of the job says it, once. */
static bool is_ours_to_say(struct measure_written_bytes *volume, const char *name)
{
	int fd;

	if (volume->is_said)
		return false;
	volume->is_said = true;
	fd = openat(volume->parts_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* -------------------------------------------------------------------------- bound --- */

static void stop(struct measure_written_bytes *volume, struct measure_segment_header *header)
{
	atomic_store(&header->is_over, 1);
	atomic_store(&volume->is_reached, true);
	if (is_ours_to_say(volume, MEASURE_STOP_SAID_NAME))
		measure_cli_say("%s: --max-size reached: recording stopped, the program continues: "
				"filter functions (--overhead, --filter) or increase --max-size",
			volume->run_directory);
}

/* Those of other processes may have as much that is not told yet as we. */
static void check_bound(
	struct measure_written_bytes *volume, const struct measure_spool *spool, uint64_t bytes)
{
	uint64_t others = larger(volume->settings->local_size, 1) - 1;

	if (volume->most == 0 || atomic_load(&volume->is_reached))
		return;
	if (bytes + others * tell_from(volume) >= volume->most - volume->most / RESERVE)
		stop(volume, spool->segment->header);
}

/* --------------------------------------------------------------------------- rate --- */

static double free_bytes(int fd)
{
	struct statvfs disk;

	return fstatvfs(fd, &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize : 0;
}

static void say_fast(struct measure_written_bytes *volume, double rate, double filled)
{
	const char *option = volume->settings->overhead;
	bool is_off = option[0] == 'o';

	if (is_ours_to_say(volume, MEASURE_RATE_SAID_NAME))
		measure_cli_say("%s: events take %.0f MB per second, %.0f GB in ten minutes: "
				"filter functions (%s) or set --max-size=SIZE",
			volume->run_directory, rate / 1e6, filled / 1e9,
			is_off ? "--overhead=20, --filter" : "a smaller --overhead, --filter");
}

static void check_rate(struct measure_written_bytes *volume, int64_t now, uint64_t bytes)
{
	uint32_t number = volume->nr_looks++;
	const struct measure_written_bytes_look *before;
	double rate, filled, disk;

	volume->looks[number % MEASURE_VOLUME_LOOKS] =
		(struct measure_written_bytes_look){now, bytes};
	if (number + 1 < MEASURE_VOLUME_LOOKS)
		return;
	before = &volume->looks[(number + 1) % MEASURE_VOLUME_LOOKS];
	rate = (double)(bytes - before->bytes) * 1e3 / (double)(now - before->ms);
	filled = rate * FAST_S;
	if (filled < FAST_BYTES / 100) /* not worth to ask how much there is */
		return;
	disk = free_bytes(volume->parts_fd);
	if ((double)bytes + filled > FAST_BYTES || filled > disk / 2)
		say_fast(volume, rate, filled);
}

void measure_written_bytes_look(struct measure_written_bytes *volume,
	const struct measure_spool *spool, struct measure_node_sharing *sharing)
{
	uint64_t own = bytes_of(spool), bytes;
	int64_t now = measure_now_ms();

	if (sharing->is_open && own - volume->told >= tell_from(volume) && own > volume->told) {
		measure_node_sharing_tell_written(sharing, own - volume->told);
		volume->told = own;
	}
	bytes = own + sharing->written;
	check_bound(volume, spool, bytes);
	if (volume->most == 0 && !volume->is_said && !spool->retention && now >= volume->next) {
		volume->next = now + LOOK_MS;
		check_rate(volume, now, bytes);
	}
}
