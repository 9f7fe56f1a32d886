/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding a safe place; see safe_place.h. The innermost function is the program's own, or one of
 * the C library that waits in a system call; none that it was called from holds a lock of the
 * allocator or the loader. The call stack is unwound by libdw. */
#include "config.h"

#include "safe_place.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/file.h"

struct measure_places {
	Dwfl *dwfl;
	pid_t pid;
};

/* Nobody looks for debug information, here or in the network. */
static int find_no_debug_file(Dwfl_Module *module, void **data, const char *name,
	Dwarf_Addr base, const char *file, const char *link, GElf_Word sum, char **found)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)sum;
	(void)found;
	return -1;
}

struct measure_places *measure_places_open(pid_t pid)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf, .find_debuginfo = find_no_debug_file};
	struct measure_places *places = calloc(1, sizeof(*places));

	if (!places)
		return NULL;
	places->pid = pid;
	places->dwfl = dwfl_begin(&callbacks);
	if (places->dwfl && dwfl_linux_proc_report(places->dwfl, pid) == 0 &&
		dwfl_report_end(places->dwfl, NULL, NULL) == 0 &&
		dwfl_linux_proc_attach(places->dwfl, pid, true) == 0)
		return places;
	measure_places_close(places);
	return NULL;
}

void measure_places_close(struct measure_places *places)
{
	if (places->dwfl)
		dwfl_end(places->dwfl);
	free(places);
}

/* What a thread may wait in for long, and is not in for the allocator's sake. A thread that waits
 * for a lock does not hold it. A wait that was interrupted, by us for example, goes on as
 * restart_syscall. */
static bool is_waiting(long system_call)
{
	static const long waits[] = {SYS_futex, SYS_nanosleep, SYS_clock_nanosleep, SYS_ppoll,
		SYS_pselect6, SYS_epoll_pwait, SYS_read, SYS_readv, SYS_write, SYS_recvfrom,
		SYS_recvmsg, SYS_sendto, SYS_sendmsg, SYS_accept, SYS_accept4, SYS_wait4,
		SYS_waitid, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sched_yield,
		SYS_restart_syscall,
#ifdef SYS_poll
		SYS_poll, SYS_select, SYS_epoll_wait, SYS_pause,
#endif
	};

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		if (waits[i] == system_call)
			return true;
	return false;
}

static bool is_unsafe_function(const char *name)
{
	static const char *const unsafe[] = {
#define UNSAFE(name) name,
#include "unsafe_frames.def"
#undef UNSAFE
	};

	for (size_t i = 0; i < sizeof(unsafe) / sizeof(unsafe[0]); i++)
		if (strcmp(unsafe[i], name) == 0)
			return true;
	return false;
}

struct place_walk {
	struct measure_places *places;
	long system_call;
	uint32_t nr;
	bool is_safe;
	bool is_bare_call; /* the frame before is syscall(), which our own locks wait in */
};

static bool begins(const char *name, const char *beginning)
{
	return strncmp(name, beginning, strlen(beginning)) == 0;
}

static bool frame_is_safe(struct place_walk *walk, uint64_t address)
{
	Dwfl_Module *module = dwfl_addrmodule(walk->places->dwfl, address);
	const char *file = "", *function = module ? dwfl_module_addrname(module, address) : NULL;

	if (module)
		file = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	file = measure_base_name(file ? file : "");
	function = function ? function : "";
	if (begins(file, "ld-linux") || is_unsafe_function(function))
		return false;
	if (begins(file, "libmeasure") && (walk->nr == 0 || walk->is_bare_call))
		return false;
	if (walk->nr == 0 && begins(file, "libc.") && !is_waiting(walk->system_call))
		return false;
	walk->is_bare_call = strcmp(function, "syscall") == 0;
	return true;
}

static int look_at_frame(Dwfl_Frame *frame, void *data)
{
	struct place_walk *walk = data;
	Dwarf_Addr address;
	bool is_exact;

	if (!dwfl_frame_pc(frame, &address, &is_exact))
		return DWARF_CB_ABORT;
	walk->is_safe = frame_is_safe(walk, address - (is_exact ? 0 : 1));
	walk->nr++;
	return walk->is_safe ? DWARF_CB_OK : DWARF_CB_ABORT;
}

bool measure_place_is_safe(struct measure_places *places, pid_t thread, long system_call)
{
	struct place_walk walk = {.places = places, .system_call = system_call};

	dwfl_getthread_frames(places->dwfl, thread, look_at_frame, &walk);
	return walk.nr > 0 && walk.is_safe;
}
