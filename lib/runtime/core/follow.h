/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which processes that come from this one are recorded, and where their keepers are asked for.
 * All but the first three are async-signal-safe, and may be called where another process has
 * borrowed our memory. */
#ifndef MEASURE_RUNTIME_CORE_FOLLOW_H
#define MEASURE_RUNTIME_CORE_FOLLOW_H

#include <stdbool.h>

#include "config/settings.h"
#include "format/segment.h"

/* Recording has started in this process. `part`: path of its part's directory. */
void measure_follow_start(const struct measure_segment *segment, const char *part,
	const struct measure_settings *settings);

/* In a forked child: it has a segment and a part of its own, which lies beside its parent's; "": it
 * has not left it. */
void measure_follow_move(const struct measure_segment *segment, const char *part);

/* In a forked child: it is not recorded, nor is anybody that comes from it. */
void measure_follow_end(void);

/* A child that is forked now. */
bool measure_follow_has_children(void);

/* A program that is started now: by exec() here, or (is_child) in a child that is to be. In a child
 * of vfork() both are the same. */
bool measure_follow_has_images(bool is_child);

/* The caller is not the process that is recorded here: it has borrowed its memory, or is a copy of
 * it that nobody has told. */
bool measure_follow_is_guest(void);

/* So many more children will come to our keeper, or fewer. It waits for those on their way. */
void measure_follow_expect(int nr);

/* The same of programs that are started in children: the keeper says how many did not come. */
void measure_follow_expect_image(int nr);

/* So many more, or fewer, that should be recorded are not, as there was no keeper to be had. */
void measure_follow_miss(int nr);

/* Would a program that is started now get the C library that our objects were loaded with? In the
 * root directory of another system it may be an older one, whose loader would end the program. */
bool measure_follow_same_system(void);

/* "MEASURE_PART=..." of this process, for those that come from it; the path alone. */
const char *measure_follow_variable(void);
const char *measure_follow_part(void);

#endif
