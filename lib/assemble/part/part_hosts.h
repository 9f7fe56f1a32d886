/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which parts each host has: DIR/.parts/.hosts/HOST lists their names, a line each, and a line "."
 * once the last keeper there has looked in vain for another one. A keeper that ends finds here, in a few
 * looks, that others will see to the rest. Where a list lacks something all parts have to be
 * counted (part_directory.h): lists only save that, for every keeper of a large job but the last ones. */
#ifndef MEASURE_ASSEMBLE_PART_PART_HOSTS_H
#define MEASURE_ASSEMBLE_PART_PART_HOSTS_H

#include <stdbool.h>

/* A part of this host begins. */
void measure_hosts_add(int parts_fd, const char *part);

/* Another part of this host is in work, and its keeper lives. */
bool measure_hosts_has_kept(int parts_fd);

/* This host has no keeper any more but this one; a part that begins later changes that. */
void measure_hosts_finish(int parts_fd);

/* A host, other than this one, that is not finished. */
bool measure_hosts_find_open(int parts_fd, char host[256]);
bool measure_hosts_is_open(int parts_fd, const char *host);

#endif
