/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of files that one room writes and another one reads: what is in a run directory.
 *
 *	DIR/traces.otf2			the archive, once assembled
 *	DIR/.parts/job			the job, for measure-repair
 *	DIR/.parts/assembling		somebody assembles: a link to "PID START HOST", a
 *					file where there are no links
 *	DIR/.parts/<part>/		one per process; <part>.done when it is finished,
 *					<part>.off where nothing was recorded; <part>+ of
 *					a child that another process has forked
 *		owner			who is in charge, "PID START HOST"; called `broken` once
 *					that one could not finish the part for want of disk space
 *		rendezvous		where the process asks for its segment
 *		journal keeper		records.def, from the process and from its keeper
 *		<index>.evt		events of a location
 *		<index>.fold		what is known of events that are not kept:
 *				assemble/part/part_fold.h
 *		<index>.cut		messages and collectives among those that are not kept:
 *				assemble/part/part_cut.h
 *		<index>.prof		the profile of a location, where not all events are
 *				kept; once the part is finished
 *		process.evt node.evt	metrics that the keeper has sampled
 *		plugin-0.evt ...	those of a plug-in whose values come one by one
 *	DIR/.parts/.hosts/<host>	its parts, a line each; part_hosts.h
 *	DIR/.parts/.node-<host>		the part whose keeper samples those of the node
 *	DIR/.parts/.shared-<node>	what the keepers of a node tell one another; node_sharing.c
 *	DIR/.parts/.snapshot-<node>-1	who has made it makes DIR/snapshot-1
 *	DIR/.parts/.moved		its time is when a process of the job was last seen to move
 *	DIR/.parts/.hang-<node>-<time>	who has made it prints the roll-call of a hang
 *	DIR/.parts/.said-...		one process of the job has said it
 *	DIR/.parts/.rank-<world>-<rank>	this rank of an MPI world is recorded
 *	DIR/.parts/.ranks-<world>	a link: to "all", or to a file that lists them: size of
 *					the world, ranks, ascending; uint32_t
 *	DIR/.parts/.topology-<node>	what a node consists of, topology_records.def;
 *					made by the keeper that sees to that */
#ifndef MEASURE_FORMAT_RUN_LAYOUT_H
#define MEASURE_FORMAT_RUN_LAYOUT_H

#define MEASURE_ANCHOR_NAME "traces.otf2"

/* Of the archive of a run that does not have all of its events. */
#define MEASURE_KEPT_PROPERTY "MEASURE::KEPT"
#define MEASURE_KEPT_NOTHING  "none"
#define MEASURE_KEPT_LAST_ONES "last"
/* Of these, the first messages and collectives on each side are the same. */
#define MEASURE_ALIGNED_PROPERTY "MEASURE::ALIGNED_AT_CUT"

#define MEASURE_CONFIGURATION_NAME "measure.cfg"

#define MEASURE_SUMMARY_NAME    "summary.txt"
#define MEASURE_PROFILE_NAME    "profile.json"     /* only where not all events are kept */
#define MEASURE_SUGGESTION_NAME "suggested.filter" /* only where there is something to suggest */

#define MEASURE_REPLACEMENT_NAME                                                                   \
	".profile" /* the archive of a profile, complete; see profile_archive.h */

#define MEASURE_PARTS_NAME	".parts"
#define MEASURE_JOB_NAME	"job"
#define MEASURE_ASSEMBLING_NAME "assembling"
#define MEASURE_HOSTS_NAME	".hosts"

#define MEASURE_OWNER_NAME	   "owner"
#define MEASURE_BROKEN_NAME        "broken"
#define MEASURE_RENDEZVOUS_NAME	   "rendezvous"
#define MEASURE_JOURNAL_OF_PROCESS "journal"
#define MEASURE_JOURNAL_OF_KEEPER  "keeper"
#define MEASURE_SAMPLES_OF_PROCESS "process.evt"
#define MEASURE_SAMPLES_OF_NODE    "node.evt"
#define MEASURE_SAMPLES_OF_PLUGIN(number) "plugin-" number ".evt"
#define MEASURE_NODE_FORMAT        ".node-%s"
#define MEASURE_ONCE_NAME                 ".once"
#define MEASURE_SHARED_PREFIX	   ".shared-"
#define MEASURE_STOP_SAID_NAME	   ".said-stop"
#define MEASURE_RATE_SAID_NAME	   ".said-rate"
#define MEASURE_TOPOLOGY_PREFIX	   ".topology-"
#define MEASURE_SNAPSHOT_FORMAT           ".snapshot-%s-%u" /* node, number */
#define MEASURE_MOVED_NAME                ".moved"          /* --hang-after */
#define MEASURE_HANG_FORMAT               ".hang-%s-%lld.%09ld" /* node, time of the last movement */
#define MEASURE_RANK_MARK                 ".rank-%016" PRIx64 "-" /* and the rank */
#define MEASURE_RANKS_PREFIX              ".ranks-"
#define MEASURE_RANKS_DECISION            MEASURE_RANKS_PREFIX "%016" PRIx64
#define MEASURE_RANKS_FIRST               MEASURE_RANKS_DECISION "-first"
#define MEASURE_EVENTS_SUFFIX	   ".evt"
#define MEASURE_FOLD_FORMAT               "%u.fold" /* location's index */
#define MEASURE_CUT_FORMAT                "%u.cut"  /* the same */
#define MEASURE_PROFILE_SUFFIX            ".prof"
#define MEASURE_PROFILE_FORMAT            "%u" MEASURE_PROFILE_SUFFIX /* the same */
#define MEASURE_EVENTS_FORMAT	   "%u" MEASURE_EVENTS_SUFFIX /* location's index */

/* Bytes that are read of them; no such file of ours comes near that. */
#define MEASURE_OWNER_MOST   512
#define MEASURE_JOURNAL_MOST (512 << 20)
#define MEASURE_TOPOLOGY_MOST (16 << 20)

#endif
