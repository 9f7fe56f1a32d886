/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compensated runs; see compensated_runs.h. measure-sync removes the cost of the events from the
 * times in an archive; by what the time from the first to the last event is shorter then, the run
 * would have been, and it would have ended with the last event: what comes behind is the assembly
 * of the archive, mostly. */
#include "config.h"

#include "compensated_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/json_text.h"
#include "cli/run_tool.h"
#include "costs/event_costs.h"
#include "statistics.h"

#define PROGRAM "measure-sync"

static const char *const method_words[NR_COMPENSATED_METHODS] = {"frequency", "classic"};

bool compensated_runs_start(
	struct compensated_runs *runs, uint32_t nr, const double *plain, const double *recorded)
{
	*runs = (struct compensated_runs){.nr = nr, .plain = plain, .recorded = recorded};
	for (int i = 0; i < NR_COMPENSATED_METHODS; i++) {
		runs->seconds[i] = calloc(nr, sizeof(double));
		if (!runs->seconds[i])
			return false;
	}
	runs->rest = calloc(nr, sizeof(double));
	runs->gains = calloc(nr, sizeof(double));
	return runs->rest && runs->gains;
}

void compensated_runs_free(struct compensated_runs *runs)
{
	for (int i = 0; i < NR_COMPENSATED_METHODS; i++)
		free(runs->seconds[i]);
	free(runs->rest);
	free(runs->gains);
}

/* --------------------------------------------------------------------- measure-sync --- */

/* In the child. */
static void become_sync(
	const char *archive, const char *scratch, const char *method, int output, int errors)
{
	char option[64], path[PATH_MAX];
	const int null = open("/dev/null", O_RDONLY);

	dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(errors, STDERR_FILENO);
	measure_tool_find(PROGRAM, path);
	snprintf(option, sizeof(option), "--compensate=%s", method);
	execl(path, PROGRAM, option, "--json", "-o", scratch, "--", archive, (char *)NULL);
	measure_cli_say("%s: cannot execute: %s", path, strerror(errno));
	_exit(MEASURE_EXIT_CANNOT);
}

/* Its exit status, MEASURE_EXIT_CANNOT where a signal has ended it. */
static int run_sync(
	const char *archive, const char *scratch, const char *method, FILE *output, FILE *errors)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0)
		become_sync(archive, scratch, method, fileno(output), fileno(errors));
	if (child < 0)
		return MEASURE_EXIT_CANNOT;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : MEASURE_EXIT_CANNOT;
}

/* What stands behind a name of the object `compensation`; false: it has no such number. */
static bool find_number(const char *text, const char *name, double *number)
{
	const char *object = strstr(text, "\"compensation\""), *found;
	char quoted[64], *end;

	snprintf(quoted, sizeof(quoted), "\"%s\":", name);
	found = object ? strstr(object, quoted) : NULL;
	if (!found)
		return false;
	*number = strtod(found + strlen(quoted), &end);
	return end != found + strlen(quoted);
}

/* Seconds by which the run is shorter when compensated, and when its last event was. */
static bool read_gain(FILE *output, double *gain, double *ended)
{
	double before = 0, after = 0;
	size_t size = 0;
	char *text = NULL;
	bool is_read;

	rewind(output);
	is_read = getdelim(&text, &size, '\0', output) > 0 &&
		  find_number(text, "before", &before) && find_number(text, "after", &after) &&
		  find_number(text, "ended", ended);
	free(text);
	*gain = before - after;
	return is_read;
}

/* The first line that it has said, or what mostly is the reason. */
static void read_problem(struct compensated_runs *runs, FILE *errors)
{
	char path[PATH_MAX];

	rewind(errors);
	if (!measure_event_costs_usual_path(path, false) || access(path, F_OK) != 0)
		snprintf(runs->problem, sizeof(runs->problem),
			"it is not known what events cost here; run measure --calibrate-events, "
			"and calibrate again");
	else if (!fgets(runs->problem, sizeof(runs->problem), errors))
		snprintf(runs->problem, sizeof(runs->problem), PROGRAM " has not said why");
	runs->problem[strcspn(runs->problem, "\n")] = '\0';
}

static void compensate(struct compensated_runs *runs, enum compensated_method method,
	uint32_t number, double end, const char *archive, const char *scratch)
{
	FILE *output = tmpfile(), *errors = tmpfile();
	double gain = 0, ended = 0;

	if (!output || !errors)
		snprintf(runs->problem, sizeof(runs->problem), "no temporary file: %s",
			strerror(errno));
	else if (run_sync(archive, scratch, method_words[method], output, errors) >
			 MEASURE_EXIT_FOUND ||
		 !read_gain(output, &gain, &ended))
		read_problem(runs, errors);
	runs->rest[number] = ended > 0 && ended < end ? end - ended : 0;
	if (method == COMPENSATED_BY_FREQUENCY)
		runs->gains[number] = gain;
	runs->seconds[method][number] = runs->recorded[number] - gain - runs->rest[number];
	if (output)
		fclose(output);
	if (errors)
		fclose(errors);
	measure_file_remove_tree(AT_FDCWD, scratch);
}

static double since_1970(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void compensated_runs_add(
	struct compensated_runs *runs, uint32_t number, const char *archive, const char *scratch)
{
	const double end = since_1970();

	for (int i = 0; i < NR_COMPENSATED_METHODS && !*runs->problem; i++)
		compensate(runs, i, number, end, archive, scratch);
}

/* ------------------------------------------------------------------------ the result --- */

struct compensated_result {
	struct measure_mean mean;
	struct measure_mean difference; /* to the run without recording beside it */
};

static bool find_result(const struct compensated_runs *runs, enum compensated_method method,
	struct compensated_result *result)
{
	double *differences = calloc(runs->nr, sizeof(*differences));

	if (!differences)
		return false;
	for (uint32_t i = 0; i < runs->nr; i++)
		differences[i] = runs->seconds[method][i] - runs->plain[i];
	result->mean = measure_mean_of(runs->seconds[method], runs->nr);
	result->difference = measure_mean_of(differences, runs->nr);
	free(differences);
	return true;
}

static bool differs(const struct compensated_result *result)
{
	return fabs(result->difference.mean) > result->difference.margin;
}

static void print_verdict(
	const struct compensated_runs *runs, const struct compensated_result *result)
{
	const double percent = 100 / measure_mean_of(runs->plain, runs->nr).mean;
	const double mean = result->difference.mean * percent;
	const double margin = result->difference.margin * percent;

	if (!differs(result))
		printf("Compensated times are within %.1f %% of those without recording.\n",
			fmax(fabs(mean - margin), fabs(mean + margin)));
	else
		printf("Compensated times differ by %.1f %% from those without recording: they are "
		       "between %.1f and %.1f %% %s.\n",
			fabs(mean), fabs(mean) - margin, fabs(mean) + margin,
			mean > 0 ? "longer" : "shorter");
}

void compensated_runs_print(const struct compensated_runs *runs)
{
	struct compensated_result results[NR_COMPENSATED_METHODS];

	if (*runs->problem) {
		printf("No compensated times: %s\n", runs->problem);
		return;
	}
	printf("with recording, compensated; without %.6f s from the last event to the end\n",
		measure_mean_of(runs->rest, runs->nr).mean);
	for (int i = 0; i < NR_COMPENSATED_METHODS; i++) {
		if (!find_result(runs, i, &results[i]))
			return;
		printf("  %-17s  %.6f s +- %.6f, difference %.6f s +- %.6f\n", method_words[i],
			results[i].mean.mean, results[i].mean.margin, results[i].difference.mean,
			results[i].difference.margin);
	}
	print_verdict(runs, &results[COMPENSATED_BY_FREQUENCY]);
}

/* --------------------------------------------------------------------- its own costs --- */

/* Less is noise, whatever the interval says. */
#define LEAST_MISFIT 0.02
#define MOST_MISFIT  4.0

/* How many times as long recording took as the table says; false: that cannot be told. */
static bool find_misfit(const struct compensated_runs *runs, struct measure_mean *misfit)
{
	double *differences = calloc(runs->nr, sizeof(*differences));
	const double gain = measure_mean_of(runs->gains, runs->nr).mean;

	if (!differences || *runs->problem || gain <= 0) {
		free(differences);
		return false;
	}
	for (uint32_t i = 0; i < runs->nr; i++)
		differences[i] = (runs->recorded[i] - runs->rest[i] - runs->plain[i]) / gain;
	*misfit = measure_mean_of(differences, runs->nr);
	free(differences);
	return misfit->mean - misfit->margin > 1 / MOST_MISFIT &&
	       misfit->mean + misfit->margin < MOST_MISFIT;
}

static bool write_fitted(const char *path, double factor)
{
	static struct measure_event_costs costs;
	char usual[PATH_MAX], error[MEASURE_EVENT_COSTS_ERROR];

	if (!measure_event_costs_usual_path(usual, false) ||
		measure_event_costs_read_file(usual, &costs, error) != MEASURE_OK)
		return false;
	measure_event_costs_scale(&costs, factor);
	return measure_event_costs_write_file(path, &costs, error) == MEASURE_OK;
}

void compensated_runs_fit(const struct compensated_runs *runs, const char *path, bool is_said)
{
	struct measure_mean misfit;

	if (!find_misfit(runs, &misfit) ||
		fabs(misfit.mean - 1) < fmax(misfit.margin, LEAST_MISFIT) ||
		!write_fitted(path, misfit.mean) || !is_said)
		return;
	printf("Recording took %.2f +- %.2f times what the table of costs says. Costs of this "
	       "program\nare in %s; use them with measure-sync --costs.\n",
		misfit.mean, misfit.margin, path);
}

static void print_seconds(const char *name, const double *seconds, uint32_t nr)
{
	printf("\"%s\": [", name);
	for (uint32_t i = 0; i < nr; i++)
		printf("%s%.9f", i ? ", " : "", seconds[i]);
	printf("]");
}

static void print_method(const struct compensated_runs *runs, enum compensated_method method)
{
	struct compensated_result result;

	if (!find_result(runs, method, &result))
		return;
	printf("%s\n  {\"method\": \"%s\", \"mean\": %.9f, \"margin\": %.9f,\n"
	       "   \"difference\": {\"mean\": %.9f, \"margin\": %.9f}, \"significant\": %s,\n"
	       "   ",
		method > 0 ? "," : "", method_words[method], result.mean.mean, result.mean.margin,
		result.difference.mean, result.difference.margin,
		differs(&result) ? "true" : "false");
	print_seconds("seconds", runs->seconds[method], runs->nr);
	printf("}");
}

void compensated_runs_print_json(const struct compensated_runs *runs)
{
	struct measure_mean misfit;

	printf(",\n \"compensated\": [");
	for (int i = 0; i < NR_COMPENSATED_METHODS && !*runs->problem; i++)
		print_method(runs, i);
	printf("],\n ");
	print_seconds("seconds_behind_events", runs->rest, runs->nr);
	if (find_misfit(runs, &misfit))
		printf(",\n \"costs\": {\"factor\": %.4f, \"margin\": %.4f}", misfit.mean,
			misfit.margin);
	if (!*runs->problem)
		return;
	printf(",\n \"not_compensated\": ");
	measure_json_text(stdout, runs->problem);
}
