/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Telling files apart; see fingerprint.h. */
#include "config.h"

#include "base/fingerprint.h"

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

/* Headers have the sizes of code and data, and where the section headers are; the tables have the
 * functions' names and addresses. */
#define MOST (16 * 1024)

static bool is_elf(const ElfW(Ehdr) * header, size_t size)
{
	return size >= sizeof(*header) && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
	       header->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
	       header->e_phentsize == sizeof(ElfW(Phdr)) && header->e_phoff <= size &&
	       header->e_phoff % _Alignof(ElfW(Phdr)) == 0 &&
	       header->e_phnum * sizeof(ElfW(Phdr)) <= size - header->e_phoff;
}

/* How many bytes are in memory as in the file. Where code is among them, hooks may have been
 * patched out of it: then only the headers are. */
static size_t nr_same(const ElfW(Ehdr) * header, size_t size)
{
	const ElfW(Phdr) *part = (const void *)((const char *)header + header->e_phoff);
	size_t end = header->e_phoff + header->e_phnum * sizeof(*part);

	for (int i = 0; i < header->e_phnum; i++, part++) {
		if (part->p_type != PT_LOAD || part->p_offset != 0 || part->p_flags & (PF_W | PF_X))
			continue;
		size = part->p_filesz < size ? part->p_filesz : size;
		size = size < MOST ? size : MOST;
		return size > end ? size : end;
	}
	return end;
}

bool measure_fingerprint(const void *file, size_t size, char *text)
{
	const ElfW(Ehdr) *header = file;
	uint64_t hash;

	text[0] = '\0';
	if (!is_elf(header, size))
		return false;
	hash = measure_hash(MEASURE_HASH_START, file, nr_same(header, size));
	snprintf(text, MEASURE_FINGERPRINT_ROOM, "%c%016llx", MEASURE_FINGERPRINT_MARK,
		(unsigned long long)hash);
	return true;
}
