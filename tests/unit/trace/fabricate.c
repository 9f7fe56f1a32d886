/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes a test archive for scripts: fabricate sound|CHECK-ID DIRECTORY. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "violations.h"

static bool edit(struct t_archive *archive, const char *name)
{
	if (!strcmp(name, "sound"))
		return true;
	for (size_t i = 0; i < t_nr_violations; i++) {
		if (strcmp(measure_checks[t_violations[i].check].id, name) != 0)
			continue;
		t_violations[i].edit(archive);
		return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	struct t_archive archive;

	if (argc != 3)
		return 2;
	t_archive_make(&archive);
	if (!edit(&archive, argv[1]) || !t_archive_write(&archive, argv[2])) {
		fprintf(stderr, "fabricate: cannot make %s in %s\n", argv[1], argv[2]);
		return 2;
	}
	t_archive_free(&archive);
	return 0;
}
