/* SPDX-License-Identifier: BSD-3-Clause
 *
 * getenv() for libraries that look for their tool; see tool_variable.h. */
#define _GNU_SOURCE
#include "config.h"

#include "tool_variable.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

typedef char *(*tool_getenv_fn)(const char *name);

static _Atomic(tool_getenv_fn) next_getenv;
static const char *own_path;

/* Once, by whoever comes first. */
__attribute__((constructor)) static void tool_register_adapter(void)
{
	static atomic_flag is_registered = ATOMIC_FLAG_INIT;
	Dl_info info;

	if (atomic_flag_test_and_set(&is_registered))
		return;
	if (dladdr(&measure_tool_adapter, &info))
		own_path = info.dli_fname;
	atomic_store_explicit(
		&next_getenv, (tool_getenv_fn)dlsym(RTLD_NEXT, "getenv"), memory_order_relaxed);
	measure_adapter_register(&measure_tool_adapter);
}

bool measure_tool_is_on(void)
{
	if (measure_is_recording_followed())
		return true;
	tool_register_adapter();
	return measure_is_recording_followed();
}

/* Before our constructor: an allocator may ask that the loader would call to find the next one. */
static char *search_environment(const char *name)
{
	const size_t length = strlen(name);

	for (char **variable = environ; variable && *variable; variable++)
		if (strncmp(*variable, name, length) == 0 && (*variable)[length] == '=')
			return *variable + length + 1;
	return NULL;
}

static const char *tool_answer(const char *name, const void *caller)
{
	for (const struct measure_tool_variable *variable = measure_tool_variables; variable->name;
		variable++) {
		if (strcmp(variable->name, name) != 0)
			continue;
		if (measure_tool_is_on() && (!variable->is_for_us || variable->is_for_us(caller)))
			return own_path;
	}
	return NULL;
}

/* A variable that is set is somebody's choice, even an empty one. */
EXPORTED char *getenv(const char *name)
{
	tool_getenv_fn next = atomic_load_explicit(&next_getenv, memory_order_relaxed);
	char *value = next ? next(name) : search_environment(name);
	int saved = errno;

	if (!value)
		value = (char *)(uintptr_t)tool_answer(name, __builtin_return_address(0));
	errno = saved;
	return value;
}

/* ------------------------------------------------------------------- who is asking --- */

struct tool_search {
	uintptr_t address;
	const char *text;
	bool is_found;
};

static bool tool_segment_has(
	const struct dl_phdr_info *object, const ElfW(Phdr) * segment, const char *text)
{
	return segment->p_type == PT_LOAD && (segment->p_flags & PF_R) &&
	       memmem((const void *)(object->dlpi_addr + segment->p_vaddr), segment->p_filesz, text,
		       strlen(text) + 1);
}

static bool object_has_address(const struct dl_phdr_info *object, uintptr_t address)
{
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		if (segment->p_type == PT_LOAD &&
			address - (object->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
			return true;
	}
	return false;
}

static int tool_look_at(struct dl_phdr_info *object, size_t size, void *data)
{
	struct tool_search *search = data;

	(void)size;
	if (!object_has_address(object, search->address))
		return 0;
	for (int i = 0; i < object->dlpi_phnum && !search->is_found; i++)
		search->is_found = tool_segment_has(object, &object->dlpi_phdr[i], search->text);
	return 1;
}

bool measure_object_mentions(const void *address, const char *text)
{
	struct tool_search search = {(uintptr_t)address, text, false};

	dl_iterate_phdr(tool_look_at, &search);
	return search.is_found;
}

/* As much of them as a page has: what matters to a library stands there. */
bool measure_arguments_mention(const char *text)
{
	char arguments[4096];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t size = fd >= 0 ? read(fd, arguments, sizeof(arguments)) : 0;

	if (fd >= 0)
		close(fd);
	return size > 0 && memmem(arguments, (size_t)size, text, strlen(text));
}
