/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The request map: a table with open addressing whose slots head chains of nodes, newest
 * first (several requests may share a handle). Nodes lie in one array and are named by
 * index; table and array grow and shrink together, so each operation costs O(1) amortised. */
#include "config.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "requests.h"

#define NR_MIN  64u
#define NO_NODE UINT32_MAX

struct node {
	uint64_t handle;
	uint64_t number; /* of its adding; see the horizon */
	struct measure_request request;
	uint32_t older; /* next in chain, or next free node */
};

/* nr_slots is a power of two and twice the number of nodes, so a slot is always empty. */
struct map {
	uint32_t nr_slots;
	uint32_t nr_used;
	uint32_t free; /* head of the free nodes */
	uint32_t *slots;
	struct node *nodes;
};

bool measure_mpi_is_multiple;

static struct map map = {.free = NO_NODE};
static atomic_flag map_lock = ATOMIC_FLAG_INIT;
static _Atomic uint64_t nr_ids;
static _Atomic uint64_t nr_added;
static _Atomic uint32_t nr_live; /* map.nr_used, readable without the lock */

static void lock_map(void)
{
	measure_spin_lock(&map_lock);
}

static void unlock_map(void)
{
	measure_spin_unlock(&map_lock);
}

/* A plain increment where one thread at a time calls MPI: a locked one costs 5 ns more. */
static uint64_t count_up(_Atomic uint64_t *counter, uint64_t by)
{
	uint64_t value;

	if (measure_mpi_is_multiple)
		return atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
	value = atomic_load_explicit(counter, memory_order_relaxed);
	atomic_store_explicit(counter, value + by, memory_order_relaxed);
	return value;
}

uint64_t measure_request_new_id(void)
{
	return count_up(&nr_ids, 1);
}

uint64_t measure_request_new_pair(void)
{
	return count_up(&nr_ids, 2);
}

uint64_t measure_request_horizon(void)
{
	return atomic_load_explicit(&nr_added, memory_order_relaxed);
}

bool measure_request_is_any(void)
{
	return atomic_load_explicit(&nr_live, memory_order_relaxed) != 0;
}

/* Handles are addresses or small numbers; the product spreads both over the upper bits. */
static uint32_t home_slot(const struct map *m, uint64_t handle)
{
	return (uint32_t)((handle * 0x9e3779b97f4a7c15u) >> 32) & (m->nr_slots - 1);
}

/* The slot that heads the handle's chain, or the empty one where it would. */
static uint32_t find_slot(const struct map *m, uint64_t handle)
{
	uint32_t slot = home_slot(m, handle);

	while (m->slots[slot] != NO_NODE && m->nodes[m->slots[slot]].handle != handle)
		slot = (slot + 1) & (m->nr_slots - 1);
	return slot;
}

static bool map_allocate(struct map *m, uint32_t nr_nodes)
{
	m->nr_slots = 2 * nr_nodes;
	m->nr_used = 0;
	m->slots = malloc(m->nr_slots * sizeof(*m->slots));
	m->nodes = malloc(nr_nodes * sizeof(*m->nodes));
	if (!m->slots || !m->nodes)
		goto undo_allocate;
	for (uint32_t i = 0; i < m->nr_slots; i++)
		m->slots[i] = NO_NODE;
	for (uint32_t i = 0; i < nr_nodes; i++)
		m->nodes[i].older = i + 1 < nr_nodes ? i + 1 : NO_NODE;
	m->free = 0;
	return true;

undo_allocate:
	free(m->slots);
	free(m->nodes);
	return false;
}

/* Moves the chain of one slot of `from` into the empty map `to`, order kept. */
static void move_chain(const struct map *from, uint32_t head, struct map *to)
{
	uint32_t *link = &to->slots[find_slot(to, from->nodes[head].handle)];

	for (uint32_t i = head; i != NO_NODE; i = from->nodes[i].older) {
		const uint32_t node = to->free;

		to->free = to->nodes[node].older;
		to->nodes[node] = from->nodes[i];
		*link = node;
		link = &to->nodes[node].older;
		to->nr_used++;
	}
	*link = NO_NODE;
}

/* False where memory is short: the map stays as it is. */
static bool map_resize(uint32_t nr_nodes)
{
	struct map resized;

	if (!map_allocate(&resized, nr_nodes))
		return false;
	for (uint32_t slot = 0; slot < map.nr_slots; slot++)
		if (map.slots[slot] != NO_NODE)
			move_chain(&map, map.slots[slot], &resized);
	free(map.slots);
	free(map.nodes);
	map = resized;
	return true;
}

static void add_locked(uint64_t handle, const struct measure_request *request)
{
	uint32_t slot;
	uint32_t node;

	if (map.free == NO_NODE &&
		!map_resize(map.nr_slots ? map.nr_slots : NR_MIN)) /* twice as many nodes */
		return;
	slot = find_slot(&map, handle);
	node = map.free;
	map.free = map.nodes[node].older;
	map.nodes[node] = (struct node){
		.handle = handle,
		.number = count_up(&nr_added, 1),
		.request = *request,
		.older = map.slots[slot],
	};
	map.slots[slot] = node;
	atomic_store_explicit(&nr_live, ++map.nr_used, memory_order_relaxed);
}

void measure_request_add(MPI_Request handle, const struct measure_request *request)
{
	lock_map();
	add_locked((uint64_t)(uintptr_t)handle, request);
	unlock_map();
}

/* Empties a slot and moves the following ones up, so that no search meets a gap. */
static void remove_slot(uint32_t slot)
{
	const uint32_t mask = map.nr_slots - 1;
	uint32_t gap = slot;

	for (uint32_t next = (gap + 1) & mask; map.slots[next] != NO_NODE;
		next = (next + 1) & mask) {
		const uint32_t home = home_slot(&map, map.nodes[map.slots[next]].handle);

		if (((next - home) & mask) >= ((next - gap) & mask)) {
			map.slots[gap] = map.slots[next];
			gap = next;
		}
	}
	map.slots[gap] = NO_NODE;
}

/* The link to the newest node of a handle below the horizon; NULL: none. */
static uint32_t *find_link(uint64_t handle, uint64_t horizon, uint32_t *slot)
{
	uint32_t *link;

	if (map.nr_used == 0)
		return NULL;
	*slot = find_slot(&map, handle);
	link = &map.slots[*slot];
	while (*link != NO_NODE && map.nodes[*link].number >= horizon)
		link = &map.nodes[*link].older;
	return *link == NO_NODE ? NULL : link;
}

static bool take_locked(uint64_t handle, uint64_t horizon, struct measure_request *request)
{
	uint32_t slot;
	uint32_t *link = find_link(handle, horizon, &slot);
	uint32_t node;

	if (!link)
		return false;
	node = *link;
	*request = map.nodes[node].request;
	*link = map.nodes[node].older;
	if (map.slots[slot] == NO_NODE)
		remove_slot(slot);
	map.nodes[node].older = map.free;
	map.free = node;
	atomic_store_explicit(&nr_live, --map.nr_used, memory_order_relaxed);
	if (map.nr_slots > 2 * NR_MIN && map.nr_used < map.nr_slots / 16)
		map_resize(map.nr_slots / 4);
	return true;
}

bool measure_request_take(MPI_Request handle, uint64_t horizon, struct measure_request *request)
{
	bool is_found;

	lock_map();
	is_found = take_locked((uint64_t)(uintptr_t)handle, horizon, request);
	unlock_map();
	return is_found;
}

/* Requests and messages share the map; no handle of a request has this bit. */
static uint64_t handle_of_message(MPI_Message message)
{
	return (uint64_t)(uintptr_t)message ^ 1ull << 63;
}

void measure_message_add(MPI_Message message, const struct measure_request *receive)
{
	lock_map();
	add_locked(handle_of_message(message), receive);
	unlock_map();
}

bool measure_message_take(MPI_Message message, struct measure_request *receive)
{
	bool is_found;

	lock_map();
	is_found = take_locked(handle_of_message(message), UINT64_MAX, receive);
	unlock_map();
	return is_found;
}

/* The newest request of a handle below the horizon; NULL: none. */
static struct measure_request *find_request(MPI_Request handle, uint64_t horizon)
{
	uint32_t slot;
	const uint32_t *link = find_link((uint64_t)(uintptr_t)handle, horizon, &slot);

	return link ? &map.nodes[*link].request : NULL;
}

bool measure_request_look_up(MPI_Request handle, struct measure_request *request)
{
	const struct measure_request *found;
	bool is_found;

	lock_map();
	found = find_request(handle, UINT64_MAX);
	is_found = found && found->is_persistent;
	if (is_found)
		*request = *found;
	unlock_map();
	return is_found;
}

void measure_request_activate(MPI_Request handle, bool is_recorded)
{
	struct measure_request *request;

	lock_map();
	request = find_request(handle, UINT64_MAX);
	if (request && request->is_persistent) {
		request->is_active = true;
		request->is_cancelled = false;
		request->is_silent = !is_recorded;
	}
	unlock_map();
}

bool measure_request_finish(MPI_Request handle, uint64_t horizon, struct measure_request *request)
{
	struct measure_request *found;
	bool is_found;

	lock_map();
	found = find_request(handle, horizon);
	is_found = found && found->is_persistent && found->is_active;
	if (is_found) {
		*request = *found;
		found->is_active = false;
	}
	unlock_map();
	return is_found;
}

void measure_request_mark_cancelled(MPI_Request handle)
{
	struct measure_request *request;

	lock_map();
	request = find_request(handle, UINT64_MAX);
	if (request)
		request->is_cancelled = true;
	unlock_map();
}
