/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Flags; see flags.h. */
#include "config.h"

#include "flags.h"

#include <fcntl.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct flag {
	int bits;
	uint32_t otf2;
};

static const struct flag creation[] = {
#define CREATION(bits, NAME) {bits, OTF2_IO_CREATION_FLAG_##NAME},
#define STATUS(bits, NAME)
#include "flags.def"
#undef CREATION
#undef STATUS
};

static const struct flag status[] = {
#define CREATION(bits, NAME)
#define STATUS(bits, NAME) {bits, OTF2_IO_STATUS_FLAG_##NAME},
#include "flags.def"
#undef CREATION
#undef STATUS
};

static uint32_t flag_find(const struct flag *known, size_t nr, int flags)
{
	uint32_t found = 0;

	for (size_t i = 0; i < nr; i++)
		if ((flags & known[i].bits) == known[i].bits)
			found |= known[i].otf2;
	return found;
}

uint8_t measure_access_of(int flags)
{
	switch (flags & O_ACCMODE) {
	case O_RDONLY:
		return OTF2_IO_ACCESS_MODE_READ_ONLY;
	case O_WRONLY:
		return OTF2_IO_ACCESS_MODE_WRITE_ONLY;
	default:
		return OTF2_IO_ACCESS_MODE_READ_WRITE;
	}
}

uint32_t measure_creation_of(int flags)
{
	return flag_find(creation, sizeof(creation) / sizeof(*creation), flags);
}

uint32_t measure_status_of(int flags)
{
	return flag_find(status, sizeof(status) / sizeof(*status), flags);
}

int measure_flags_of_mode(const char *mode)
{
	const size_t length = strcspn(mode, ",");
	const bool is_both = memchr(mode, '+', length);
	int flags = is_both ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;

	if (*mode == 'w')
		flags |= O_CREAT | O_TRUNC;
	else if (*mode == 'a')
		flags |= O_CREAT | O_APPEND;
	if (memchr(mode, 'x', length))
		flags |= O_EXCL;
	if (memchr(mode, 'e', length))
		flags |= O_CLOEXEC;
	return flags;
}
