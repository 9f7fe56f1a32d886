/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading and changing the machine code of this process; see machine_code.h.
 *
 * By way of /proc/self/mem: the kernel makes a private copy of the page and leaves its protection
 * as it is, so that no page is ever writable and executable, nor one that others execute not
 * executable; it brings the caches for instructions up to date; and an address that is not there
 * any more is an error and no fault. Where a kernel or a policy does not allow that, code stays as
 * it is.
 *
 * System calls are made by number: open(), close(), pread() and pwrite() are cancellation points,
 * and a thread that is cancelled in a hook would keep the definition lock for good. */
#include "config.h"

#include "machine_code.h"

#include <elf.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/loaded.h"
#include "base/array.h"

#define LONGEST_FUNCTION 65536

#if defined(__x86_64__)
const measure_call_fn measure_machine_call = measure_x86_64_call;
const measure_jump_fn measure_machine_jump = measure_x86_64_jump;
#elif defined(__aarch64__)
const measure_call_fn measure_machine_call = measure_arm64_call;
const measure_jump_fn measure_machine_jump = measure_arm64_jump;
#else
const measure_call_fn measure_machine_call = NULL;
const measure_jump_fn measure_machine_jump = NULL;
#endif

static int memory = -1;

bool measure_machine_open(void)
{
	memory = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC);
	return memory >= 0;
}

void measure_machine_close(void)
{
	syscall(SYS_close, memory);
	memory = -1;
}

bool measure_machine_read(uint64_t address, void *bytes, size_t size)
{
	return syscall(SYS_pread64, memory, bytes, size, address) == (long)size;
}

/* Whoever executes the code sees it now; older kernels leave that to chance, and the old code
 * does no harm. */
static void tell_processors(void)
{
	static bool is_registered;

	if (!is_registered)
		syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
	is_registered = true;
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

static bool exchange(const struct measure_change *change, const uint8_t *from, const uint8_t *to)
{
	uint8_t now[sizeof(change->before)];

	if (!measure_machine_read(change->address, now, change->size) ||
		memcmp(now, from, change->size) != 0 ||
		syscall(SYS_pwrite64, memory, to, change->size, change->address) != change->size)
		return false;
	tell_processors();
	return true;
}

bool measure_machine_change(const struct measure_change *change)
{
	return exchange(change, change->before, change->after);
}

bool measure_machine_restore(const struct measure_change *change)
{
	return exchange(change, change->after, change->before);
}

/* ------------------------------------------------------------ bounds of functions --- */

/* Where functions begin that can be unwound: .eh_frame_hdr, in the form that all linkers write,
 * sorted. Everything is relative to its own beginning. */
struct unwind_table {
	uint8_t version; /* 1 */
	uint8_t frames_encoding;
	uint8_t number_encoding;  /* 3: 4 bytes, unsigned */
	uint8_t entries_encoding; /* 0x3B: 4 bytes, signed, relative to the table */
	int32_t frames;
	uint32_t nr;
	struct {
		int32_t function;
		int32_t frame;
	} entries[];
};

static uint64_t begin_of(const struct unwind_table *table, uint32_t number)
{
	return (uint64_t)(uintptr_t)table + (uint64_t)(int64_t)table->entries[number].function;
}

static size_t size_in(const struct unwind_table *table, uint64_t function)
{
	uint32_t number;

	if (table->version != 1 || table->number_encoding != 3 || table->entries_encoding != 0x3B)
		return 0;
	number = (uint32_t)measure_count_first(table->nr, i, begin_of(table, i) < function);
	if (number + 1 >= table->nr || begin_of(table, number) != function)
		return 0;
	return begin_of(table, number + 1) - function;
}

size_t measure_machine_function_size(uint64_t function)
{
	const struct unwind_table *table = NULL;
	struct measure_loaded loaded;
	size_t size;

	if (!measure_loaded_find(function, &loaded))
		return 0;
	for (size_t i = 0; i < loaded.nr_parts; i++)
		if (loaded.parts[i].p_type == PT_GNU_EH_FRAME)
			table = (const void *)(loaded.bias + loaded.parts[i].p_vaddr);
	size = table ? size_in(table, function) : 0;
	return size <= LONGEST_FUNCTION ? size : 0;
}
