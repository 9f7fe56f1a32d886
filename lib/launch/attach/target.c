/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inspecting a running process; see target.h. */
#include "config.h"

#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/procfs.h"
#include "cli/cli.h"
#include "format/segment.h"

#define STATUS_SIZE 8192
#define LIBRARY     "libmeasure.so"

/* ------------------------------------------------------------------ what it is like --- */

/* The value of a line of /proc/PID/status; "": it has none of this name. */
static const char *status_field(const char *status, const char *name, char *value, size_t size)
{
	const char *line = status;
	const size_t length = strlen(name);

	*value = '\0';
	for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		if (strncmp(line, name, length) != 0 || line[length] != ':')
			continue;
		line += length + 1;
		line += strspn(line, " \t");
		snprintf(value, size, "%.*s", (int)strcspn(line, "\n"), line);
		break;
	}
	return value;
}

static long status_number(const char *status, const char *name)
{
	char value[64];

	return strtol(status_field(status, name, value, sizeof(value)), NULL, 10);
}

/* Both in the same namespace of this kind; where that is not to be seen, PTRACE_SEIZE will say. */
static bool shares_namespace(pid_t pid, const char *kind)
{
	char path[64];
	struct stat theirs, ours;

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)pid, kind);
	if (stat(path, &theirs) != 0)
		return true;
	snprintf(path, sizeof(path), "/proc/self/ns/%s", kind);
	return stat(path, &ours) != 0 || theirs.st_ino == ours.st_ino;
}

static bool shares_root(pid_t pid)
{
	char path[64];
	struct stat theirs, ours;

	snprintf(path, sizeof(path), "/proc/%d/root", (int)pid);
	return stat(path, &theirs) != 0 || stat("/", &ours) != 0 ||
	       (theirs.st_ino == ours.st_ino && theirs.st_dev == ours.st_dev);
}

/* Why not, as far as its status tells; NULL: nothing. */
static const char *status_obstacle(const struct measure_target *target, const char *status)
{
	char text[128];

	switch (*status_field(status, "State", text, sizeof(text))) {
	case 'Z':
	case 'X':
		return "has ended already";
	case 'T':
		return "is stopped: let it continue first (kill -CONT)";
	default:
		break;
	}
	if (status_number(status, "TracerPid") != 0)
		return "is being traced by another program (a debugger, strace): detach that first";
	if (status_number(status, "Uid") != (long)geteuid())
		return "belongs to another user: run measure as that user";
	if (status_number(status, "Seccomp") != 0)
		return "restricts its system calls (seccomp): start it with measure";
	if (strstr(status_field(status, "x86_Thread_features", text, sizeof(text)), "shstk"))
		return "has a shadow stack: start it with measure";
	if (!shares_namespace(target->pid, "mnt") || !shares_namespace(target->pid, "pid") ||
		!shares_namespace(target->pid, "user") || !shares_root(target->pid))
		return "runs in a container or another namespace: run measure in there";
	return NULL;
}

/* Its owner may not look at it, and nobody else can record it. */
static const char protected_from_us[] = "is protected (set-uid, file capabilities, or not "
					"dumpable): start an unprotected copy with measure";

static const char *image_obstacle(struct measure_target *target)
{
	char image[64];

	snprintf(image, sizeof(image), "/proc/%d/exe", (int)target->pid);
	if (measure_elf_read(image, &target->elf) != MEASURE_OK)
		return "has a program that cannot be read: make it readable, and restart it";
	return measure_elf_obstacle(&target->elf);
}

/* --------------------------------------------------------------- what it has loaded --- */

static void note_name(struct measure_elf *elf, const char *name)
{
	const size_t used = strlen(elf->needed), length = strlen(name);
	const char *known = strstr(elf->needed, name);

	if ((known && known[length] == '\n') || used + length + 2 > sizeof(elf->needed))
		return;
	memcpy(elf->needed + used, name, length);
	strcpy(elf->needed + used + length, "\n");
}

/* "begin-end rights offset device inode path". The first mapping of a file is its beginning. */
static void take_mapping(struct measure_target *target, char *line)
{
	uint64_t begin, offset;
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%lx-%*x %*s %lx %*s %*s %n", &begin, &offset, &at) < 2 || at == 0)
		return;
	const char *path = line + at, *name = measure_base_name(path);
	if (strncmp(path, MEASURE_SEGMENT_LINK, strlen(MEASURE_SEGMENT_LINK)) == 0)
		target->is_recorded = true;
	if (*path != '/' || offset != 0)
		return;
	note_name(&target->elf, name);
	if (!target->libc_base &&
		(strncmp(name, "libc.so.", 8) == 0 || strncmp(name, "libc-2.", 7) == 0)) {
		target->libc_base = begin;
		snprintf(target->libc, sizeof(target->libc), "%s", path);
	} else if (!target->library_base && strncmp(name, LIBRARY, strlen(LIBRARY)) == 0) {
		target->library_base = begin;
		snprintf(target->library, sizeof(target->library), "%s", path);
	}
}

static bool read_mappings(struct measure_target *target)
{
	char path[64], *line = NULL;
	size_t size = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)target->pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	target->elf.needed[0] = '\0';
	target->is_recorded = false;
	while (getline(&line, &size, file) > 0)
		take_mapping(target, line);
	free(line);
	fclose(file);
	return target->libc_base != 0;
}

bool measure_target_find_library(struct measure_target *target)
{
	target->library_base = 0;
	return read_mappings(target) && target->library_base != 0;
}

/* Its file may be another one since the program has loaded it. */
static bool is_deleted(const char *path)
{
	const char *end = strrchr(path, ' ');

	return end && strcmp(end, " (deleted)") == 0;
}

static const char *mapping_obstacle(struct measure_target *target, bool is_attaching)
{
	if (!read_mappings(target))
		return errno == EACCES || errno == EPERM ? protected_from_us
							 : "does not use the GNU C library";
	if (target->is_recorded && is_attaching)
		return "is recorded already: end that first with measure --detach";
	if (!target->is_recorded && !is_attaching)
		return "is not being recorded: record it with measure --attach";
	if (is_deleted(target->libc) || is_deleted(target->library))
		return "uses libraries that were replaced since it was started: restart it";
	if (!measure_target_function(target->libc, target->libc_base, "dlopen"))
		return "uses a C library older than glibc 2.34: start it with measure";
	return NULL;
}

/* ----------------------------------------------------------------------- all of it --- */

static const char *target_obstacle(struct measure_target *target, bool is_attaching)
{
	char path[64], status[STATUS_SIZE];
	const char *obstacle;
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)target->pid);
	if (measure_text_read(path, status, sizeof(status)) <= 0)
		return "there is no such process: look up its number with ps or pgrep";
	if (status_number(status, "Tgid") != (long)target->pid)
		return "is a thread: name its process";
	if (target->pid == getpid())
		return "is this measure itself";
	obstacle = status_obstacle(target, status);
	if (obstacle)
		return obstacle;
	snprintf(path, sizeof(path), "/proc/%d/exe", (int)target->pid);
	length = readlink(path, target->program, sizeof(target->program) - 1);
	if (length <= 0)
		return errno == ENOENT ? "is a thread of the kernel" : protected_from_us;
	target->program[length] = '\0';
	obstacle = image_obstacle(target);
	return obstacle ? obstacle : mapping_obstacle(target, is_attaching);
}

bool measure_target_inspect(struct measure_target *target, pid_t pid, bool is_attaching)
{
	*target = (struct measure_target){.pid = pid};
	const char *obstacle = target_obstacle(target, is_attaching);

	if (obstacle)
		measure_cli_say("process %d: %s", (int)pid, obstacle);
	return !obstacle;
}

/* 3 forbids it to all, until the next boot; with 1 and 2 root may, but only its own processes can
 * be recorded by it. */
void measure_target_say_refused(const struct measure_target *target, int error)
{
	char scope[16] = "";

	measure_text_read("/proc/sys/kernel/yama/ptrace_scope", scope, sizeof(scope));
	if (error == ESRCH)
		measure_cli_say("process %d: has ended", (int)target->pid);
	else if (error == EPERM && *scope > '0')
		measure_cli_say(
			"process %d: the kernel allows no tracing "
			"(kernel.yama.ptrace_scope is %c): %sstart the program with measure",
			(int)target->pid, *scope, *scope < '3' ? "let root set it to 0, or " : "");
	else
		measure_cli_say("process %d: the kernel allows no tracing (%s): start the program "
				"with measure",
			(int)target->pid, strerror(error));
}

/* -------------------------------------------------------------------------- symbols --- */

struct target_file {
	int fd;
	Elf *elf;
};

static bool target_open(struct target_file *file, const char *path)
{
	elf_version(EV_CURRENT);
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	file->elf = file->fd >= 0 ? elf_begin(file->fd, ELF_C_READ, NULL) : NULL;
	if (!file->elf && file->fd >= 0)
		close(file->fd);
	return file->elf != NULL;
}

static void target_close(struct target_file *file)
{
	elf_end(file->elf);
	close(file->fd);
}

/* Where the file's first byte lies, in the addresses of its symbols. */
static uint64_t first_address(Elf *elf)
{
	GElf_Phdr part;
	size_t nr = 0;

	elf_getphdrnum(elf, &nr);
	for (size_t i = 0; i < nr; i++)
		if (gelf_getphdr(elf, (int)i, &part) && part.p_type == PT_LOAD)
			return part.p_vaddr - part.p_offset;
	return 0;
}

static bool find_in_table(Elf *elf, Elf_Scn *section, const char *name, uint64_t *value)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Data *data;

	if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM)
		return false;
	data = elf_getdata(section, NULL);
	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *found = elf_strptr(elf, header.sh_link, symbol.st_name);
		if (symbol.st_shndx == SHN_UNDEF || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
			!found || strcmp(found, name) != 0)
			continue;
		*value = symbol.st_value;
		return true;
	}
	return false;
}

uint64_t measure_target_function(const char *path, uint64_t base, const char *name)
{
	struct target_file file;
	Elf_Scn *section = NULL;
	uint64_t value, found = 0;

	if (!target_open(&file, path))
		return 0;
	while (!found && (section = elf_nextscn(file.elf, section)))
		if (find_in_table(file.elf, section, name, &value))
			found = base + value - first_address(file.elf);
	target_close(&file);
	return found;
}

/* Anywhere in the code of the C library. */
static uint64_t find_code(const struct measure_target *target, const uint8_t *code, size_t length)
{
	struct target_file file;
	GElf_Phdr part;
	size_t nr = 0, size = 0;
	uint64_t found = 0;

	if (!target_open(&file, target->libc))
		return 0;
	const uint8_t *bytes = (const uint8_t *)elf_rawfile(file.elf, &size);
	elf_getphdrnum(file.elf, &nr);
	for (size_t i = 0; bytes && i < nr && !found; i++) {
		if (!gelf_getphdr(file.elf, (int)i, &part) || part.p_type != PT_LOAD ||
			!(part.p_flags & PF_X) || part.p_offset + part.p_filesz > size)
			continue;
		const uint8_t *at = memmem(bytes + part.p_offset, part.p_filesz, code, length);
		if (at)
			found = target->libc_base + part.p_vaddr +
				(uint64_t)(at - bytes - part.p_offset) - first_address(file.elf);
	}
	target_close(&file);
	return found;
}

bool measure_target_way_back(const struct measure_target *target, struct measure_way_back *way)
{
	static const uint8_t pop[] = {0x5f, 0xc3}; /* pop %rdi; ret */
	static const uint8_t sigreturn[] = {
		0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05}; /* mov $15, %rax; syscall */

	way->pop = find_code(target, pop, sizeof(pop));
	way->sigreturn = find_code(target, sigreturn, sizeof(sigreturn));
	way->raise = measure_target_function(target->libc, target->libc_base, "raise");
	return way->pop && way->sigreturn && way->raise;
}
