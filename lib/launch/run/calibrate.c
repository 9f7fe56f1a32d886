/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calibration; see calibrate.h. The runs differ in one environment variable (where `measure` is a
 * word of the command) or in who starts the program; both kinds take turns, ABBA, so that a machine
 * that gets slower counts for both. A first run, not recorded, warms up and does not count. */
#include "config.h"

#include "calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "format/run_layout.h"
#include "cli/cli.h"
#include "compensated_runs.h"
#include "statistics.h"
#include "launch/plan/launcher.h"

#define SCRATCH_SUFFIX     ".calibrate"
#define COMPENSATED_SUFFIX ".compensated"
#define COSTS_NAME         "event-costs" /* in the archive of the last run: those of the program */

struct calibration {
	const struct measure_options *options;
	char **program;  /* as it was typed */
	char **recorded; /* what starts it so that it is recorded */
	bool is_job;     /* `measure` is a word of it */
	char measure[PATH_MAX];
	char output[PATH_MAX];
	char scratch[PATH_MAX + sizeof(SCRATCH_SUFFIX)];
	char compensating[PATH_MAX + sizeof(COMPENSATED_SUFFIX)]; /* the same */
	double *seconds[2];                                       /* [is recorded] */
	struct compensated_runs compensated;
	uint32_t nr_failed[2];
	bool is_unrecorded; /* a run that should have been recorded was not, or the other way round
			     */
	off_t input;        /* where standard input was; -1: it cannot be read again */
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool calibrate_is_there(const char *directory)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/" MEASURE_ANCHOR_NAME, directory);
	return access(path, F_OK) == 0;
}

/* In the child. What the program prints is of no use so many times. */
static void become(const struct calibration *calibration, bool is_recorded, const char *output)
{
	char **words = is_recorded ? calibration->recorded : calibration->program;
	int null = open("/dev/null", O_RDWR);

	dup2(null, STDOUT_FILENO);
	if (calibration->input < 0)
		dup2(null, STDIN_FILENO);
	else
		lseek(STDIN_FILENO, calibration->input, SEEK_SET);
	setenv("MEASURE_OUTPUT", output, 1);
	setenv("MEASURE_RECORD", is_recorded ? "yes" : "no", 1);
	setenv("MEASURE_QUIET", "yes", 1);
	execvp(words[0], words);
	measure_cli_say(
		"%s: cannot execute: %s: check the name and PATH", words[0], strerror(errno));
	_exit(MEASURE_EXIT_NO_PROGRAM);
}

/* Seconds from the start to the end of the command; negative: it could not be started. */
static double run_once(struct calibration *calibration, bool is_recorded, const char *output)
{
	double begin = now();
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		become(calibration, is_recorded, output);
	if (child < 0)
		return -1;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	double seconds = now() - begin;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		calibration->nr_failed[is_recorded]++;
	if (calibrate_is_there(output) != is_recorded)
		calibration->is_unrecorded = true;
	return seconds;
}

static void remove_scratch(const struct calibration *calibration)
{
	measure_file_remove_tree(AT_FDCWD, calibration->scratch);
	measure_file_remove_tree(AT_FDCWD, calibration->compensating);
}

/* A run that counts. The archive of the last recorded one is kept. */
static bool run_counted(struct calibration *calibration, uint32_t number, bool is_recorded)
{
	const bool is_kept = is_recorded && number + 1 == calibration->options->nr_runs;
	const char *output = is_kept ? calibration->output : calibration->scratch;
	double seconds = run_once(calibration, is_recorded, output);

	if (seconds < 0)
		return false;
	calibration->seconds[is_recorded][number] = seconds;
	if (is_recorded && !calibration->is_unrecorded)
		compensated_runs_add(
			&calibration->compensated, number, output, calibration->compensating);
	remove_scratch(calibration);
	return true;
}

static bool run_all(struct calibration *calibration)
{
	uint32_t nr = calibration->options->nr_runs;

	remove_scratch(calibration);
	if (run_once(calibration, false, calibration->scratch) < 0)
		return false;
	calibration->nr_failed[false] = 0;
	for (uint32_t i = 0; i < nr && !calibration->is_unrecorded; i++) {
		for (uint32_t k = 0; k < 2; k++)
			if (!run_counted(calibration, i, (i + k) % 2))
				return false;
	}
	return true;
}

/* ----------------------------------------------------------------------- the result --- */

struct verdict {
	struct measure_mean plain, recorded;
	struct measure_mean difference; /* of runs that followed one another */
	bool is_significant;
};

static struct verdict compare(const struct calibration *calibration, double *differences)
{
	size_t nr = calibration->options->nr_runs;
	struct verdict verdict;

	for (size_t i = 0; i < nr; i++)
		differences[i] = calibration->seconds[1][i] - calibration->seconds[0][i];
	verdict.plain = measure_mean_of(calibration->seconds[0], nr);
	verdict.recorded = measure_mean_of(calibration->seconds[1], nr);
	verdict.difference = measure_mean_of(differences, nr);
	verdict.is_significant = fabs(verdict.difference.mean) > verdict.difference.margin;
	return verdict;
}

static void print_sentence(const struct verdict *verdict)
{
	double percent = 100 / verdict->plain.mean;
	double mean = verdict->difference.mean * percent;
	double margin = verdict->difference.margin * percent;

	if (!verdict->is_significant)
		printf("The difference is within the noise: recording costs less than %.1f %%.\n",
			fmax(fabs(mean - margin), fabs(mean + margin)));
	else
		printf("Recording makes the program %.1f %% %s: between %.1f and %.1f %%.\n",
			fabs(mean), mean > 0 ? "slower" : "faster", fabs(mean) - margin,
			fabs(mean) + margin);
}

static void print_text(const struct calibration *calibration, const struct verdict *verdict)
{
	printf("%u runs of each kind, alternating; mean +- 99.7 %% confidence interval\n  without "
	       "recording  %.6f s +- %.6f\n  with recording     %.6f s +- %.6f\n  difference       "
	       "  %.6f s +- %.6f\n  ratio              %.4f\n",
		calibration->options->nr_runs, verdict->plain.mean, verdict->plain.margin,
		verdict->recorded.mean, verdict->recorded.margin, verdict->difference.mean,
		verdict->difference.margin, verdict->recorded.mean / verdict->plain.mean);
	print_sentence(verdict);
	compensated_runs_print(&calibration->compensated);
	printf("The last recorded run is in %s.\n", calibration->output);
}

static void print_numbers(const char *name, const double *values, uint32_t nr)
{
	printf(",\n \"%s\": [", name);
	for (uint32_t i = 0; i < nr; i++)
		printf("%s%.9f", i ? ", " : "", values[i]);
	printf("]");
}

static void print_json(const struct calibration *calibration, const struct verdict *verdict)
{
	uint32_t nr = calibration->options->nr_runs;

	printf("{\"runs\": %u, \"confidence\": %.3f,\n"
	       " \"without\": {\"mean\": %.9f, \"margin\": %.9f, \"failed\": %u},\n"
	       " \"with\": {\"mean\": %.9f, \"margin\": %.9f, \"failed\": %u},\n"
	       " \"difference\": {\"mean\": %.9f, \"margin\": %.9f},\n"
	       " \"ratio\": %.9f, \"significant\": %s",
		nr, MEASURE_CONFIDENCE, verdict->plain.mean, verdict->plain.margin,
		calibration->nr_failed[0], verdict->recorded.mean, verdict->recorded.margin,
		calibration->nr_failed[1], verdict->difference.mean, verdict->difference.margin,
		verdict->recorded.mean / verdict->plain.mean,
		verdict->is_significant ? "true" : "false");
	print_numbers("seconds_without", calibration->seconds[0], nr);
	print_numbers("seconds_with", calibration->seconds[1], nr);
	compensated_runs_print_json(&calibration->compensated);
	printf("}\n");
}

static void calibrate_fit(const struct calibration *calibration)
{
	char path[PATH_MAX + sizeof(COSTS_NAME) + 1];

	snprintf(path, sizeof(path), "%s/" COSTS_NAME, calibration->output);
	compensated_runs_fit(&calibration->compensated, path, !calibration->options->is_json);
}

static int calibrate_report(const struct calibration *calibration)
{
	double *differences = calloc(calibration->options->nr_runs, sizeof(*differences));
	struct verdict verdict;

	if (!differences)
		return MEASURE_EXIT_CANNOT;
	verdict = compare(calibration, differences);
	free(differences);
	if (calibration->options->is_json)
		print_json(calibration, &verdict);
	else
		print_text(calibration, &verdict);
	calibrate_fit(calibration);
	if (calibration->nr_failed[0] + calibration->nr_failed[1] == 0)
		return MEASURE_EXIT_DONE;
	measure_cli_say("%u of %u runs without recording and %u of %u with it failed: their times "
			"may be meaningless",
		calibration->nr_failed[0], calibration->options->nr_runs, calibration->nr_failed[1],
		calibration->options->nr_runs);
	return MEASURE_EXIT_FOUND;
}

/* -------------------------------------------------------------------------- begin --- */

static bool names_measure(char **words)
{
	for (; *words; words++)
		if (strcmp(measure_base_name(*words), "measure") == 0)
			return true;
	return false;
}

static bool calibrate_prepare(struct calibration *calibration)
{
	const struct measure_options *options = calibration->options;
	size_t nr_words = 0;
	ssize_t length = readlink("/proc/self/exe", calibration->measure, PATH_MAX - 1);

	while (options->program[nr_words])
		nr_words++;
	calibration->recorded = calloc(nr_words + 2, sizeof(char *));
	calibration->seconds[0] = calloc(options->nr_runs, sizeof(double));
	calibration->seconds[1] = calloc(options->nr_runs, sizeof(double));
	if (length <= 0 || !calibration->recorded || !calibration->seconds[0] ||
		!calibration->seconds[1] ||
		!compensated_runs_start(&calibration->compensated, options->nr_runs,
			calibration->seconds[0], calibration->seconds[1]))
		return false;
	calibration->program = options->program;
	calibration->is_job = names_measure(options->program);
	calibration->recorded[0] = calibration->measure;
	memcpy(calibration->recorded + !calibration->is_job, options->program,
		nr_words * sizeof(char *));
	snprintf(calibration->output, PATH_MAX, "%s",
		strchr(options->settings.output, '%') ? "measure-calibrate"
						      : options->settings.output);
	snprintf(calibration->scratch, sizeof(calibration->scratch), "%s" SCRATCH_SUFFIX,
		calibration->output);
	snprintf(calibration->compensating, sizeof(calibration->compensating),
		"%s" COMPENSATED_SUFFIX, calibration->output);
	calibration->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
	return measure_options_export(options) == MEASURE_OK;
}

int measure_calibrate(const struct measure_options *options)
{
	struct calibration calibration = {.options = options};
	static struct measure_settings settings;

	measure_settings_defaults(&settings);
	measure_launcher_detect(&settings, getpid());
	if (measure_launcher_is_there(&settings))
		return measure_cli_usage("--calibrate: put it before the launcher: measure "
					 "--calibrate -- mpirun -n 4 measure ./app");
	if (options->is_wrong)
		return MEASURE_EXIT_CANNOT;
	if (!options->program[0])
		return measure_cli_usage("no program given");
	if (!calibrate_prepare(&calibration)) {
		measure_cli_say("out of memory");
		return MEASURE_EXIT_CANNOT;
	}
	bool is_run = run_all(&calibration);
	int status = MEASURE_EXIT_CANNOT;
	if (!is_run)
		measure_cli_say("cannot start a run: %s", strerror(errno));
	else if (calibration.is_unrecorded)
		measure_cli_say("recording was not switched on and off as intended: make the "
				"launcher export MEASURE_RECORD and MEASURE_OUTPUT (mpirun -x)");
	else
		status = calibrate_report(&calibration);
	free(calibration.recorded);
	free(calibration.seconds[0]);
	free(calibration.seconds[1]);
	compensated_runs_free(&calibration.compensated);
	return status;
}
