/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running the compiler; see compiler.h. */
#include "config.h"

#include "compiler.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotations.h"
#include "cli/cli.h"

typedef MEASURE_ARRAY(const char *) arguments_t;

/* $CC may have flags behind the name. */
static void add_compiler(arguments_t *arguments)
{
	const char *list = getenv("CC");

	if (!list || !*list)
		list = "cc";
	for (char *word; (word = wrap_word_next(&list));)
		wrap_push(arguments, word);
}

/* Starts it with its outputs in a pipe; -1: it cannot be started. */
static pid_t compiler_start(const arguments_t *arguments, FILE **output)
{
	int ends[2];
	pid_t child;

	if (pipe(ends) != 0)
		return -1;
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		setenv("LC_ALL", "C", 1);
		execvp(arguments->items[0], (char *const *)arguments->items);
		_exit(127);
	}
	close(ends[1]);
	*output = fdopen(ends[0], "r");
	return child;
}

/* What it prints, as one text; *status: how it has ended. */
static char *compiler_run(arguments_t *arguments, int *status)
{
	char *text = wrap_format("%s", ""), line[2048];
	FILE *output = NULL;

	wrap_push(arguments, NULL);
	pid_t child = compiler_start(arguments, &output);
	*status = -1;
	if (child < 0 || !output)
		return text;
	while (fgets(line, sizeof(line), output))
		if (strlen(text) < 65536)
			text = wrap_format("%s%s", text, line);
	fclose(output);
	while (waitpid(child, status, 0) < 0 && errno == EINTR)
		;
	return text;
}

/* Where includes that we have written fail, without the place: the user has named a header, and has
 * not seen this file. */
static const char *error_of_user(const char *line)
{
	static const char word[] = "error: ";
	const char *place = strstr(line, WRAP_PRELUDE ":"), *error = strstr(line, word);

	return place && error && place < error ? error + strlen(word) : line;
}

/* The line with the first error, or the first one at all. */
static const char *first_error(const char *text)
{
	const char *found = strstr(text, "error");

	if (!found)
		found = text;
	while (found > text && found[-1] != '\n')
		found--;
	return error_of_user(wrap_copy(found, strcspn(found, "\n")));
}

bool wrap_compile(const struct wrap_module *module, const char *const *more, const char *what,
	const char *remedy)
{
	arguments_t arguments = {0};
	int status;

	add_compiler(&arguments);
	wrap_push(&arguments, "-w");
	wrap_push(&arguments, "-D_GNU_SOURCE");
	for (size_t i = 0; i < module->flags.nr; i++)
		wrap_push(&arguments, module->flags.items[i]);
	for (; *more; more++)
		wrap_push(&arguments, *more);
	char *text = compiler_run(&arguments, &status);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		measure_cli_say("%s: no such compiler: install one or set CC", arguments.items[0]);
	else
		measure_cli_say("%s: %s: %s", what, first_error(text), remedy);
	return false;
}

void wrap_package_flags(struct wrap_module *module, const char *names)
{
	for (char *name; (name = wrap_word_next(&names));) {
		arguments_t arguments = {0};
		int status;

		wrap_push(&arguments, "pkg-config");
		wrap_push(&arguments, "--cflags");
		wrap_push(&arguments, name);
		const char *flags = compiler_run(&arguments, &status);
		if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
			continue;
		for (char *word; (word = wrap_word_next(&flags));)
			wrap_push(&module->flags, word);
		return;
	}
}

char *wrap_library_find(const struct wrap_module *module, const char *name)
{
	arguments_t arguments = {0};
	int status;

	if (access(name, R_OK) == 0)
		return wrap_format("%s", name);
	if (strchr(name, '/'))
		return NULL;
	add_compiler(&arguments);
	for (size_t i = 0; i < module->flags.nr; i++)
		wrap_push(&arguments, module->flags.items[i]);
	wrap_push(&arguments, strstr(name, ".so") ? wrap_format("-print-file-name=%s", name)
						  : wrap_format("-print-file-name=lib%s.so", name));
	char *path = compiler_run(&arguments, &status);
	path[strcspn(path, "\n")] = '\0';
	return strchr(path, '/') && access(path, R_OK) == 0 ? path : NULL;
}

/* In a build tree beside the tool; where it was installed to, also when moved. */
const char *wrap_include_directory(void)
{
	static char directory[PATH_MAX + 32];
	static const char *const places[] = {"/include", "/../include"};
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[length > 0 ? length : 0] = '\0';
	if (length > 0)
		*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(directory, sizeof(directory), "%s%s", self, places[i]);
		if (access(wrap_format("%s/measure/wrap.h", directory), R_OK) == 0)
			return directory;
	}
	return MEASURE_INCLUDEDIR;
}
