/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers of the panels that show a task program, as plain arrays for who draws or prints them.
 * doc/task-panels.md says what each panel is. */
#ifndef MEASURE_ANALYSIS_TASK_PANELS_TASK_PANELS_H
#define MEASURE_ANALYSIS_TASK_PANELS_TASK_PANELS_H

#include "analysis/task_statistics/regression.h"
#include "task_view.h"
#include "trace/common/containers.h"

enum measure_task_panel_kind {
	MEASURE_PANEL_LINE,  /* a curve for each group: means of slices */
	MEASURE_PANEL_AREA,  /* the same, groups of a row stacked */
	MEASURE_PANEL_HEAT,  /* the same, as colours */
	MEASURE_PANEL_GANTT, /* boxes in rows, which are the groups */
	MEASURE_PANEL_BARS   /* no time: a value for each group and column */
};

enum measure_task_panel_id {
#define PANEL(NAME, id, starvz, title, unit, KIND, function) MEASURE_TASK_PANEL_##NAME,
#include "panels.def"
#undef PANEL
	MEASURE_NR_TASK_PANELS
};

struct measure_task_panel_info {
	const char *id;
	const char *starvz; /* what StarVZ calls it, names separated by blanks; "": as here */
	const char *title;
	const char *unit;
	enum measure_task_panel_kind kind;
};

extern const struct measure_task_panel_info measure_task_panel_infos[MEASURE_NR_TASK_PANELS];

/* By its name here or in StarVZ; MEASURE_NR_TASK_PANELS: there is none. */
enum measure_task_panel_id measure_task_panel_find(const char *name);

/* All zero but process and type, which are MEASURE_NONE: what is usual. */
struct measure_task_panel_options {
	uint64_t from, until; /* ticks since the start of the trace; 0, 0: application tasks */
	uint64_t step;        /* ticks; 0: a thousandth of that, rounded up */
	uint32_t process;     /* only of this location group; MEASURE_NONE: of all */
	uint32_t type;        /* that weights workers (power-imbalance); MEASURE_NONE: chosen */
	double threshold;     /* lack of ready: tasks; 0: the fewest workers of a process */
	bool has_model;       /* outliers by `model`, of tasks with operations; else by the fence */
	enum measure_duration_model model;
	uint64_t least_pure; /* st-dynamic: ticks from which a task is not merged; 0: longest
				outlier */
};

struct measure_task_box {
	uint64_t start, end; /* ticks since the start of the trace */
	uint32_t group;
	/* type of task, worker state, memory node that data come from, or enum
	 * measure_data_state */
	uint32_t what;
	uint32_t task; /* or transfer; MEASURE_NONE: several, or none */
	bool is_outlier;
	float share; /* of the box that is filled: 1, but of merged tasks and of types in them */
};

/* Of handles. */
enum measure_data_state { MEASURE_DATA_OWNED, MEASURE_DATA_SHARED };

struct measure_task_panel_group {
	char *name;
	uint32_t row;     /* groups of one row are stacked; of other panels each has its own */
	uint32_t process; /* location group; MEASURE_NONE: none alone */
	uint32_t worker;  /* or MEASURE_NONE */
	uint32_t class;   /* or MEASURE_NONE */
	uint32_t what;    /* as that of boxes; or MEASURE_NONE */
};

struct measure_task_panel {
	enum measure_task_panel_id id;
	struct measure_slices slices; /* of boxes only the window */
	MEASURE_GROWING(struct measure_task_panel_group, groups);
	size_t nr_columns; /* of values: slices, or the names of bars */
	const char *const *columns;
	double *values; /* [group * nr_columns + column]; NAN: none; NULL: boxes only */
	MEASURE_GROWING(struct measure_task_box, boxes); /* by group and start */
};

/* Always valid; without groups where the trace has nothing to show. */
void measure_task_panel_make(const struct measure_task_view *view, enum measure_task_panel_id id,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel);
void measure_task_panel_free(struct measure_task_panel *panel);

/* Which application tasks are outliers among those of their type and class, by the model; zero
 * bytes for the others. To be freed by measure_free(). */
uint8_t *measure_task_outliers(
	const struct measure_task_view *view, enum measure_duration_model model);

#endif
