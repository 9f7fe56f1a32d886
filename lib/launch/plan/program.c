/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding and inspecting the program; see program.h. */
#include "config.h"

#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"

#define DEFAULT_PATH "/bin:/usr/bin"

static int check(const char *path)
{
	struct stat stat_;

	if (stat(path, &stat_) != 0)
		return errno == EACCES ? EACCES : ENOENT;
	if (!S_ISREG(stat_.st_mode) || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) != 0)
		return EACCES;
	return 0;
}

/* A file that may not be executed is remembered, but one further on that may is taken. Folders that
 * may not be searched have nothing, as for a shell. */
static int program_search(struct measure_program *program, const char *name, const char *list)
{
	int result = ENOENT;

	for (;;) {
		size_t length = strcspn(list, ":");
		snprintf(program->path, sizeof(program->path), "%.*s%s%s", (int)length, list,
			length ? "/" : "./", name);
		int error = check(program->path);
		if (error == 0)
			return 0;
		if (error == EACCES && faccessat(AT_FDCWD, program->path, F_OK, AT_EACCESS) == 0)
			result = EACCES;
		if (list[length] == '\0')
			break;
		list += length + 1;
	}
	snprintf(program->path, sizeof(program->path), "%s", name);
	return result;
}

int measure_program_find(struct measure_program *program, const char *name)
{
	const char *list = getenv("PATH");
	int error;

	memset(program, 0, sizeof(*program));
	if (strchr(name, '/') || *name == '\0') {
		snprintf(program->path, sizeof(program->path), "%s", name);
		error = check(name);
	} else {
		error = program_search(program, name, list ? list : DEFAULT_PATH);
	}
	program->name = measure_base_name(program->path);
	return error;
}

/* "#!interpreter argument": what the kernel loads is the interpreter. */
static void find_image(struct measure_program *program)
{
	char line[256] = "";
	int fd = open(program->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, line, sizeof(line) - 1) : 0;

	strcpy(program->image, program->path);
	if (fd >= 0)
		close(fd);
	if (got < 3 || line[0] != '#' || line[1] != '!')
		return;
	char *start = line + 2 + strspn(line + 2, " \t");
	start[strcspn(start, " \t\n")] = '\0';
	strcpy(program->image, start);
}

bool measure_program_is_started_by_env(const struct measure_program *program)
{
	return strcmp(program->image, program->path) != 0 &&
	       strcmp(measure_base_name(program->image), "env") == 0;
}

/* The loader ignores LD_PRELOAD where the program gets rights that its user has not. */
static bool gains_rights(const char *path)
{
	struct stat stat_;
	char capabilities[64];

	if (stat(path, &stat_) != 0)
		return false;
	if ((stat_.st_mode & S_ISUID) && stat_.st_uid != geteuid())
		return true;
	if ((stat_.st_mode & S_ISGID) && (stat_.st_mode & S_IXGRP) && stat_.st_gid != getegid())
		return true;
	return geteuid() != 0 &&
	       getxattr(path, "security.capability", capabilities, sizeof(capabilities)) > 0;
}

/* Libraries that nothing to record hides behind: no need to ask the loader. */
static bool is_simple(const char *needed)
{
	static const char *const simple[] = {"libc.so", "libm.so", "libpthread.so", "libdl.so",
		"librt.so", "ld-linux", "libgcc_s.so", "libstdc++.so"};

	while (*needed) {
		size_t length = strcspn(needed, "\n");
		size_t i = 0, nr = sizeof(simple) / sizeof(simple[0]);
		while (i < nr && strncmp(needed, simple[i], strlen(simple[i])) != 0)
			i++;
		if (i == nr)
			return false;
		needed += length + (needed[length] == '\n');
	}
	return true;
}

void measure_program_inspect(struct measure_program *program)
{
	struct measure_elf *elf = &program->elf;

	find_image(program);
	measure_status_t status = measure_elf_read(program->image, elf);
	if (status == MEASURE_ERROR_FORMAT && strcmp(program->image, program->path) == 0) {
		/* execvp gives a file that is no program to the shell. */
		strcpy(program->image, "/bin/sh");
		status = measure_elf_read(program->image, elf);
	}
	if (access(program->image, F_OK) != 0)
		program->obstacle = ""; /* it will not start, and that is said then */
	else if (status == MEASURE_ERROR_IO)
		program->obstacle = "cannot be read: make it readable";
	else if (status != MEASURE_OK)
		program->obstacle = "is not an ELF file";
	else if (measure_elf_obstacle(elf))
		program->obstacle = measure_elf_obstacle(elf);
	else if (gains_rights(program->path) || gains_rights(program->image))
		program->obstacle = "is set-uid or has capabilities: run a copy without them";
	else if (program->loaded)
		snprintf(elf->needed, sizeof(elf->needed), "%s", program->loaded);
	else if (!is_simple(elf->needed))
		measure_elf_ask_loader(program->image, elf);
}
