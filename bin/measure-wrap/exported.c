/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the dynamic symbols of a shared object; see exported.h. */
#include "config.h"

#include "exported.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"

bool wrap_symbol_is_special(const char *symbol)
{
	static const char *const names[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp",
		"getcontext", "swapcontext", "vfork", "__vfork", "dlsym", "dlvsym", "dlopen",
		"dlmopen", "_init", "_fini", "main", "__tls_get_addr", "_dl_find_object"};
	static const char *const stems[] = {
		"__cxa_", "_Unwind_", "__gxx_", "__cyg_profile", "_dl_", "__libc_", "measure_"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(symbol, names[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++)
		if (strncmp(symbol, stems[i], strlen(stems[i])) == 0)
			return true;
	return false;
}

/* Sections that name the versions of symbols. */
struct versions {
	Elf_Data *numbers, *definitions;
	size_t strings; /* section */
	size_t nr;      /* of definitions */
};

static const char *version_name(Elf *elf, const struct versions *versions, unsigned int number)
{
	GElf_Verdef definition;
	GElf_Verdaux name;
	int offset = 0;

	for (size_t i = 0; versions->definitions && i < versions->nr; i++) {
		if (!gelf_getverdef(versions->definitions, offset, &definition))
			return NULL;
		if (definition.vd_ndx == number && !(definition.vd_flags & VER_FLG_BASE) &&
			gelf_getverdaux(
				versions->definitions, offset + (int)definition.vd_aux, &name))
			return elf_strptr(elf, versions->strings, name.vda_name);
		offset += (int)definition.vd_next;
	}
	return NULL;
}

static void exports_read(
	Elf *elf, Elf_Scn *section, const struct versions *versions, wrap_exports_t *exports)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	GElf_Versym number;
	Elf_Data *data = elf_getdata(section, NULL);

	if (!data || !gelf_getshdr(section, &header) || header.sh_entsize == 0)
		return;
	for (int i = 1; i < (int)(header.sh_size / header.sh_entsize); i++) {
		if (!gelf_getsym(data, i, &symbol) || symbol.st_shndx == SHN_UNDEF ||
			GELF_ST_BIND(symbol.st_info) == STB_LOCAL ||
			GELF_ST_VISIBILITY(symbol.st_other) == STV_HIDDEN ||
			(GELF_ST_TYPE(symbol.st_info) != STT_FUNC &&
				GELF_ST_TYPE(symbol.st_info) != STT_GNU_IFUNC))
			continue;
		struct wrap_export one = {.symbol = elf_strptr(elf, header.sh_link, symbol.st_name),
			.is_default = true};
		if (versions->numbers && gelf_getversym(versions->numbers, i, &number)) {
			one.version = version_name(elf, versions, number & 0x7fff);
			one.is_default = !(number & 0x8000);
		}
		if (one.symbol && *one.symbol)
			wrap_push(exports, one);
	}
}

static int compare_exports(const void *a, const void *b)
{
	const struct wrap_export *first = a, *second = b;
	int order = strcmp(first->symbol, second->symbol);

	return order ? order : (int)second->is_default - (int)first->is_default;
}

static bool elf_take_exports(Elf *elf, wrap_exports_t *exports)
{
	struct versions versions = {0};
	Elf_Scn *section = NULL, *symbols = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			return false;
		if (header.sh_type == SHT_DYNSYM) {
			symbols = section;
		} else if (header.sh_type == SHT_GNU_versym) {
			versions.numbers = elf_getdata(section, NULL);
		} else if (header.sh_type == SHT_GNU_verdef) {
			versions.definitions = elf_getdata(section, NULL);
			versions.strings = header.sh_link;
			versions.nr = header.sh_info;
		}
	}
	if (symbols)
		exports_read(elf, symbols, &versions, exports);
	measure_array_sort(exports, compare_exports);
	return symbols;
}

bool wrap_exports_read(const char *path, wrap_exports_t *exports)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	GElf_Ehdr header;

	if (fd < 0) {
		measure_cli_say(
			"%s: %s: give the path of the shared object", path, strerror(errno));
		return false;
	}
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL); /* for good: names stay in it */
	if (elf && gelf_getehdr(elf, &header) && header.e_type == ET_DYN &&
		elf_take_exports(elf, exports))
		return true;
	measure_cli_say(
		"%s: not a shared object: give the file that programs load (lib*.so.N)", path);
	return false;
}

const struct wrap_export *wrap_export_find(const wrap_exports_t *exports, const char *symbol)
{
	size_t at =
		measure_count_first(exports->nr, i, strcmp(exports->items[i].symbol, symbol) < 0);

	return at < exports->nr && strcmp(exports->items[at].symbol, symbol) == 0
		       ? &exports->items[at]
		       : NULL;
}
