/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading ELF files and asking the loader; see elf_info.h. */
#include "config.h"

#include "elf_info.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if __SIZEOF_POINTER__ == 8
#define OUR_CLASS ELFCLASS64
#else
#define OUR_CLASS ELFCLASS32
#endif

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#elif defined(__powerpc64__)
#define OUR_MACHINE EM_PPC64
#elif defined(__riscv)
#define OUR_MACHINE EM_RISCV
#else
#define OUR_MACHINE EM_NONE
#endif

extern char **environ;

static void add_name(char *names, size_t size, const char *name, size_t length)
{
	size_t used = strlen(names);

	if (used + length + 2 > size)
		return;
	memcpy(names + used, name, length);
	memcpy(names + used + length, "\n", 2);
}

static void read_interpreter(Elf *file, const GElf_Phdr *segment, struct measure_elf *elf)
{
	size_t file_size;
	const char *bytes = elf_rawfile(file, &file_size);

	if (!bytes || segment->p_offset > file_size || segment->p_filesz == 0 ||
		segment->p_filesz > file_size - segment->p_offset ||
		segment->p_filesz > sizeof(elf->interpreter))
		return;
	memcpy(elf->interpreter, bytes + segment->p_offset, segment->p_filesz);
	elf->interpreter[segment->p_filesz - 1] = '\0';
}

static void read_dynamic(Elf *file, Elf_Scn *section, struct measure_elf *elf)
{
	GElf_Shdr header;
	GElf_Dyn entry;
	Elf_Data *data = elf_getdata(section, NULL);

	if (!gelf_getshdr(section, &header))
		return;
	for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		if (entry.d_tag != DT_NEEDED)
			continue;
		const char *name = elf_strptr(file, header.sh_link, entry.d_un.d_val);
		if (name)
			add_name(elf->needed, sizeof(elf->needed), name, strlen(name));
	}
}

static void read_parts(Elf *file, struct measure_elf *elf)
{
	GElf_Phdr segment;
	GElf_Shdr header;
	Elf_Scn *section = NULL;

	for (int i = 0; gelf_getphdr(file, i, &segment); i++)
		if (segment.p_type == PT_INTERP)
			read_interpreter(file, &segment, elf);
	while ((section = elf_nextscn(file, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC)
			read_dynamic(file, section, elf);
}

measure_status_t measure_elf_read(const char *path, struct measure_elf *elf)
{
	GElf_Ehdr header;
	measure_status_t status = MEASURE_ERROR_FORMAT;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	memset(elf, 0, sizeof(*elf));
	if (fd < 0)
		return MEASURE_ERROR_IO;
	elf_version(EV_CURRENT);
	Elf *file = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (file && elf_kind(file) == ELF_K_ELF && gelf_getehdr(file, &header)) {
		elf->is_ours =
			header.e_ident[EI_CLASS] == OUR_CLASS && header.e_machine == OUR_MACHINE;
		read_parts(file, elf);
		status = MEASURE_OK;
	}
	elf_end(file);
	close(fd);
	return status;
}

/* The loaders of musl, uClibc and Android. What needs glibc ends the program there, at its start.
 */
static bool is_other_loader(const char *interpreter)
{
	static const char *const others[] = {"/ld-musl", "/ld-uClibc", "/ld64-uClibc", "/linker64"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strstr(interpreter, others[i]))
			return true;
	return false;
}

const char *measure_elf_obstacle(const struct measure_elf *elf)
{
	if (!elf->is_ours)
		return "is for another processor architecture than this Measure";
	if (elf->interpreter[0] == '\0')
		return "is linked statically: link it dynamically";
	if (is_other_loader(elf->interpreter))
		return "uses another C library than this Measure: build it with glibc";
	return NULL;
}

/* Is it one of the names in the list? */
static bool is_listed(const char *list, const char *name)
{
	while (*list) {
		size_t length = strcspn(list, " ");
		bool is_beginning = length > 0 && list[length - 1] == '*';
		if (is_beginning ? strncmp(list, name, length - 1) == 0
				 : strlen(name) == length && strncmp(list, name, length) == 0)
			return true;
		list += length + (list[length] == ' ');
	}
	return false;
}

/* The first of the listed functions that a symbol table has, or leaves to others. */
static const char *find_function(
	Elf *file, Elf_Scn *section, const char *functions, bool is_left_to_others)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Data *data = elf_getdata(section, NULL);

	if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM)
		return NULL;
	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(file, header.sh_link, symbol.st_name);
		if ((symbol.st_shndx == SHN_UNDEF) == is_left_to_others && name &&
			is_listed(functions, name))
			return name;
	}
	return NULL;
}

static bool elf_has(
	const char *path, const char *functions, bool is_left_to_others, char *name, size_t size)
{
	const char *found = NULL;
	Elf_Scn *section = NULL;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	Elf *file = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (!found && (section = elf_nextscn(file, section)))
		found = find_function(file, section, functions, is_left_to_others);
	if (found)
		snprintf(name, size, "%s", found);
	elf_end(file);
	close(fd);
	return found != NULL;
}

bool measure_elf_calls(const char *path, const char *functions, char *name, size_t size)
{
	return elf_has(path, functions, true, name, size);
}

bool measure_elf_defines(const char *path, const char *function)
{
	char name[64];

	return elf_has(path, function, false, name, sizeof(name));
}

/* Only glibc's loaders know --list; another one might run the program. */
static bool can_ask(const char *interpreter)
{
	const char *name = strrchr(interpreter, '/');

	name = name ? name + 1 : interpreter;
	return strncmp(name, "ld-linux", 8) == 0 || strncmp(name, "ld64.so", 7) == 0;
}

/* What is preloaded now is not what the program is linked to, and LD_DEBUG would talk. Instead of
 * it: `instead`, which ends with NULL. */
static void clean_environment(char **kept, size_t room, char *const *instead)
{
	size_t nr = 0;

	while (*instead && nr < room - 1)
		kept[nr++] = *instead++;
	for (char **entry = environ; *entry && nr < room - 1; entry++)
		if (strncmp(*entry, "LD_", 3) != 0 || strncmp(*entry, "LD_LIBRARY_PATH=", 16) == 0)
			kept[nr++] = *entry;
	kept[nr] = NULL;
}

static void read_text(int fd, char *text, size_t size)
{
	size_t used = 0;
	ssize_t got;

	while (used < size - 1 && (got = read(fd, text + used, size - 1 - used)) > 0)
		used += (size_t)got;
	text[used] = '\0';
}

/* Only where it is asked by LD_TRACE_LOADED_OBJECTS, and not by --list, does it bind functions. */
static void ask(const char *path, const struct measure_elf *elf, char *const *variables,
	bool want_errors, char *text, size_t size)
{
	char *list[] = {(char *)elf->interpreter, (char *)"--list", (char *)path, NULL};
	char *trace[] = {(char *)elf->interpreter, (char *)path, NULL};
	char *kept[1024];
	int ends[2];
	pid_t loader;
	posix_spawn_file_actions_t actions;

	text[0] = '\0';
	if (!can_ask(elf->interpreter) || pipe2(ends, O_CLOEXEC) != 0)
		return;
	clean_environment(kept, sizeof(kept) / sizeof(kept[0]), variables);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	if (want_errors)
		posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
	else
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	int error = posix_spawn(
		&loader, elf->interpreter, &actions, NULL, want_errors ? trace : list, kept);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (error == 0)
		read_text(ends[0], text, size);
	close(ends[0]);
	if (error == 0)
		waitpid(loader, NULL, 0);
}

void measure_elf_try(
	const char *path, const struct measure_elf *elf, char *preload, char *text, size_t size)
{
	char *const variables[] = {(char *)"LD_TRACE_LOADED_OBJECTS=1", (char *)"LD_WARN=yes",
		(char *)"LD_BIND_NOW=yes", preload, NULL};

	ask(path, elf, variables, true, text, size);
}

/* Lines "\tlibm.so.6 => /lib/libm.so.6 (0x7f...)". */
void measure_elf_ask_loader(const char *path, struct measure_elf *elf)
{
	static char text[MEASURE_ELF_TEXT];
	char *rest;

	ask(path, elf, (char *[]){NULL}, false, text, sizeof(text));
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (line[0] == '\t')
			add_name(
				elf->needed, sizeof(elf->needed), line + 1, strcspn(line + 1, " "));
}

bool measure_elf_find(const char *names, const char *prefix, char *name, size_t size)
{
	size_t length = strlen(prefix);

	while (*names) {
		size_t line = strcspn(names, "\n");
		if (strncmp(names, prefix, length) == 0 && line < size) {
			memcpy(name, names, line);
			name[line] = '\0';
			return true;
		}
		names += line + (names[line] == '\n');
	}
	return false;
}
