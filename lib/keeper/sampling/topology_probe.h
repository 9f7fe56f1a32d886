/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts the process that examines the topology of the node: once per node of a run, some time
 * after the start of a program that still runs. */
#ifndef MEASURE_KEEPER_SAMPLING_TOPOLOGY_PROBE_H
#define MEASURE_KEEPER_SAMPLING_TOPOLOGY_PROBE_H

#include <stdint.h>
#include <sys/types.h>

#include "keeper/process/keeper.h"
#include "keeper/process/monitor.h"

struct measure_topology_probe {
	const struct measure_keeper *keeper;
	_Atomic uint32_t is_starting; /* a thread is at it, as the disk may hang */
	_Atomic pid_t pid;            /* 0: none was started */
};

/* Begins anew. Who watches the program starts it when it is due, unless another keeper of this node
 * has. `discovery` lasts as long as the keeper. */
void measure_topology_probe_plan(struct measure_topology_probe *discovery,
	const struct measure_keeper *keeper, struct measure_monitor *watch);

/* Where it was started: returns when it is through, or soon. Before the part is done: what it finds
 * is there for whoever assembles. */
void measure_topology_probe_await(const struct measure_topology_probe *discovery);

#endif
