/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the result goes, and the directory beside it in which it is made,
 * OUTPUT.measure-sync.XXXXXX. Whoever makes a result holds a lock on that directory, so that the
 * next run for the same output can tell what a killed one left behind, and removes it. */
#ifndef MEASURE_SYNC_RUN_SYNC_TARGET_H
#define MEASURE_SYNC_RUN_SYNC_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

struct sync_target {
	char *path, *making;
	const char *option; /* that names the output */
	bool is_in_place;
	int lock;    /* the descriptor of `making`, locked; children have it, too */
	ino_t inode; /* of `making` */
};

/* `output` is not looked at where it goes in place of the input; `option`: what it was given by.
 * False: it was said why not. */
bool sync_target_make(struct sync_target *target, const char *input, const char *output,
	const char *option, bool is_in_place);

/* The new archive takes its name at one instant; that of an old one becomes `making`. */
bool sync_target_take_name(const struct sync_target *target);

/* Whether it has done so, whoever did it. */
bool sync_target_has_name(const struct sync_target *target);

/* Removes what is left of the making, and of an old archive. */
void sync_target_free(struct sync_target *target);

#endif
