/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the run directory of a job that never ran, of any number of ranks, as keepers leave it
 * when the last process has ended: what measure-repair assembles.
 *
 *	make_parts --ranks 4000 --events 100 DIR && measure-repair DIR
 *	make_parts --ranks 1000 --communicators 50 --shape duplicates DIR
 *	make_parts --ranks 100000 --measured run1/.parts/HOST-PID-START DIR
 *	make_parts --ranks 100000 --archive DIR && measure-check DIR
 *
 * Clocks differ from node to node, and each node has measured its offset. The archive is sound. The
 * same options give the same bytes. For tests and benchmarks of large jobs. */
#include "config.h"

#include "make_parts.h"

#include <fcntl.h>
#include <getopt.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/OTF2_Definitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapter.h"
#include "assemble/part/journal_file.h"
#include "base/file.h"
#include "format/run_layout.h"

static const char usage[] =
	"Usage: make_parts [OPTION]... DIR\n"
	"Make a run directory DIR of a job that never ran; measure-repair assembles it.\n"
	"\n"
	"  --ranks P           processes, of one thread each [100]\n"
	"  --events N          events of each, about [100]\n"
	"  --communicators K   besides MPI_COMM_WORLD [0]\n"
	"  --shape SHAPE       their members: blocks (of adjacent ranks), cyclic (every\n"
	"                      K-th rank), duplicates (all ranks), shuffled (all ranks, in\n"
	"                      another order) [blocks]\n"
	"  --functions F       that the program has [20]\n"
	"  --ranks-per-node R  [64]\n"
	"  --chunk BYTES       size of event chunks [262144]\n"
	"  --killed N          so many ranks lost their keepers: their parts are unfinished\n"
	"                      and have no ends [0]\n"
	"  --measured PART     also give each rank the definitions in the journal of PART, a\n"
	"                      folder in the .parts of a run that was interrupted\n"
	"  --archive           make the archive itself, with communicators that are blocks\n"
	"  --help\n";

static const char *const shapes[NR_SHAPES] = {"blocks", "cyclic", "duplicates", "shuffled"};

#define PROGRAM "/usr/bin/simulated"

/* As lib/runtime/definitions/comm.c has it: not all members of a large communicator list them. */
#define MANY_MEMBERS 4096
#define NR_TELLING   16

void fail(const char *what, const char *name)
{
	fprintf(stderr, "make_parts: %s%s\n", what, name);
	exit(2);
}

/* ------------------------------------------------------------------ communicators --- */

static uint32_t block_begin(const struct job *job, uint32_t comm)
{
	return (uint32_t)((uint64_t)job->nr_ranks * comm / job->nr_comms);
}

/* Steps of a third of the ranks come to each of them once, where the two have no common factor. */
static uint32_t stride_of(uint32_t nr_ranks)
{
	uint32_t stride = nr_ranks / 3 | 1;

	for (;; stride += 2) {
		uint32_t a = stride, b = nr_ranks;

		while (b) {
			const uint32_t rest = a % b;

			a = b;
			b = rest;
		}
		if (a == 1)
			return stride;
	}
}

uint32_t job_comm_size(const struct job *job, uint32_t comm)
{
	switch (job->shape) {
	case SHAPE_BLOCKS:
		return block_begin(job, comm + 1) - block_begin(job, comm);
	case SHAPE_CYCLIC:
		return (job->nr_ranks + job->nr_comms - 1 - comm) / job->nr_comms;
	default:
		return job->nr_ranks;
	}
}

uint32_t job_comm_member(const struct job *job, uint32_t comm, uint32_t as)
{
	switch (job->shape) {
	case SHAPE_BLOCKS:
		return block_begin(job, comm) + as;
	case SHAPE_CYCLIC:
		return comm + as * job->nr_comms;
	case SHAPE_SHUFFLED:
		return (uint32_t)(((uint64_t)as * stride_of(job->nr_ranks) + comm) % job->nr_ranks);
	default:
		return as;
	}
}

bool job_is_member(const struct job *job, uint32_t comm, uint32_t rank)
{
	switch (job->shape) {
	case SHAPE_BLOCKS:
		return rank >= block_begin(job, comm) && rank < block_begin(job, comm + 1);
	case SHAPE_CYCLIC:
		return rank % job->nr_comms == comm;
	default:
		return true;
	}
}

/* ------------------------------------------------------------------------ journals --- */

static void add_process(const struct job *job, struct measure_frames *frames, uint32_t rank)
{
	char host[32], node[80];

	snprintf(host, sizeof(host), "node%06u", rank / job->ranks_per_node);
	snprintf(node, sizeof(node), "00000000-0000-0000-0000-000000000000 %s", host);
	const struct measure_def_process process = {.host = host,
		.node = node,
		.pid = 1000 + rank,
		.start_time = 1000,
		.program = PROGRAM,
		.arguments = PROGRAM,
		.clock_domain = 1 + rank / job->ranks_per_node,
		.clock = "simulated",
		.clock_frequency = TICKS_PER_SECOND,
		.clock_is_exact = 1,
		.begin_ticks = job_clock(job, rank, 1000000),
		.creator = ""};
	const struct measure_def_launch launch = {
		"simulated", rank, job->nr_ranks, rank % job->ranks_per_node, job->ranks_per_node};
	const struct measure_def_world world = {rank, job->nr_ranks, 1, 2};
	const struct measure_def_location location = {0, "", 1 + rank % job->ranks_per_node, ""};

	MEASURE_FRAMES_ADD(frames, process, &process);
	MEASURE_FRAMES_ADD(frames, launch, &launch);
	MEASURE_FRAMES_ADD(frames, world, &world);
	MEASURE_FRAMES_ADD(frames, location, &location);
}

static void add_regions(const struct job *job, struct measure_frames *frames)
{
	static const struct measure_def_region regions[] = {
#define REGION(NAME, name, role, paradigm)                                                         \
	{REGION_##NAME, name, name, "", 0, 0, OTF2_REGION_ROLE_##role, OTF2_PARADIGM_##paradigm, 0},
#include "make_parts_regions.def"
#undef REGION
	};
	char name[32];

	for (uint32_t i = 0; i < NR_REGIONS; i++)
		MEASURE_FRAMES_ADD(frames, region, &regions[i]);
	for (uint32_t i = 0; i < job->nr_functions; i++) {
		snprintf(name, sizeof(name), "function_%u", i);
		const struct measure_def_region region = {NR_REGIONS + i, name, name, "simulated.c",
			10 * i + 1, 10 * i + 9, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER,
			0};
		MEASURE_FRAMES_ADD(frames, region, &region);
	}
}

static void add_world_comms(struct measure_frames *frames, uint32_t rank)
{
	const struct measure_def_comm world = {.id = 0,
		.kind = MEASURE_COMM_WORLD,
		.name = "MPI_COMM_WORLD",
		.key_high = 1,
		.key_low = 2,
		.parent = UINT32_MAX,
		.paradigm = OTF2_PARADIGM_MPI};
	const struct measure_def_comm self = {.id = 1,
		.kind = MEASURE_COMM_SELF,
		.name = "MPI_COMM_SELF",
		.key_high = 3,
		.key_low = rank,
		.parent = UINT32_MAX,
		.paradigm = OTF2_PARADIGM_MPI};

	MEASURE_FRAMES_ADD(frames, comm, &world);
	MEASURE_FRAMES_ADD(frames, comm, &self);
}

static bool is_of_all(const struct job *job)
{
	return job->shape == SHAPE_DUPLICATES || job->shape == SHAPE_SHUFFLED;
}

static void add_comm(const struct job *job, struct measure_frames *frames, uint32_t number,
	uint32_t id, bool is_teller)
{
	const uint32_t nr = job_comm_size(job, number);
	uint32_t *members = malloc((nr + 1) * sizeof(*members));

	if (!members)
		fail("out of memory", "");
	for (uint32_t i = 0; i < nr; i++)
		members[i] = job_comm_member(job, number, i);
	const bool tells =
		is_teller || nr <= MANY_MEMBERS || measure_count_runs(nr, members) < MANY_MEMBERS;
	const struct measure_def_comm comm = {.id = id,
		.kind = MEASURE_COMM_GROUP,
		.name = "",
		.key_high = 4,
		.key_low = number,
		.parent = 0,
		.paradigm = OTF2_PARADIGM_MPI,
		.members = {tells ? nr : 0, members}};
	MEASURE_FRAMES_ADD(frames, comm, &comm);
	free(members);
}

/* All ranks tell the same of communicators of all, but that some do not list the members: made
 * once for each of the two. */
static void add_comms_of_all(const struct job *job, struct measure_frames *frames, bool is_teller)
{
	static struct measure_frames made[2];
	struct measure_frames *of_kind = &made[is_teller];

	if (of_kind->bytes.nr == 0)
		for (uint32_t i = 0; i < job->nr_comms; i++)
			add_comm(job, of_kind, i, FIRST_COMM + i, is_teller);
	memcpy(measure_frames_place(frames, of_kind->bytes.nr), of_kind->bytes.items,
		of_kind->bytes.nr);
}

static void add_comms(const struct job *job, struct measure_frames *frames, uint32_t rank)
{
	const uint32_t distance = job->nr_ranks / NR_TELLING;
	uint32_t id = FIRST_COMM;

	if (job->nr_comms == 0)
		return;
	if (is_of_all(job)) {
		add_comms_of_all(job, frames, distance == 0 || rank % distance == 0);
		return;
	}
	for (uint32_t i = 0; i < job->nr_comms; i++)
		if (job_is_member(job, i, rank))
			add_comm(job, frames, i, id++, true);
}

/* Against rank 0's node: at both ends, by the first process of each other node. */
static void add_clock_samples(
	const struct job *job, struct measure_frames *frames, uint32_t rank, uint64_t end)
{
	const uint64_t shift = job_clock(job, rank, 0);

	if (rank == 0 || rank % job->ranks_per_node != 0)
		return;
	const struct measure_def_clock_sample first = {shift + 1000000, -(int64_t)shift, 500};
	const struct measure_def_clock_sample last = {end, -(int64_t)shift, 500};
	MEASURE_FRAMES_ADD(frames, clock_sample, &first);
	MEASURE_FRAMES_ADD(frames, clock_sample, &last);
}

static bool is_own_fact(uint32_t kind)
{
	return kind == MEASURE_RECORD_PROCESS || kind == MEASURE_RECORD_LAUNCH ||
	       kind == MEASURE_RECORD_WORLD || kind == MEASURE_RECORD_LOCATION ||
	       kind == MEASURE_RECORD_COMM || kind == MEASURE_RECORD_COMM_NAME ||
	       kind == MEASURE_RECORD_CART || kind == MEASURE_RECORD_WINDOW ||
	       kind == MEASURE_RECORD_CLOCK_SAMPLE || kind == MEASURE_RECORD_UNBALANCED;
}

/* Regions get other ids, behind those that the events name. */
static void add_measured_region(struct measure_frames *frames, const struct job *job, uint32_t kind,
	struct measure_decoder *payload)
{
	const uint32_t first = NR_REGIONS + job->nr_functions;
	struct measure_def_code_region code;
	struct measure_def_region named;

	if (kind == MEASURE_RECORD_REGION && measure_def_region_decode(payload, &named) == 0) {
		named.id += first;
		MEASURE_FRAMES_ADD(frames, region, &named);
	}
	if (kind == MEASURE_RECORD_CODE_REGION &&
		measure_def_code_region_decode(payload, &code) == 0) {
		code.id += first;
		MEASURE_FRAMES_ADD(frames, code_region, &code);
	}
}

static void add_measured(
	const struct job *job, struct measure_frames *frames, const uint8_t *data, size_t size)
{
	struct measure_journal_reader reader = {data, size, 0};
	struct measure_decoder payload;
	size_t begin = 0;
	uint32_t kind;

	for (; measure_journal_next(&reader, &kind, &payload) == 0; begin = reader.position) {
		if (kind == MEASURE_RECORD_REGION || kind == MEASURE_RECORD_CODE_REGION)
			add_measured_region(frames, job, kind, &payload);
		else if (!is_own_fact(kind))
			memcpy(measure_frames_place(frames, reader.position - begin), data + begin,
				reader.position - begin);
	}
}

static void add_keeper(
	const struct job *job, struct measure_frames *frames, uint32_t rank, uint64_t end)
{
	char host[32];

	snprintf(host, sizeof(host), "node%06u", rank / job->ranks_per_node);
	const struct measure_def_keeper keeper = {host, 1000000 + rank, 1000, job->chunk_size, 0};
	const uint64_t times[] = {job_clock(job, rank, 1000000), end};

	MEASURE_FRAMES_ADD(frames, keeper, &keeper);
	for (int i = 0; i < 2; i++) {
		const struct measure_def_clock_triple triple = {times[i], 100, (int64_t)times[i],
			INT64_C(1700000000000000000) + (int64_t)times[i] -
				(int64_t)job_clock(job, rank, 0)};
		MEASURE_FRAMES_ADD(frames, clock_triple, &triple);
	}
	if (rank >= job->nr_ranks - job->nr_killed)
		return;
	const struct measure_def_end exited = {.ticks = end,
		.how = MEASURE_END_EXITED,
		.reason = "",
		.processor_time = 1000000,
		.keeper_time = 1000};
	MEASURE_FRAMES_ADD(frames, end, &exited);
}

/* --------------------------------------------------------------------------- parts --- */

static int make_part(const struct job *job, uint32_t rank)
{
	const bool is_killed = rank >= job->nr_ranks - job->nr_killed;
	char name[64];

	snprintf(name, sizeof(name), "node%06u-%u-1000%s", rank / job->ranks_per_node, 1000 + rank,
		is_killed ? "" : ".done");
	if (mkdirat(job->parts_fd, name, 0777) != 0)
		fail("cannot create part ", name);
	return measure_file_open_directory(job->parts_fd, name);
}

static void store(int part_fd, const char *name, const void *bytes, size_t size)
{
	if (measure_file_store(part_fd, name, bytes, size) != MEASURE_OK)
		fail("cannot write ", name);
}

static void store_frames(int part_fd, const char *name, struct measure_frames *frames)
{
	if (frames->status != MEASURE_OK)
		fail("out of memory", "");
	store(part_fd, name, frames->bytes.items, frames->bytes.nr);
	frames->bytes.nr = 0;
}

/* Whose keeper has not written for so long is not taken for alive. */
static void make_old(int part_fd)
{
	const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};

	if (utimensat(part_fd, MEASURE_JOURNAL_OF_KEEPER, times, 0) != 0)
		fail("cannot write ", MEASURE_JOURNAL_OF_KEEPER);
}

static void make_rank(const struct job *job, uint32_t rank, struct event_file *events,
	struct measure_frames *frames, const uint8_t *measured, size_t measured_size)
{
	const int part_fd = make_part(job, rank);
	char owner[64];

	make_events(job, rank, rank >= job->nr_ranks - job->nr_killed, events);
	const uint64_t end = events->last_time + 1000;
	add_process(job, frames, rank);
	add_regions(job, frames);
	add_world_comms(frames, rank);
	add_comms(job, frames, rank);
	add_clock_samples(job, frames, rank, end);
	if (measured)
		add_measured(job, frames, measured, measured_size);
	store_frames(part_fd, MEASURE_JOURNAL_OF_PROCESS, frames);
	add_keeper(job, frames, rank, end);
	store_frames(part_fd, MEASURE_JOURNAL_OF_KEEPER, frames);
	make_old(part_fd);
	store(part_fd, "0" MEASURE_EVENTS_SUFFIX, events->bytes, events->size);
	snprintf(owner, sizeof(owner), "%u 1000 node%06u\n", 1000000 + rank,
		rank / job->ranks_per_node);
	store(part_fd, MEASURE_OWNER_NAME, owner, strlen(owner));
	close(part_fd);
}

static void load_measured(const struct job *job, uint8_t **data, size_t *size)
{
	const int fd = open(job->measured, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || measure_file_load(fd, MEASURE_JOURNAL_OF_PROCESS, MEASURE_JOURNAL_MOST, data,
			      size) != MEASURE_OK)
		fail("no part: ", job->measured);
	close(fd);
}

static void make_job(struct job *job)
{
	struct measure_frames frames = {.status = MEASURE_OK};
	struct event_file events = {.bytes = NULL};
	uint8_t *measured = NULL;
	size_t size = 0;
	int fd;

	if (job->measured)
		load_measured(job, &measured, &size);
	if (mkdir(job->directory, 0777) != 0)
		fail("cannot create ", job->directory);
	fd = open(job->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	store(fd, MEASURE_CONFIGURATION_NAME, "", 0);
	mkdirat(fd, MEASURE_PARTS_NAME, 0777);
	job->parts_fd = measure_file_open_directory(fd, MEASURE_PARTS_NAME);
	close(fd);
	for (uint32_t i = 0; i < job->nr_ranks; i++)
		make_rank(job, i, &events, &frames, measured, size);
	free(events.bytes);
	free(frames.bytes.items);
	free(measured);
	close(job->parts_fd);
}

/* ------------------------------------------------------------------------- options --- */

static uint32_t number_of(const char *text)
{
	char *end;
	const unsigned long value = strtoul(text, &end, 10);

	if (*end || end == text || value > INT32_MAX)
		fail("not a number: ", text);
	return (uint32_t)value;
}

static enum shape shape_of(const char *text)
{
	for (uint32_t i = 0; i < NR_SHAPES; i++)
		if (strcmp(shapes[i], text) == 0)
			return (enum shape)i;
	fail("no such shape: ", text);
}

static void set_option(struct job *job, int option, const char *value)
{
	switch (option) {
	case 'P':
		job->nr_ranks = number_of(value);
		break;
	case 'N':
		job->nr_events = number_of(value);
		break;
	case 'K':
		job->nr_comms = number_of(value);
		break;
	case 's':
		job->shape = shape_of(value);
		break;
	case 'F':
		job->nr_functions = number_of(value);
		break;
	case 'R':
		job->ranks_per_node = number_of(value);
		break;
	case 'c':
		job->chunk_size = number_of(value);
		break;
	case 'k':
		job->nr_killed = number_of(value);
		break;
	case 'm':
		job->measured = value;
		break;
	case 'a':
		job->is_archive = true;
		break;
	case 'h':
		fputs(usage, stdout);
		exit(0);
	default:
		fail("wrong option: see --help", "");
	}
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"ranks", 1, NULL, 'P'}, {"events", 1, NULL, 'N'},
		{"communicators", 1, NULL, 'K'}, {"shape", 1, NULL, 's'},
		{"functions", 1, NULL, 'F'}, {"ranks-per-node", 1, NULL, 'R'},
		{"chunk", 1, NULL, 'c'}, {"killed", 1, NULL, 'k'}, {"measured", 1, NULL, 'm'},
		{"archive", 0, NULL, 'a'},
		{"help", 0, NULL, 'h'}, {NULL, 0, NULL, 0}};
	struct job job = {.nr_ranks = 100,
		.nr_events = 100,
		.nr_functions = 20,
		.ranks_per_node = 64,
		.chunk_size = 256 * 1024};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		set_option(&job, option, optarg);
	if (optind + 1 != argc)
		fail("name one directory: see --help", "");
	job.directory = argv[optind];
	if (job.nr_ranks == 0 || job.ranks_per_node == 0 || job.nr_killed > job.nr_ranks ||
		((job.shape == SHAPE_BLOCKS || job.shape == SHAPE_CYCLIC) &&
			job.nr_comms > job.nr_ranks))
		fail("that many cannot be: see --help", "");
	if (job.is_archive)
		make_archive(&job);
	else
		make_job(&job);
	return 0;
}
