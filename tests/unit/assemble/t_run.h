/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of tests: a run directory with parts of made-up processes, until it is
 * assembled and looked at. */
#ifndef MEASURE_TESTS_T_RUN_H
#define MEASURE_TESTS_T_RUN_H

#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdbool.h>
#include <stdint.h>

#include "assemble/write/assemble.h"
#include "t_part.h"

#define MPI      OTF2_PARADIGM_MPI
#define OPENMP   OTF2_PARADIGM_OPENMP
#define COMPILER OTF2_PARADIGM_COMPILER

extern const struct measure_def_end t_exited, t_killed;
extern char t_directory[64];

void t_begin(void);
void t_finish(void);

/* Exit status of a command; %s (once, or as %1$s) is the run directory. */
int t_run(const char *format);

bool t_has(const char *name);

/* Says why not. */
measure_status_t t_assemble(struct measure_assemble_report *report);

/* Stock tools read it without a word. */
void t_check_archive(void);

struct measure_def_process t_process(uint32_t rank, uint64_t domain, uint64_t begin);
void t_regions(struct t_part *part);

/* A run of one process, `a.done`, that has begun at 1000, with these regions. */
void t_begin_one(struct t_part *part);

void t_world(struct t_part *part, uint32_t rank, uint32_t size);

/* All of a process that sends to the next and receives from the one before, with a team of two;
 * its clock shows `shift` more than that of domain 1. */
void t_rank(uint32_t rank, uint32_t size, uint64_t domain, int64_t shift, bool has_samples);

#endif
