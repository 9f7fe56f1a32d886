/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding the debug files of stripped files; see debug_lines.h. */
#include "config.h"

#include "debug_lines.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYSTEM_DIRECTORY "/usr/lib/debug"
#define LONGEST_ID       64 /* bytes of a build id */

/* What a debug file must have in common with the file that it is of. */
struct wanted {
	const uint8_t *id; /* NULL: it has no build id, and the sum counts */
	int id_size;
	GElf_Word crc;
};

/* As .gnu_debuglink has it: CRC-32 of the whole file. */
static bool has_crc(int fd, GElf_Word expected)
{
	uint8_t buffer[16384];
	uint32_t sum = UINT32_MAX;
	off_t place = 0;
	ssize_t size;

	while ((size = pread(fd, buffer, sizeof(buffer), place)) > 0) {
		place += size;
		for (ssize_t i = 0; i < size; i++) {
			sum ^= buffer[i];
			for (int bit = 0; bit < 8; bit++)
				sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xedb88320) : 0);
		}
	}
	return size == 0 && ~sum == expected;
}

static bool has_id(int fd, const struct wanted *wanted)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const void *id;
	bool is_same = elf && dwelf_elf_gnu_build_id(elf, &id) == wanted->id_size &&
		       memcmp(id, wanted->id, (size_t)wanted->id_size) == 0;

	elf_end(elf);
	return is_same;
}

/* Takes over `path`, which may be NULL. -1: it is not there, or of another file. */
static int try_file(char *path, const struct wanted *wanted, char **found)
{
	struct stat stat_;
	int fd = -1;

	if (path && stat(path, &stat_) == 0 && S_ISREG(stat_.st_mode))
		fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0 && (wanted->id ? has_id(fd, wanted) : has_crc(fd, wanted->crc))) {
		*found = path;
		return fd;
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return -1;
}

__attribute__((format(printf, 1, 2))) static char *print_path(const char *format, ...)
{
	va_list arguments;
	char *path = NULL;
	int length;

	va_start(arguments, format);
	length = vasprintf(&path, format, arguments);
	va_end(arguments);
	return length < 0 ? NULL : path;
}

/* Beside the file, below that in .debug, and in the same folder below the system's. */
static int find_link(const char *file, const char *link, const struct wanted *wanted, char **found)
{
	char *real = realpath(file, NULL), *slash = real ? strrchr(real, '/') : NULL;
	int fd = -1;

	if (slash && !strchr(link, '/')) {
		*slash = '\0';
		fd = try_file(print_path("%s/%s", real, link), wanted, found);
		if (fd < 0)
			fd = try_file(print_path("%s/.debug/%s", real, link), wanted, found);
		if (fd < 0)
			fd = try_file(
				print_path(SYSTEM_DIRECTORY "%s/%s", real, link), wanted, found);
	}
	free(real);
	return fd;
}

static int find_cached(const struct wanted *wanted, char **found)
{
	const char *cache = getenv("DEBUGINFOD_CACHE_PATH"), *xdg = getenv("XDG_CACHE_HOME"),
		   *home = getenv("HOME");
	char id[2 * LONGEST_ID + 1];
	int fd = -1;

	for (int i = 0; i < wanted->id_size; i++)
		snprintf(id + 2 * i, 3, "%02x", wanted->id[i]);
	if (cache && *cache)
		return try_file(print_path("%s/%s/debuginfo", cache, id), wanted, found);
	if (home)
		fd = try_file(print_path("%s/.debuginfod_client_cache/%s/debuginfo", home, id),
			wanted, found);
	if (fd < 0 && xdg && *xdg)
		return try_file(
			print_path("%s/debuginfod_client/%s/debuginfo", xdg, id), wanted, found);
	if (fd < 0 && home)
		fd = try_file(print_path("%s/.cache/debuginfod_client/%s/debuginfo", home, id),
			wanted, found);
	return fd;
}

/* It is called once more for what several debug files have in common (dwz), which libdw finds by
 * itself. */
int measure_debug_file_find(Dwfl_Module *module, void **userdata, const char *module_name,
	Dwarf_Addr base, const char *file, const char *link, GElf_Word crc, char **found)
{
	struct wanted wanted = {NULL, 0, crc};
	bool is_common = *userdata;
	GElf_Addr address;
	int fd;

	wanted.id_size = dwfl_module_build_id(module, &wanted.id, &address);
	if (wanted.id_size <= 0 || wanted.id_size > LONGEST_ID)
		wanted.id = NULL;
	fd = dwfl_build_id_find_debuginfo(
		module, userdata, module_name, base, file, link, crc, found);
	if (fd < 0 && !is_common && wanted.id)
		fd = find_cached(&wanted, found);
	if (fd < 0 && !is_common && file && link)
		fd = find_link(file, link, &wanted, found);
	if (fd >= 0)
		*userdata = module;
	return fd;
}
