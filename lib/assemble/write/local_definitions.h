/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The local definition file of a location, as OTF2 writes it: tables from the ids of the process to
 * those of the archive, and clock offsets. OTF2 clears half a megabyte for each such file, looks at
 * all locations before it, and writes one at a time. */
#ifndef MEASURE_ASSEMBLE_WRITE_LOCAL_DEFINITIONS_H
#define MEASURE_ASSEMBLE_WRITE_LOCAL_DEFINITIONS_H

#include <pthread.h>
#include <stdint.h>

#include "archive_definitions.h"
#include "base/array.h"
#include "base/intern.h"
#include "status.h"

typedef MEASURE_ARRAY(uint8_t) measure_local_bytes_t;

/* The bytes of the file, one chunk. `bytes` may have others before; free() its items. */
measure_status_t measure_local_definitions_encode(
	const struct measure_local_definitions *definitions, measure_local_bytes_t *bytes);

/* How many members of a group take as many bytes. */
uint64_t measure_local_definitions_size(const struct measure_local_definitions *definitions);

/* The files of an archive. Those of the same bytes are one file with several names: processes of a
 * node that do the same have the same tables and offsets, and file systems count files. For
 * threads. */
struct measure_definition_files {
	int directory_fd; /* where they are */
	pthread_mutex_t lock;
	struct measure_intern bytes;
	MEASURE_ARRAY(uint64_t) locations; /* the first ones that have them */
};

void measure_definition_files_open(struct measure_definition_files *files, int directory_fd);
void measure_definition_files_close(struct measure_definition_files *files);

/* MEASURE_ERROR_IO: errno says why. */
measure_status_t measure_definition_files_store(struct measure_definition_files *files,
	uint64_t location, const measure_local_bytes_t *bytes);

#endif
