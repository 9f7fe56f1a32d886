/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory that a recording process shares with its keeper, and that therefore outlives
 * it: one memfd, mapped by both, laid out as below. The keeper makes it, the process fills
 * it, the keeper spools it to files. Sparse: pages exist only once touched.
 *
 *	layout and configuration text | header | locations | timings | releases | chunk states |
 *	stack blocks | journal | chunks | filter_area.h, where there is a filter
 *
 * Everything here is position independent: offsets and indices, no pointers. */
#ifndef MEASURE_FORMAT_SEGMENT_H
#define MEASURE_FORMAT_SEGMENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/pending.h"
#include "base/page.h"
#include "self_timings.h"
#include "status.h"

#define MEASURE_SEGMENT_MAGIC	UINT64_C(0x313053414d474553) /* "SEGMAS01" */
#define MEASURE_SEGMENT_VERSION 19

#define MEASURE_SEGMENT_CONFIG_SIZE 16384

/* Who the process is in its own words; set once, in this order. */
enum measure_segment_state {
	MEASURE_SEGMENT_CREATED = 0,   /* nobody has come yet */
	MEASURE_SEGMENT_CLAIMED = 1,   /* the process has mapped it */
	MEASURE_SEGMENT_RECORDING = 2, /* location 0 exists */
	MEASURE_SEGMENT_STOPPED = 3    /* recording ended early, see stop_reason */
};

#define MEASURE_OFFERS 1024

#define MEASURE_EXIT_SAID UINT32_C(0x100)

/* Reasons for which events were not recorded, or records were made up or changed. */
enum measure_count {
	MEASURE_COUNT_LOST_NESTED,       /* event inside a transaction, not recorded beside it */
	MEASURE_COUNT_LOST_MEMORY,       /* no chunk to be had */
	MEASURE_COUNT_LOST_LOCATIONS,    /* more threads than locations */
	MEASURE_COUNT_LOST_AFTER_STOP,   /* after recording was stopped */
	MEASURE_COUNT_LEAVE_DROPPED,     /* Leave of a region that was not open */
	MEASURE_COUNT_LEAVE_SYNTHESISED, /* Leave made up for a region left unseen */
	MEASURE_COUNT_TIME_CLAMPED,      /* clock stepped back on a location */
	MEASURE_COUNT_STALLS,            /* recording waited for the spooler */
	MEASURE_COUNT_STALL_TICKS,       /* ... for so many ticks of the clock in all */
	MEASURE_COUNT_LOST_SPOOL,        /* committed, but could not be written to the disk */
	MEASURE_COUNT_ABANDONED,         /* a location, in the middle of a record */
	MEASURE_COUNT_LOST_AFTER_END,    /* after the end of their thread */
	MEASURE_COUNT_DROP_INTERVALS,    /* times a location had no memory for its events */
	MEASURE_COUNT_DROP_TICKS,        /* ... for so many ticks in all */
	MEASURE_COUNT_RESTATED,          /* Enter or Leave inserted at the end of a drop interval */
	MEASURE_COUNT_FORKS,             /* children forked */
	MEASURE_COUNT_PATCHED,           /* hook calls taken out of the program's code */
	MEASURE_COUNT_LOST_MARKERS,      /* more than MEASURE_MOST_MARKERS */
	MEASURE_COUNT_SWITCHED_OFF,      /* events while the program had recording off */
	MEASURE_COUNT_UNFOLLOWED,        /* children, or what they became, that got no segment */
	MEASURE_COUNT_SAMPLES,           /* taken, of call stacks */
	MEASURE_COUNT_SAMPLES_BUSY,      /* not taken: in a transaction */
	MEASURE_COUNT_SAMPLES_IDLE,      /* ... records were put off */
	MEASURE_COUNT_SAMPLES_HOMELESS,  /* ... the thread has no location */
	MEASURE_COUNT_SAMPLES_UNDEFINED, /* ... the call stack could not be defined */
	MEASURE_COUNT_SAMPLES_MISSED,    /* ... the signal came late */
	MEASURE_COUNT_SAMPLES_REFUSED,   /* threads without a timer */
	MEASURE_COUNT_KEEPERS,           /* keepers that died, and were replaced; by the keeper */
	MEASURE_COUNT_OVERWRITTEN,       /* things of this memory that were found damaged; by it */
	MEASURE_COUNT_UNMETERED, /* times counters could not be read for an Enter or Leave */
	MEASURE_COUNT_UNSAMPLED, /* samples that could not be written; by the keeper */
	MEASURE_COUNT_UNPLUGGED, /* metric plug-ins that did not start, or did not come back */
	MEASURE_COUNTS
};

/* What is where, and by which rules: written by who makes it, and never again. Counts decide on
 * offsets. No padding: it is compared as a whole. */
struct measure_segment_layout {
	uint64_t magic;
	uint32_t version;
	uint32_t header_size; /* sizeof(struct measure_segment_header) */
	uint64_t size;	      /* of the whole segment, bytes */

	uint64_t locations_offset;
	uint64_t timings_offset;
	uint64_t releases_offset;
	uint64_t chunk_states_offset;
	uint64_t stacks_offset;
	uint64_t journal_offset;
	uint64_t chunks_offset;
	uint64_t filter_offset; /* 0: there is none */
	uint64_t journal_size;
	uint64_t filter_text_size; /* 0: there is no filter */
	uint32_t max_locations;
	uint32_t nr_chunks;
	uint32_t chunk_size; /* bytes, OTF2's event chunk size */
	uint32_t nr_stack_blocks;
	uint32_t nr_releases;
	uint32_t is_kept; /* chunks are written at the end only: no use to wait for a free one */
	uint32_t nr_bounded_chunks; /* nr_chunks but for those that come with locations */
	uint32_t full_policy; /* enum measure_full_policy */
	uint32_t patience;    /* seconds; of MEASURE_FULL_WAIT */
	uint32_t reserved;
};
_Static_assert(sizeof(struct measure_segment_layout) == 24 + 10 * 8 + 10 * 4, "no padding");

/* Unsuccessful polls of a region that were left out, on all threads: see
 * lib/runtime/select/throttle.h. */
struct measure_segment_poll {
	_Atomic uint32_t region; /* its id + 1; 0: not used yet */
	uint32_t reserved;
	_Atomic uint64_t calls;
	_Atomic uint64_t ticks; /* that they took */
};
#define MEASURE_POLLS 16 /* regions; all polls of others are recorded */

#define MEASURE_COUNTED_COMMS     1024
#define MEASURE_BEGUN_COLLECTIVES 64
#define MEASURE_COUNT_DOUBTFUL    (UINT32_C(1) << 31)

/* The last ones are compared with those of other ranks: see lib/analysis/rollcall. */
struct measure_segment_collective {
	uint32_t comm;      /* local id */
	uint32_t number;    /* on it, from 1 */
	uint32_t root;      /* as in a record */
	uint32_t operation; /* OTF2_CollectiveOp */
};

/* The process cannot write to the first pages. All behind them it may damage as it may all of its
 * memory: whoever else reads that believes nothing of it. */
struct measure_segment_header {
	struct measure_segment_layout layout;
	char config[MEASURE_SEGMENT_CONFIG_SIZE]; /* "name = value\n"..., NUL-terminated */

	/* Written by the process. */
	_Alignas(MEASURE_LARGEST_PAGE) _Atomic uint32_t state; /* enum measure_segment_state */
	_Atomic uint32_t stop_reason; /* measure_status_t; OFF: the clock is forbidden */
	_Atomic uint32_t is_over; /* MEASURE_FULL_STOP: nobody gets a chunk any more */
	_Atomic int32_t pid;	      /* of the process that claimed it */
	_Atomic uint32_t exit_said;   /* it is about to exit: status | MEASURE_EXIT_SAID */
	_Atomic uint64_t exit_time;   /* processor time that it has used then, ns */
	_Atomic uint32_t nr_expected; /* children that come to our keeper, or have */
	_Atomic uint32_t nr_images;   /* of those, programs that were started in them */
	_Atomic uint32_t nr_locations;
	_Atomic uint32_t nr_stack_blocks_used; /* behind the bottom blocks */
	_Atomic uint32_t nr_releases_used;
	_Atomic uint64_t journal_committed; /* bytes of whole records; release */
	_Atomic uint64_t counts[MEASURE_COUNTS];

	/* Wake-ups between the process and the spooler: futex words that only count up. */
	_Atomic uint32_t full_events;	/* a chunk became FULL (or: look at me) */
	_Atomic uint32_t wanted; /* few free chunks have memory: allocate some */
	_Atomic uint32_t populator_sleeps; /* ... and is to be woken by `wanted` */
	_Atomic uint32_t has_homes; /* the chunks' homes are kept; by the keeper */
	_Atomic uint64_t wanted_homes; /* bits: homes of those who counted `wanted` up */
	_Atomic uint32_t freed_events;	/* a chunk became FREE again */
	_Atomic uint32_t snapshots_wanted; /* times that somebody asked for an archive of now */
	_Atomic uint32_t phases_ended; /* all that is FULL is to be written now */
	_Atomic uint32_t phases_written; /* phases_ended when all was, as far as wanted */
	_Atomic uint32_t wake_from; /* so many chunks in use: wake the spooler; 0: it is awake */
	_Atomic uint32_t nr_waiting;	/* threads that wait on freed_events */
	_Atomic uint32_t nr_used;	/* chunks that hold events just now */
	_Atomic uint32_t peak_used;	/* ... at most */
	_Atomic uint32_t freed_in_need; /* chunks that became FREE while threads waited */
	_Atomic int32_t keeper_pid;
	_Atomic int32_t guard_pid; /* who starts another keeper where this one dies; 0: nobody */
	_Atomic uint32_t keeper_stopped; /* the spooler cannot write any more: status */

	/* Regions of functions that other processes of the job have switched off, by the keeper.
	 * Release; pairs with the acquire in lib/runtime/select/throttle.c. */
	_Atomic uint32_t nr_offers;
	_Atomic uint32_t offers[MEASURE_OFFERS];

	struct measure_segment_poll polls[MEASURE_POLLS];

	/* Collectives that were begun on each communicator, by local id: so many | DOUBTFUL once
	 * MPI has refused one; and the last of all, in a ring. */
	_Atomic uint32_t collectives[MEASURE_COUNTED_COMMS];
	_Atomic uint32_t nr_begun; /* on all of them */
	struct measure_segment_collective begun[MEASURE_BEGUN_COLLECTIVES];
};

/* What the thread of a location is about to wait for. Holds while the region that was entered last
 * then is the innermost one: nobody takes it back. */
struct measure_segment_pending {
	_Atomic uint32_t sequence; /* odd: it is being written */
	uint32_t depth;            /* open regions */
	uint64_t time;             /* of the Enter of the last of them, ticks */
	uint32_t nr_items;         /* that it waits for; what does not fit is not there */
	uint32_t is_any;           /* for one of them, not for all */
	uint64_t reserved;
	struct measure_pending_item items[MEASURE_PENDING_ITEMS];
};
_Static_assert(sizeof(struct measure_segment_pending) == 128, "two cache lines");

#define MEASURE_HELD_LOCKS 8

/* Five cache lines per location, of which events write to the first two; written by its own thread,
 * read by the keeper.
 *
 * `committed` says in one word how many events are whole and how many regions are open after
 * the last of them, so that whoever reads it at any moment gets a pair that belongs together:
 * events << MEASURE_DEPTH_BITS | depth. One release store per event; pairs with the acquire
 * load of the keeper. A chunk is FULL only when all its events are committed. */
#define MEASURE_DEPTH_BITS 20
#define MEASURE_DEPTH_MAX  ((UINT32_C(1) << MEASURE_DEPTH_BITS) - 1)
struct measure_segment_location {
	_Atomic uint64_t committed;
	_Atomic uint32_t stack_block; /* bottom block of the region stack */
	_Atomic uint32_t nr_chunks;   /* chunks begun so far = sequence of the next one */
	_Atomic uint32_t ended;	      /* its thread is gone: what is open ended with the last event */
	int32_t tid;

	/* Its last ThreadBegin and ThreadEnd, as numbers of events; 0: none. Written before the
	 * event is committed, so that only those count which are not above `committed`. */
	_Atomic uint64_t thread_begin;
	_Atomic uint64_t thread_end;
	uint64_t thread_sequence;
	uint32_t thread_contingent;
	_Atomic uint32_t drop_is_wanted; /* 1: by the program; its chunk continues after it */
	uint64_t thread_handle;          /* by which others join it; 0: none */

	/* Second line. Its thread waits to be needed again: see measure_location_rest(). Holds
	 * while nothing but Leaves follows. */
	_Atomic uint64_t resting; /* `committed` when it came there; 0: never */
	uint32_t rest_release;	  /* which of the releases it waits for */
	uint32_t rest_team;

	/* Its events are not kept since then, and how many these are: see
	 * lib/runtime/event/drop_interval.h. While it is not 0, the depth in `committed` is not
	 * that of what was kept. */
	_Atomic uint64_t drop_since; /* ticks; 0: they are recorded */
	_Atomic uint64_t drop_lost;

	/* How long its thread was held up for chunks: processor time, with the page faults and
	 * system calls of it, and by the clock. Read when the process is gone. */
	uint64_t held_cpu;         /* ns, in all */
	uint64_t held_longest_cpu; /* ns */
	uint64_t held_longest;     /* ticks */

	/* Counts up before `committed` goes back, by one Enter: see
	 * lib/runtime/select/call_filter.c. Whoever looks at bytes meanwhile looks at it before and
	 * after. */
	_Atomic uint32_t nr_taken_back;
	uint32_t nr_held; /* times: exchanges, and pieces that it populated itself */

	struct measure_segment_pending pending;
	/* Locks that the thread has, paradigm << 32 | id + 1; 0: none. Of more only the first are
	 * here. */
	_Atomic uint64_t locks[MEASURE_HELD_LOCKS];
};
_Static_assert(sizeof(struct measure_segment_location) == 320, "five cache lines");

static inline uint64_t measure_committed_events(uint64_t committed)
{
	return committed >> MEASURE_DEPTH_BITS;
}

static inline uint32_t measure_committed_depth(uint64_t committed)
{
	return (uint32_t)committed & MEASURE_DEPTH_MAX;
}

/* Is the thread that began last on a location still there after that many events? */
static inline bool measure_thread_is_open(const struct measure_segment_location *location,
	uint64_t nr_events)
{
	uint64_t begin = atomic_load_explicit(&location->thread_begin, memory_order_relaxed);
	uint64_t end = atomic_load_explicit(&location->thread_end, memory_order_relaxed);

	return begin != 0 && begin <= nr_events && (end < begin || end > nr_events);
}

/* What an event adds to the word. */
#define MEASURE_COMMIT_EVENT (UINT64_C(1) << MEASURE_DEPTH_BITS)
#define MEASURE_COMMIT_ENTER (MEASURE_COMMIT_EVENT + 1)
#define MEASURE_COMMIT_LEAVE (MEASURE_COMMIT_EVENT - 1)

/* Region stacks are chains of 4 KiB blocks; entry i of a location lies in the block reached by
 * i / MEASURE_STACK_ENTRIES steps along `next` from its bottom block. An entry is written
 * before the Enter that it belongs to is committed and stays until overwritten, so the lowest
 * `depth` entries are always valid: the keeper closes them when the process is gone. */
#define MEASURE_STACK_ENTRIES 254
#define MEASURE_FRAME_BITS    48 /* of an address */
struct measure_segment_frame {
	/* of the call: its stack address, and above it a mark of the place it returns to; 0:
	 * unknown */
	uint64_t frame;
	uint32_t region;
	uint32_t function; /* low half of the function's address, 0 if none */
};
struct measure_segment_stack {
	uint32_t previous; /* block below, or MEASURE_STACK_NONE */
	uint32_t next;	   /* block above once made, or MEASURE_STACK_NONE */
	uint64_t reserved;
	struct measure_segment_frame guard; /* under an empty stack: equals and exceeds nothing */
	struct measure_segment_frame entries[MEASURE_STACK_ENTRIES];
};
_Static_assert(sizeof(struct measure_segment_stack) == 4096, "one page");
#define MEASURE_STACK_NONE UINT32_MAX

enum measure_chunk_state {
	MEASURE_CHUNK_UNTOUCHED = 0, /* free, no memory behind it yet */
	MEASURE_CHUNK_FREE = 1,	     /* free, with memory behind it */
	MEASURE_CHUNK_CURRENT = 2,   /* a location writes to it */
	MEASURE_CHUNK_FULL = 3,	     /* final; to be written to the location's event file */
	MEASURE_CHUNK_SPOOLING = 4,  /* the spooler is at it */
	MEASURE_CHUNK_POPULATING = 5 /* free, but the keeper is just allocating its memory */
};

/* A location's current chunk is the CURRENT one with its index and sequence == nr_chunks - 1;
 * others that carry its index are leftovers of earlier use. */
#define MEASURE_CHUNK_NOBODY UINT32_MAX
struct measure_segment_chunk {
	_Atomic uint32_t state;	 /* release when it becomes FULL or FREE */
	_Atomic uint32_t location;
	_Atomic uint64_t sequence; /* 0, 1, ... of its location: its place in the file */
	_Atomic uint32_t home;     /* see format/numa_placement.h */
	_Atomic uint32_t is_mapped; /* the process has used it before: it takes no page faults */
};

/* Wherever a chunk size comes from, a file or an option, it is one of these. */
#define MEASURE_CHUNK_LEAST (UINT64_C(256) << 10)
#define MEASURE_CHUNK_MOST  (UINT64_C(16) << 20)

static inline bool measure_chunk_size_is_valid(uint64_t size)
{
	return size >= MEASURE_CHUNK_LEAST && size <= MEASURE_CHUNK_MOST && size % 4096 == 0;
}

struct measure_filter_area;
struct measure_filter_range;

/* A mapped segment, as either side sees it. Sizes and counts are of `layout`, which was found sound
 * when it was mapped; the one in memory may change. */
struct measure_segment {
	struct measure_segment_layout layout;
	struct measure_segment_header *header;
	struct measure_segment_location *locations;
	struct measure_timing_histograms *timings; /* by location */
	_Atomic uint64_t *releases; /* when each came last, ticks; 0: never */
	struct measure_segment_chunk *chunks;
	struct measure_segment_stack *stacks;
	uint8_t *journal;
	uint8_t *memory; /* chunk i at memory + i * chunk_size */
	struct measure_filter_area *filter; /* NULL: there is none */
	struct measure_filter_range *filter_ranges;
	_Atomic uint64_t *filter_counters;
};

/* How many chunks, from the first on, may be in use now: as many as the bound of event memory
 * allows, and one for each location but the first: it has one to itself, however little it
 * records. */
static inline uint32_t measure_segment_usable_chunks(const struct measure_segment *segment)
{
	uint32_t nr_locations =
		atomic_load_explicit(&segment->header->nr_locations, memory_order_relaxed);
	uint64_t usable =
		(uint64_t)segment->layout.nr_bounded_chunks + (nr_locations ? nr_locations - 1 : 0);

	return usable < segment->layout.nr_chunks ? (uint32_t)usable : segment->layout.nr_chunks;
}

struct measure_segment_size {
	uint64_t buffer_size; /* bound of event memory, bytes; rounded up to whole chunks */
	uint32_t chunk_size;
	uint32_t max_locations;
	uint64_t journal_size;
	uint32_t nr_spare_chunks; /* beyond the bound, at most one for each location */
	const char *filter_text;  /* for the filter's area; NULL: none */
	size_t filter_text_size;
	bool is_kept; /* the rest as in struct measure_segment_layout */
	uint32_t full_policy;
	uint32_t patience;
};

/* What is wrong with the layout of a segment in a file of this size, in words; NULL: nothing. To be
 * asked of a copy. */
const char *measure_segment_fault(const struct measure_segment_layout *layout, uint64_t file_size);

/* The memfd of a segment that is not there yet; close-on-exec. -1: none is to be had. */
int measure_segment_memory(void);

/* Keeper: makes the segment in it, whatever was there, and maps it. */
measure_status_t measure_segment_lay_out(
	int fd, const struct measure_segment_size *size, struct measure_segment *segment);

/* Keeper: it is made, and may be handed over. From now on the kernel keeps its size: who reads it
 * cannot be ended by who makes it shorter. */
void measure_segment_seal(int fd);
bool measure_segment_is_sealed(int fd);

/* All in one. */
measure_status_t measure_segment_create(const struct measure_segment_size *size, int *fd,
	struct measure_segment *segment);

/* Process: its keeper has died. */
bool measure_segment_is_orphan(const struct measure_segment_header *header);

/* Process: it has a keeper, or should soon have another one. */
bool measure_segment_is_cared_for(const struct measure_segment_header *header);

/* Links in /proc/PID/fd that lead to a segment begin so. */
#define MEASURE_SEGMENT_LINK "/memfd:" MEASURE_SEGMENT_NAME
#define MEASURE_SEGMENT_NAME "measure"

/* Process: maps a segment received from the keeper, the first pages to read only. The descriptor
 * may be closed afterwards. MEASURE_ERROR_FORMAT, as of all of these: it is not sealed, or
 * measure_segment_fault(). */
measure_status_t measure_segment_attach(int fd, struct measure_segment *segment);

/* The same in place of what measure_segment_vacate() has left, if it has room there. */
struct measure_segment_place {
	void *base;
	uint64_t size; /* 0: there is none yet */
};
measure_status_t measure_segment_attach_at(
	int fd, struct measure_segment_place *place, struct measure_segment *segment);

/* Process, which goes on: takes the segment out. A thread that was interrupted in an event before
 * may go on with it at any time, so the addresses stay, and what it writes there is lost. */
void measure_segment_vacate(
	const struct measure_segment *segment, struct measure_segment_place *place);

/* Keeper: maps one that another keeper has made, with that layout, whatever the process has made of
 * it since. */
measure_status_t measure_segment_take_over(
	int fd, const struct measure_segment_layout *layout, struct measure_segment *segment);

/* A third party: maps a segment to look at it only. The descriptor is read-only. */
measure_status_t measure_segment_view(int fd, struct measure_segment *segment);

/* The process has changed what it must not. */
bool measure_segment_is_changed(const struct measure_segment *segment);

/* Asks the keeper for an archive of now. Never waits. */
void measure_segment_want_snapshot(struct measure_segment_header *header);

/* Keeper: something was found overwritten; counted in the segment, for the next keeper too. */
void measure_segment_note_damage(const struct measure_segment *segment);

/* Goes from a block of a region stack to the one above it. False: there is none; where blocks are
 * overwritten, they are not followed in circles. */
static inline bool measure_segment_stack_above(
	const struct measure_segment *segment, uint32_t *block)
{
	uint32_t below = *block, nr = segment->layout.nr_stack_blocks;

	if (below >= nr)
		return false;
	*block = *(const volatile uint32_t *)&segment->stacks[below].next;
	return *block < nr && segment->stacks[*block].previous == below;
}

/* Frame i of a region stack, for who asks for one after another, from 0 on: `block` is the bottom
 * block at first. NULL: it is overwritten. */
static inline const struct measure_segment_frame *measure_segment_stack_frame(
	const struct measure_segment *segment, uint32_t i, uint32_t *block)
{
	if (i > 0 && i % MEASURE_STACK_ENTRIES == 0 && !measure_segment_stack_above(segment, block))
		return NULL;
	if (*block >= segment->layout.nr_stack_blocks)
		return NULL;
	return &segment->stacks[*block].entries[i % MEASURE_STACK_ENTRIES];
}

/* A copy of the configuration text. */
void measure_segment_config(
	const struct measure_segment *segment, char text[MEASURE_SEGMENT_CONFIG_SIZE]);

/* How many locations there are. Where the process has overwritten that (*is_changed), those up to
 * the last one that was begun: the rest would only take time. */
uint32_t measure_segment_nr_locations(const struct measure_segment *segment, bool *is_changed);

/* Bytes of the journal that may hold records. */
uint64_t measure_segment_journal_size(const struct measure_segment *segment);

void measure_segment_detach(struct measure_segment *segment);

/* Bytes of the chunks that there is memory behind. It never becomes less. */
uint64_t measure_segment_taken(const struct measure_segment *segment);

static inline uint8_t *measure_segment_chunk_memory(const struct measure_segment *segment,
	uint32_t chunk)
{
	return segment->memory + (uint64_t)chunk * segment->layout.chunk_size;
}

#endif
