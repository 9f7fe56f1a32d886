/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations of io_uring; see uring.h. What is under way is in a table by its ring and the word that
 * the program has given it, by which the kernel tells how it went. */
#include "config.h"

#include "uring.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>
#include <stdatomic.h>

#include "descriptors.h"
#include "operations.h"
#include "posixio_files.h"
#include "uring_abi.h"

#define NR_RINGS 32
#define NR_FILES 256 /* registered, of a ring */
#define NR_SLOTS 8192
#define REACH    32                  /* slots that an operation may be in */
#define FIRST    (UINT64_C(1) << 61) /* number; see async_io.c */

enum kind { KIND_OTHER, KIND_BYTES, KIND_VECTORS, KIND_FLUSH, KIND_OPEN, KIND_OPEN_HOW, KIND_CLOSE };

static const struct {
	uint8_t kind, mode;
} rows[] = {
#define OPERATION(number, kind, mode) [number] = {KIND_##kind, OTF2_IO_OPERATION_MODE_##mode},
#include "uring_operations.def"
#undef OPERATION
};
#define NR_ROWS (sizeof(rows) / sizeof(*rows))

/* ------------------------------------------------------------------------ rings --- */

/* A registered file is that of a descriptor as long as this has the same handle. */
struct ring_file {
	int fd;
	measure_io_handle_t handle;
};

struct ring {
	_Atomic uintptr_t address; /* 0: free */
	_Atomic uint32_t seen;     /* completions before this one are known */
	struct ring_file files[NR_FILES];
	uint32_t nr_files;
};

static struct ring rings[NR_RINGS];

static struct ring *ring_find(uintptr_t address)
{
	for (uint32_t i = 0; i < NR_RINGS; i++)
		if (atomic_load_explicit(&rings[i].address, memory_order_acquire) == address)
			return &rings[i];
	return NULL;
}

/* What is in it already is nobody's that we know. NULL: there are too many. */
static struct ring *ring_add(const struct measure_uring *uring)
{
	for (uint32_t i = 0; i < NR_RINGS; i++) {
		uintptr_t is_free = 0;

		if (!atomic_compare_exchange_strong(&rings[i].address, &is_free, 1))
			continue;
		rings[i].nr_files = 0;
		atomic_store(&rings[i].seen,
			__atomic_load_n(uring->completion.head, __ATOMIC_ACQUIRE));
		atomic_store_explicit(
			&rings[i].address, (uintptr_t)uring, memory_order_release);
		return &rings[i];
	}
	return NULL;
}

static struct ring *ring_get(const struct measure_uring *uring)
{
	struct ring *ring = ring_find((uintptr_t)uring);

	return ring ? ring : ring_add(uring);
}

/* -------------------------------------------------------------- what is under way --- */

struct uring_operation {
	uint64_t user_data;
	uint64_t number;
	measure_io_handle_t handle;
	enum kind kind;
	int flags;                    /* of an open */
	int fd;                       /* of a close */
	struct measure_opened opened; /* the same: what it was */
};

/* Others may look at the words beside `operation` while it is another one's. */
static struct slot {
	_Atomic uint32_t state; /* SLOT_FREE, ... */
	_Atomic uintptr_t ring;
	_Atomic uint64_t user_data;
	_Atomic uint64_t number;
	struct uring_operation operation;
} slots[NR_SLOTS];

enum { SLOT_FREE, SLOT_HELD, SLOT_FULL };

static _Atomic uint64_t nr_started;

static struct slot *slot_first(uintptr_t ring, uint64_t user_data)
{
	const uint64_t hash = (user_data ^ (uint64_t)ring << 7) * UINT64_C(0x9e3779b97f4a7c15);

	return &slots[hash >> 32 & (NR_SLOTS - REACH)];
}

/* Release: who finds it finds it whole. False: there are too many. */
static bool operation_add(uintptr_t ring, const struct uring_operation *operation)
{
	struct slot *first = slot_first(ring, operation->user_data);

	for (struct slot *slot = first; slot < first + REACH; slot++) {
		uint32_t is_free = SLOT_FREE;

		if (!atomic_compare_exchange_strong_explicit(&slot->state, &is_free, SLOT_HELD,
			    memory_order_acquire, memory_order_relaxed))
			continue;
		slot->operation = *operation;
		atomic_store_explicit(&slot->ring, ring, memory_order_relaxed);
		atomic_store_explicit(&slot->user_data, operation->user_data, memory_order_relaxed);
		atomic_store_explicit(&slot->number, operation->number, memory_order_relaxed);
		atomic_store_explicit(&slot->state, SLOT_FULL, memory_order_release);
		return true;
	}
	return false;
}

/* The first of those that have the word: they are likely to end in this order. NULL: none has. */
static struct slot *slot_find(uintptr_t ring, uint64_t user_data)
{
	struct slot *first = slot_first(ring, user_data), *found = NULL;

	for (struct slot *slot = first; slot < first + REACH; slot++) {
		if (atomic_load_explicit(&slot->state, memory_order_acquire) == SLOT_FULL &&
			atomic_load_explicit(&slot->ring, memory_order_relaxed) == ring &&
			atomic_load_explicit(&slot->user_data, memory_order_relaxed) == user_data &&
			(!found || atomic_load_explicit(&slot->number, memory_order_relaxed) <
					   atomic_load_explicit(
						   &found->number, memory_order_relaxed)))
			found = slot;
	}
	return found;
}

/* False: another thread was faster, and what is there now may be another one. */
static bool slot_take(
	struct slot *slot, uintptr_t ring, uint64_t number, struct uring_operation *operation)
{
	uint32_t is_full = SLOT_FULL;
	bool is_it;

	if (!atomic_compare_exchange_strong_explicit(&slot->state, &is_full, SLOT_HELD,
		    memory_order_acquire, memory_order_relaxed))
		return false;
	is_it = atomic_load_explicit(&slot->ring, memory_order_relaxed) == ring &&
		slot->operation.number == number;
	*operation = slot->operation;
	atomic_store_explicit(&slot->state, is_it ? SLOT_FREE : SLOT_FULL, memory_order_release);
	return is_it;
}

static bool operation_take(uintptr_t ring, uint64_t user_data, struct uring_operation *operation)
{
	struct slot *found;

	while ((found = slot_find(ring, user_data)))
		if (slot_take(found, ring,
			    atomic_load_explicit(&found->number, memory_order_relaxed), operation))
			return operation->user_data == user_data;
	return false;
}

/* ------------------------------------------------------------------------ begin --- */

static measure_io_handle_t entry_handle(
	const struct ring *ring, const struct measure_uring_entry *entry)
{
	const struct ring_file *file;

	if (!(entry->flags & MEASURE_URING_FIXED_FILE))
		return measure_handle_of_descriptor(entry->fd);
	if (entry->fd < 0 || (uint32_t)entry->fd >= ring->nr_files)
		return MEASURE_UNDEFINED;
	file = &ring->files[entry->fd];
	return measure_descriptor_known(file->fd) == file->handle ? file->handle
								  : MEASURE_UNDEFINED;
}

static uint64_t entry_bytes(const struct measure_uring_entry *entry, enum kind kind)
{
	if (kind == KIND_VECTORS)
		return measure_vector_bytes(
			(const struct iovec *)(uintptr_t)entry->address, (int)entry->length);
	return kind == KIND_BYTES ? entry->length : 0;
}

static void transfer_begin(struct uring_operation *operation, const struct ring *ring,
	uintptr_t address, const struct measure_uring_entry *entry)
{
	const uint64_t bytes = entry_bytes(entry, operation->kind);
	struct measure_location *location;

	operation->handle = entry_handle(ring, entry);
	location = operation->handle != MEASURE_UNDEFINED ? measure_record_begin() : NULL;
	if (!location)
		return;
	if (operation_add(address, operation)) {
		if (operation->kind != KIND_FLUSH && (int64_t)entry->offset >= 0)
			measure_write_attribute_uint64(
				location, measure_offset_attribute(), entry->offset);
		measure_write_io_operation_begin(location, operation->handle,
			rows[entry->opcode].mode, OTF2_IO_OPERATION_FLAG_NON_BLOCKING, bytes,
			operation->number);
		measure_write_io_operation_issued(location, operation->handle, operation->number);
	}
	measure_record_end(location);
}

static void open_begin(struct uring_operation *operation, uintptr_t address,
	const struct measure_uring_entry *entry)
{
	if (entry->file_index != 0)
		return; /* no descriptor */
	operation->flags = (int)entry->operation_flags;
	if (operation->kind == KIND_OPEN_HOW) /* its first member */
		operation->flags = (int)*(const uint64_t *)(uintptr_t)entry->offset;
	operation_add(address, operation);
}

/* Its number may be another file's before we hear of the end. */
static void close_begin(struct uring_operation *operation, uintptr_t address,
	const struct measure_uring_entry *entry)
{
	if (entry->file_index != 0)
		return;
	operation->fd = entry->fd;
	operation->opened = measure_descriptor_take(entry->fd);
	if (entry->flags & MEASURE_URING_SKIP || !operation_add(address, operation))
		measure_close_seen(&operation->opened);
}

static void entry_begin(const struct ring *ring, uintptr_t address,
	const struct measure_uring_entry *entry)
{
	struct uring_operation operation = {.user_data = entry->user_data,
		.kind = entry->opcode < NR_ROWS ? rows[entry->opcode].kind : KIND_OTHER};

	if (operation.kind == KIND_OTHER ||
		(entry->flags & MEASURE_URING_SKIP && operation.kind != KIND_CLOSE))
		return;
	operation.number =
		FIRST + atomic_fetch_add_explicit(&nr_started, 1, memory_order_relaxed);
	if (operation.kind == KIND_CLOSE)
		close_begin(&operation, address, entry);
	else if (operation.kind == KIND_OPEN || operation.kind == KIND_OPEN_HOW)
		open_begin(&operation, address, entry);
	else
		transfer_begin(&operation, ring, address, entry);
}

void measure_uring_submit(void *data)
{
	const struct measure_uring *uring = data;
	const struct ring *ring = ring_get(uring);
	const int shift = uring->flags & MEASURE_URING_LARGE_ENTRIES ? 1 : 0;
	const uint32_t mask = *uring->submission.mask;

	if (!ring)
		return;
	measure_uring_look(data); /* before words are used again */
	for (uint32_t i = uring->submission.sqe_head; i != uring->submission.sqe_tail; i++)
		entry_begin(ring, (uintptr_t)uring, &uring->submission.sqes[(i & mask) << shift]);
}

/* -------------------------------------------------------------------------- end --- */

static void transfer_end(const struct uring_operation *operation, int32_t result)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	if (result == -ECANCELED)
		measure_write_io_operation_cancelled(
			location, operation->handle, operation->number);
	else
		measure_write_io_operation_complete(location, operation->handle,
			result > 0 ? (uint64_t)result : 0, operation->number);
	measure_record_end(location);
}

static void operation_end(const struct uring_operation *operation, int32_t result)
{
	switch (operation->kind) {
	case KIND_OPEN:
	case KIND_OPEN_HOW:
		if (result >= 0)
			measure_open_seen(result, operation->flags);
		break;
	case KIND_CLOSE:
		if (result == -ECANCELED)
			measure_descriptor_put(operation->fd, &operation->opened);
		else
			measure_close_seen(&operation->opened);
		break;
	default:
		transfer_end(operation, result);
	}
}

/* The kernel writes no completion over one that the program has not seen. What the program has seen
 * stays until as many others have come as there is room for. */
void measure_uring_look(void *data)
{
	const struct measure_uring *uring = data;
	struct ring *ring = ring_get(uring);
	const int shift = uring->flags & MEASURE_URING_LARGE_COMPLETIONS ? 1 : 0;
	const uint32_t mask = *uring->completion.mask;
	const uint32_t tail = __atomic_load_n(uring->completion.tail, __ATOMIC_ACQUIRE);
	uint32_t seen = ring ? atomic_load(&ring->seen) : tail;

	while ((int32_t)(tail - seen) > 0) {
		const uint32_t next = tail - seen > mask + 1 ? tail - mask - 1 : seen;
		const struct measure_uring_completion completion =
			uring->completion.cqes[(next & mask) << shift];
		struct uring_operation operation;

		if (!atomic_compare_exchange_strong(&ring->seen, &seen, next + 1))
			continue; /* another thread's */
		seen = next + 1;
		if (!(completion.flags & (MEASURE_URING_MORE | MEASURE_URING_NOTIFICATION)) &&
			operation_take((uintptr_t)uring, completion.user_data, &operation))
			operation_end(&operation, completion.result);
	}
}

/* What ended meanwhile is met again by the next look, and belongs to nothing. */
void measure_uring_forget(void)
{
	for (uint32_t i = 0; i < NR_SLOTS; i++) {
		uint32_t is_full = SLOT_FULL;

		atomic_compare_exchange_strong(&slots[i].state, &is_full, SLOT_FREE);
	}
}

/* ------------------------------------------------------------------ a ring's life --- */

/* What was under way is the kernel's to cancel. */
static void ring_abandon(uintptr_t address)
{
	for (uint32_t i = 0; i < NR_SLOTS; i++) {
		struct uring_operation operation;

		if (atomic_load_explicit(&slots[i].state, memory_order_acquire) != SLOT_FULL ||
			atomic_load_explicit(&slots[i].ring, memory_order_relaxed) != address ||
			!slot_take(&slots[i], address,
				atomic_load_explicit(&slots[i].number, memory_order_relaxed),
				&operation))
			continue;
		if (operation.kind != KIND_OPEN && operation.kind != KIND_OPEN_HOW)
			operation_end(&operation, operation.kind == KIND_CLOSE ? 0 : -ECANCELED);
	}
}

static void ring_forget(uintptr_t address)
{
	struct ring *ring = ring_find(address);

	if (!ring)
		return;
	ring_abandon(address);
	atomic_store_explicit(&ring->address, 0, memory_order_release);
}

void measure_uring_open(void *data, int result)
{
	if (result != 0)
		return;
	ring_forget((uintptr_t)data); /* one that was given up out of our sight */
	ring_add(data);
}

void measure_uring_close(void *data)
{
	measure_uring_look(data);
	ring_forget((uintptr_t)data);
}

void measure_uring_register(
	void *data, uint32_t first, const int *files, uint32_t nr, int result)
{
	struct ring *ring = result >= 0 ? ring_get(data) : NULL;

	if (!ring)
		return;
	if (!files)
		ring->nr_files = 0;
	for (uint32_t i = 0; files && i < nr && first + i < NR_FILES; i++) {
		ring->files[first + i] =
			(struct ring_file){files[i], measure_handle_of_descriptor(files[i])};
		if (ring->nr_files <= first + i)
			ring->nr_files = first + i + 1;
	}
}
