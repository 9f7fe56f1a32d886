/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams of threads inside one process: the k-th ThreadTeamBegin of a team communicator on
 * each of its members makes one team instance; its fork is the ThreadFork open on the member
 * that forked it. Barriers are counted within a team instance. */
#include "config.h"

#include "trace/match/match_internal.h"

#include <stdlib.h>

#include "base/array.h"

void stack_push(struct stack *stack, uint32_t item)
{
	*measure_append_item(stack) = item;
}

uint32_t stack_top(const struct stack *stack)
{
	return stack->nr ? stack->items[stack->nr - 1] : MEASURE_NONE;
}

void stack_pop(struct stack *stack)
{
	stack->nr -= stack->nr > 0;
}

void teams_begin_location(struct measure_match *match)
{
	struct teams *teams = &match->teams;

	measure_map_clear(&teams->ordinals);
	teams->open_forks.nr = 0;
	teams->open_teams.nr = 0;
	teams->open_barriers.nr = 0;
}

static void fork_begin(struct measure_match *match, const struct measure_event *event)
{
	struct teams *teams = &match->teams;

	stack_push(&teams->open_forks, teams->nr_forks);
	*measure_append(teams, forks) = (struct fork_half){.fork = point_of(match, event)};
}

static void fork_end(struct measure_match *match, const struct measure_event *event)
{
	struct teams *teams = &match->teams;
	struct measure_point point = point_of(match, event);

	if (stack_top(&teams->open_forks) == MEASURE_NONE) {
		measure_report(match->findings, MEASURE_CHECK_TEAM_NESTING, place_of(&point),
			"ThreadJoin without ThreadFork");
		return;
	}
	teams->forks[stack_top(&teams->open_forks)].join = point;
	teams->forks[stack_top(&teams->open_forks)].has_join = true;
	teams->open_forks.nr--;
}

/* The innermost open fork of this location makes the team, unless it has made one. */
static uint32_t take_fork(struct teams *teams)
{
	uint32_t fork = stack_top(&teams->open_forks);

	if (fork == MEASURE_NONE || teams->forks[fork].has_team)
		return MEASURE_NONE;
	teams->forks[fork].has_team = true;
	return fork;
}

static void team_begin(struct measure_match *match, const struct measure_event *event)
{
	struct teams *teams = &match->teams;
	uint32_t ordinal;

	if (event->ref == MEASURE_NONE)
		return;
	ordinal = measure_map_get(&teams->ordinals, measure_key_of(event->ref));
	if (ordinal == MEASURE_NONE)
		ordinal = 0;
	measure_map_set(&teams->ordinals, measure_key_of(event->ref), ordinal + 1);
	stack_push(&teams->open_teams, teams->nr_teams);
	*measure_append(teams, teams) = (struct team_half){.comm = event->ref,
		.ordinal = ordinal,
		.begin = point_of(match, event),
		.fork = take_fork(teams)};
}

static void team_end(struct measure_match *match, const struct measure_event *event)
{
	struct teams *teams = &match->teams;
	struct measure_point point = point_of(match, event);
	uint32_t open = stack_top(&teams->open_teams);

	if (open == MEASURE_NONE || teams->teams[open].comm != event->ref) {
		measure_report(match->findings, MEASURE_CHECK_TEAM_NESTING, place_of(&point),
			"ThreadTeamEnd of a team that is not the innermost open one");
		return;
	}
	teams->teams[open].end = point;
	teams->teams[open].has_end = true;
	teams->open_teams.nr--;
}

/* MPI_Barrier is a barrier region too, but not one of the team. */
static bool is_barrier_of(const struct measure_match *match, uint32_t region, uint32_t comm)
{
	uint32_t group = match->definitions->comms[comm].groups[0];

	return group < match->definitions->nr_groups &&
	       match->definitions->groups[group].paradigm ==
		       match->definitions->regions[region].paradigm;
}

static void barrier_enter(struct measure_match *match, const struct measure_event *event)
{
	struct teams *teams = &match->teams;
	uint32_t open = stack_top(&teams->open_teams);
	struct team_half *team;

	if (open == MEASURE_NONE || !is_barrier_of(match, event->ref, teams->teams[open].comm))
		return;
	team = &teams->teams[open];
	stack_push(&teams->open_barriers, teams->nr_barriers);
	*measure_append(teams, barriers) = (struct barrier_half){.comm = team->comm,
		.ordinal = team->ordinal,
		.barrier = team->nr_barriers++,
		.region = event->ref,
		.enter = point_of(match, event)};
}

static void barrier_leave(struct measure_match *match, const struct measure_event *event)
{
	struct teams *teams = &match->teams;
	uint32_t open = stack_top(&teams->open_barriers);

	if (open == MEASURE_NONE || teams->barriers[open].region != event->ref)
		return;
	teams->barriers[open].leave = point_of(match, event);
	teams->barriers[open].has_leave = true;
	teams->open_barriers.nr--;
}

void teams_next_barrier(const struct measure_match *match, uint32_t comm, struct barrier_key *key)
{
	const struct teams *teams = &match->teams;
	uint32_t open = stack_top(&teams->open_teams);

	if (open != MEASURE_NONE && teams->teams[open].comm == comm)
		*key = (struct barrier_key){
			comm, teams->teams[open].ordinal, teams->teams[open].nr_barriers};
}

void teams_event(struct measure_match *match, const struct measure_event *event)
{
	switch (event->kind) {
	case MEASURE_EVENT_THREAD_FORK:
		fork_begin(match, event);
		break;
	case MEASURE_EVENT_THREAD_JOIN:
		fork_end(match, event);
		break;
	case MEASURE_EVENT_THREAD_TEAM_BEGIN:
		team_begin(match, event);
		break;
	case MEASURE_EVENT_THREAD_TEAM_END:
		team_end(match, event);
		break;
	case MEASURE_EVENT_ENTER:
		barrier_enter(match, event);
		break;
	case MEASURE_EVENT_LEAVE:
		barrier_leave(match, event);
		break;
	}
}

static int compare_teams(const void *left, const void *right)
{
	const struct team_half *a = left, *b = right;

	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->ordinal != b->ordinal)
		return a->ordinal < b->ordinal ? -1 : 1;
	return a->begin.location < b->begin.location ? -1 : 1;
}

static int compare_barriers(const void *left, const void *right)
{
	const struct barrier_half *a = left, *b = right;

	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->ordinal != b->ordinal)
		return a->ordinal < b->ordinal ? -1 : 1;
	if (a->barrier != b->barrier)
		return a->barrier < b->barrier ? -1 : 1;
	return a->enter.location < b->enter.location ? -1 : 1;
}

/* A thread may learn that its team is over only when it is needed again, which never happens
 * to it where the process ends first: the join tells that it had no more to do. */
static void check_ends(struct measure_match *match, const struct team_half *members, size_t nr)
{
	bool is_cut = measure_match_is_cut(match, match->process), is_joined = false;

	for (size_t i = 0; i < nr; i++)
		is_joined |= members[i].fork != MEASURE_NONE &&
			     match->teams.forks[members[i].fork].has_join;
	for (size_t i = 0; i < nr; i++)
		if (!members[i].has_end)
			measure_report_excused(match->findings, MEASURE_CHECK_TEAM_OPEN,
				is_cut || (is_joined && members[i].fork == MEASURE_NONE),
				place_of(&members[i].begin), "%s is never ended here",
				match->definitions->comms[members->comm].label);
}

static void check_members(
	struct measure_match *match, const struct team_half *members, size_t nr, uint32_t nr_forks)
{
	const struct measure_comm *comm = &match->definitions->comms[members->comm];
	bool is_cut = measure_match_is_cut(match, match->process);
	uint32_t group = comm->groups[0];
	uint32_t expected = group < match->definitions->nr_groups
				    ? match->definitions->groups[group].nr_members
				    : nr;

	if (nr_forks != 1)
		measure_report_excused(match->findings, MEASURE_CHECK_TEAM_FORK, is_cut,
			place_of(&members->begin),
			"%s, instance %u: %u of its members forked it", comm->label,
			members->ordinal, nr_forks);
	if (nr != expected && !measure_group_is_self(match->definitions, group))
		measure_report_excused(match->findings, MEASURE_CHECK_TEAM_INCOMPLETE, is_cut,
			place_of(&members->begin),
			"%s, instance %u: %zu of %u members took part", comm->label,
			members->ordinal, nr, expected);
	check_ends(match, members, nr);
}

/* One team instance: the fork before all begins, all ends before the join. */
static void hand_out_team(struct measure_match *match, const struct team_half *members, size_t nr)
{
	const struct fork_half *fork = NULL;
	uint32_t nr_forks = 0;

	for (size_t i = 0; i < nr; i++) {
		if (members[i].fork == MEASURE_NONE)
			continue;
		fork = &match->teams.forks[members[i].fork];
		nr_forks++;
	}
	check_members(match, members, nr, nr_forks);
	if (nr_forks != 1)
		return;
	instance_add_send(match, &fork->fork);
	for (size_t i = 0; i < nr; i++)
		instance_add_receive(match, &members[i].begin);
	instance_hand_out(match, MEASURE_RELATION_FORK, members->comm, 0, members->ordinal);
	for (size_t i = 0; i < nr; i++)
		if (members[i].has_end)
			instance_add_send(match, &members[i].end);
	if (fork->has_join)
		instance_add_receive(match, &fork->join);
	instance_hand_out(match, MEASURE_RELATION_JOIN, members->comm, 0, members->ordinal);
}

static void hand_out_teams(struct measure_match *match)
{
	struct teams *teams = &match->teams;
	size_t end;

	measure_sort(teams->teams, teams->nr_teams, compare_teams);
	for (size_t i = 0; i < teams->nr_teams; i = end) {
		for (end = i; end < teams->nr_teams; end++)
			if (teams->teams[end].comm != teams->teams[i].comm ||
				teams->teams[end].ordinal != teams->teams[i].ordinal)
				break;
		hand_out_team(match, teams->teams + i, end - i);
	}
}

/* How many members a team instance had; the teams are sorted by now. */
static size_t team_size(const struct teams *teams, uint32_t comm, uint32_t ordinal)
{
	const struct team_half *team = teams->teams, *end = team + teams->nr_teams;
	size_t nr = 0;

	team += measure_count_first(teams->nr_teams, i,
		team[i].comm < comm || (team[i].comm == comm && team[i].ordinal < ordinal));
	for (; team < end && team->comm == comm && team->ordinal == ordinal; team++)
		nr++;
	return nr;
}

static void hand_out_barrier(
	struct measure_match *match, const struct barrier_half *members, size_t nr)
{
	size_t expected = team_size(&match->teams, members->comm, members->ordinal);

	if (nr != expected)
		measure_report_excused(match->findings, MEASURE_CHECK_BARRIER_INCOMPLETE,
			measure_match_is_cut(match, match->process), place_of(&members->enter),
			"barrier %u of %s, instance %u: %zu of %zu threads took part",
			members->barrier, match->definitions->comms[members->comm].label,
			members->ordinal, nr, expected);
	for (size_t i = 0; i < nr; i++) {
		instance_add_send(match, &members[i].enter);
		if (members[i].has_leave)
			instance_add_receive(match, &members[i].leave);
	}
	instance_hand_out(
		match, MEASURE_RELATION_THREAD_BARRIER, members->comm, 0, members->barrier);
	waits_hand_out_barrier(match, members, nr);
}

static void hand_out_barriers(struct measure_match *match)
{
	struct teams *teams = &match->teams;
	size_t end;

	measure_sort(teams->barriers, teams->nr_barriers, compare_barriers);
	for (size_t i = 0; i < teams->nr_barriers; i = end) {
		for (end = i; end < teams->nr_barriers; end++)
			if (teams->barriers[end].comm != teams->barriers[i].comm ||
				teams->barriers[end].ordinal != teams->barriers[i].ordinal ||
				teams->barriers[end].barrier != teams->barriers[i].barrier)
				break;
		hand_out_barrier(match, teams->barriers + i, end - i);
	}
}

static void check_forks(struct measure_match *match)
{
	struct teams *teams = &match->teams;

	for (size_t i = 0; i < teams->nr_forks; i++)
		if (!teams->forks[i].has_join)
			measure_report_excused(match->findings, MEASURE_CHECK_TEAM_OPEN,
				measure_match_is_cut(match, match->process),
				place_of(&teams->forks[i].fork), "ThreadFork without ThreadJoin");
}

void teams_end_process(struct measure_match *match)
{
	struct teams *teams = &match->teams;

	hand_out_teams(match);
	hand_out_barriers(match);
	check_forks(match);
	teams->nr_teams = 0;
	teams->nr_forks = 0;
	teams->nr_barriers = 0;
}

void teams_free(struct teams *teams)
{
	measure_map_free(&teams->ordinals);
	measure_free(teams->teams);
	measure_free(teams->forks);
	measure_free(teams->barriers);
	measure_free(teams->open_forks.items);
	measure_free(teams->open_teams.items);
	measure_free(teams->open_barriers.items);
}
