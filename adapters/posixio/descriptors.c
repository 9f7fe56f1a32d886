/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of descriptors; see descriptors.h. Whoever opens a descriptor has its number for
 * itself until it tells others, and whoever closes it takes the entry out before the number can
 * be another's. What was closed without our seeing it stays in the table until its number is
 * opened again. Blocks are never freed. */
#include "config.h"

#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <otf2/OTF2_Events.h>
#include <sys/mman.h>

#include "flags.h"
#include "posixio_real.h"

static struct measure_descriptor first_block[MEASURE_DESCRIPTORS];
_Atomic(struct measure_descriptor *) measure_descriptor_blocks[MEASURE_DESCRIPTOR_BLOCKS] = {
	first_block};

static const struct measure_opened nothing = {
	MEASURE_UNDEFINED, MEASURE_UNDEFINED, MEASURE_UNDEFINED, false};

static struct measure_descriptor *make_block(int fd)
{
	_Atomic(struct measure_descriptor *) *place =
		&measure_descriptor_blocks[fd >> MEASURE_DESCRIPTOR_BITS];
	struct measure_descriptor *block, *known = NULL;
	const size_t size = sizeof(*block) * MEASURE_DESCRIPTORS;
	const int saved_errno = errno;

	block = REAL(mmap)(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	errno = saved_errno;
	if (block == MAP_FAILED)
		return NULL;
	if (atomic_compare_exchange_strong_explicit(
		    place, &known, block, memory_order_acq_rel, memory_order_acquire))
		known = block;
	else
		munmap(block, size);
	return &known[fd & (MEASURE_DESCRIPTORS - 1)];
}

static struct measure_descriptor *descriptor_make(int fd)
{
	struct measure_descriptor *descriptor = measure_descriptor_at(fd);

	if (descriptor || fd < 0 || fd >= MEASURE_DESCRIPTORS * MEASURE_DESCRIPTOR_BLOCKS)
		return descriptor;
	return make_block(fd);
}

static measure_io_handle_t handle_in(uint32_t state)
{
	return state >= MEASURE_DESCRIPTOR_FIRST ? state - MEASURE_DESCRIPTOR_FIRST
						 : MEASURE_UNDEFINED;
}

static uint32_t state_of(measure_io_handle_t handle)
{
	return handle != MEASURE_UNDEFINED ? handle + MEASURE_DESCRIPTOR_FIRST
					   : MEASURE_DESCRIPTOR_CLOSED;
}

/* -------------------------------------------------------------------- the table --- */

/* The handle last, with release: who sees it sees the rest. */
void measure_descriptor_put(int fd, const struct measure_opened *opened)
{
	struct measure_descriptor *descriptor = descriptor_make(fd);
	const bool is_known = opened->handle != MEASURE_UNDEFINED;

	if (!descriptor)
		return;
	atomic_store_explicit(&descriptor->file, opened->file, memory_order_relaxed);
	atomic_store_explicit(
		&descriptor->is_inherited, opened->is_inherited, memory_order_relaxed);
	atomic_store_explicit(&descriptor->stream, state_of(opened->stream), memory_order_release);
	atomic_store_explicit(&descriptor->handle,
		is_known ? state_of(opened->handle) : MEASURE_DESCRIPTOR_SILENT,
		memory_order_release);
}

static struct measure_opened read_rest(
	struct measure_descriptor *descriptor, uint32_t handle, uint32_t stream)
{
	return (struct measure_opened){handle_in(handle), handle_in(stream),
		atomic_load_explicit(&descriptor->file, memory_order_relaxed),
		atomic_load_explicit(&descriptor->is_inherited, memory_order_relaxed)};
}

struct measure_opened measure_descriptor_take(int fd)
{
	struct measure_descriptor *descriptor = descriptor_make(fd);
	uint32_t handle, stream;

	if (!descriptor)
		return nothing;
	stream = atomic_exchange_explicit(
		&descriptor->stream, MEASURE_DESCRIPTOR_CLOSED, memory_order_acq_rel);
	handle = atomic_exchange_explicit(
		&descriptor->handle, MEASURE_DESCRIPTOR_CLOSED, memory_order_acq_rel);
	return read_rest(descriptor, handle, stream);
}

struct measure_opened measure_descriptor_take_stream(int fd)
{
	struct measure_descriptor *descriptor = measure_descriptor_at(fd);
	uint32_t handle, stream;

	if (!descriptor)
		return nothing;
	stream = atomic_exchange_explicit(
		&descriptor->stream, MEASURE_DESCRIPTOR_CLOSED, memory_order_acq_rel);
	handle = atomic_load_explicit(&descriptor->handle, memory_order_acquire);
	return read_rest(descriptor, handle, stream);
}

/* ------------------------------------------------------------- what is not in it --- */

int measure_descriptor_flags(int fd)
{
	const int saved_errno = errno;
	const int flags = REAL(fcntl)(fd, F_GETFL);

	errno = saved_errno;
	return flags;
}

/* The creation of a handle that nobody saw: here is where it is known first. */
static bool record_creation(measure_io_handle_t handle, int flags)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return false;
	measure_write_io_create_handle(
		location, handle, measure_access_of(flags), 0, measure_status_of(flags));
	measure_record_end(location);
	return true;
}

/* The first of several threads gives the handle. */
static measure_io_handle_t publish(
	_Atomic uint32_t *place, uint32_t expected, measure_io_handle_t handle)
{
	if (atomic_compare_exchange_strong_explicit(
		    place, &expected, state_of(handle), memory_order_acq_rel, memory_order_acquire))
		return handle;
	return handle_in(expected);
}

/* Handlers of signals that come inside a transaction and children of vfork() get nothing. */
static bool may_record(void)
{
	struct measure_location *location = measure_record_begin();

	if (location)
		measure_record_end(location);
	return location;
}

static __attribute__((cold)) measure_io_handle_t descriptor_find(
	int fd, struct measure_descriptor *descriptor, uint32_t state)
{
	const int flags = measure_descriptor_flags(fd);
	struct measure_opened opened;
	char name[MEASURE_NAME_MAX];

	if (flags < 0 || !may_record())
		return MEASURE_UNDEFINED;
	if (!measure_handles_inspect(fd, NULL, &opened, name)) {
		atomic_compare_exchange_strong_explicit(&descriptor->handle, &state,
			MEASURE_DESCRIPTOR_SILENT, memory_order_relaxed, memory_order_relaxed);
		return MEASURE_UNDEFINED;
	}
	opened.is_inherited = state == MEASURE_DESCRIPTOR_UNSEEN;
	measure_handles_give(&opened, name, flags);
	if (opened.handle == MEASURE_UNDEFINED ||
		(!opened.is_inherited && !record_creation(opened.handle, flags)))
		return MEASURE_UNDEFINED;
	atomic_store_explicit(&descriptor->file, opened.file, memory_order_relaxed);
	atomic_store_explicit(&descriptor->is_inherited, opened.is_inherited, memory_order_relaxed);
	return publish(&descriptor->handle, state, opened.handle);
}

measure_io_handle_t measure_descriptor_look_up(int fd)
{
	struct measure_descriptor *descriptor = descriptor_make(fd);
	uint32_t state;

	if (!descriptor)
		return MEASURE_UNDEFINED;
	state = atomic_load_explicit(&descriptor->handle, memory_order_acquire);
	if (state == MEASURE_DESCRIPTOR_SILENT)
		return MEASURE_UNDEFINED;
	return state < MEASURE_DESCRIPTOR_FIRST ? descriptor_find(fd, descriptor, state)
						: handle_in(state);
}

/* --------------------------------------------------------------------- streams --- */

int measure_stream_descriptor(FILE *stream)
{
	const int saved_errno = errno;
	const int fd = stream ? fileno_unlocked(stream) : -1;

	errno = saved_errno;
	return fd;
}

measure_io_handle_t measure_handle_of_stream(FILE *stream)
{
	const int fd = measure_stream_descriptor(stream);
	const struct measure_descriptor *descriptor = measure_descriptor_at(fd);
	const uint32_t state =
		descriptor ? atomic_load_explicit(&descriptor->stream, memory_order_acquire) : 0;

	if (state >= MEASURE_DESCRIPTOR_FIRST)
		return state - MEASURE_DESCRIPTOR_FIRST;
	return fd < 0 ? MEASURE_UNDEFINED : measure_stream_look_up(fd);
}

__attribute__((cold)) measure_io_handle_t measure_stream_look_up(int fd)
{
	const measure_io_handle_t handle = measure_handle_of_descriptor(fd);
	struct measure_descriptor *descriptor = measure_descriptor_at(fd);
	struct measure_opened opened;
	uint32_t state;
	int flags;

	if (handle == MEASURE_UNDEFINED || !descriptor || !may_record())
		return MEASURE_UNDEFINED;
	state = atomic_load_explicit(&descriptor->stream, memory_order_acquire);
	opened = read_rest(descriptor, state_of(handle), state);
	opened.is_inherited &= state == MEASURE_DESCRIPTOR_UNSEEN;
	flags = measure_descriptor_flags(fd);
	measure_handles_give_stream(&opened, "", flags);
	if (opened.stream == MEASURE_UNDEFINED ||
		(!opened.is_inherited && !record_creation(opened.stream, flags)))
		return MEASURE_UNDEFINED;
	return publish(&descriptor->stream, state, opened.stream);
}

/* ------------------------------------------------------------------- the start --- */

void measure_descriptors_forget(void)
{
	for (int i = 0; i < MEASURE_DESCRIPTOR_BLOCKS; i++) {
		struct measure_descriptor *block = atomic_load_explicit(
			&measure_descriptor_blocks[i], memory_order_acquire);

		for (int k = 0; block && k < MEASURE_DESCRIPTORS; k++) {
			atomic_store_explicit(&block[k].stream, MEASURE_DESCRIPTOR_UNSEEN,
				memory_order_relaxed);
			atomic_store_explicit(&block[k].handle, MEASURE_DESCRIPTOR_UNSEEN,
				memory_order_release);
		}
	}
}

/* These are recorded whatever they are. */
void measure_descriptors_start(void)
{
	static const char *const names[] = {"stdin", "stdout", "stderr"};
	struct measure_opened opened;
	char name[MEASURE_NAME_MAX];

	for (int fd = 0; fd < 3; fd++) {
		const int flags = measure_descriptor_flags(fd);
		if (flags < 0)
			continue;
		measure_handles_inspect(fd, NULL, &opened, name);
		opened.is_inherited = true;
		measure_handles_give(&opened, names[fd], flags);
		measure_handles_give_stream(&opened, names[fd], flags);
		measure_descriptor_put(fd, &opened);
	}
}
