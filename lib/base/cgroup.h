/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much memory the control groups of this process allow. Not for the recording process. */
#ifndef MEASURE_BASE_CGROUP_H
#define MEASURE_BASE_CGROUP_H

#include <stdint.h>

/* The least limit of the groups that this process is in, of both versions, and of those above
 * them, as far as they can be seen; UINT64_MAX: none. `root` stands before /proc and all else
 * that is read: "" but in tests. */
uint64_t measure_cgroup_memory(const char *root);

#endif
