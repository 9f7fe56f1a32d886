/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-wrap: makes a library of wrappers, which `measure --wrap` preloads to record the calls of
 * another library. Exit status: 0 if it was built, 2 on errors. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotations.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/wrong_option.h"
#include "compiler.h"
#include "descriptions.h"
#include "generate.h"
#include "select.h"
#include "tpl_file.h"

static const char usage[] =
	"Usage: measure-wrap [OPTION]... NAME [SOURCE]... [-- FLAG...]\n"
	"       measure-wrap [OPTION]... FILE.tpl [-- FLAG...]\n"
	"Make libmeasure-wrap-NAME.so, with which `measure --wrap NAME' records calls of a\n"
	"library. SOURCE is a header, a file of prototypes (NAME.wrap), a plug-in\n"
	"description of EZTrace (.tpl), or the library itself (lib*.so). Without SOURCE:\n"
	"NAME is a library that Measure has a description of.\n"
	"\n"
	"  measure-wrap hdf5                     described by Measure\n"
	"  measure-wrap -l z z zlib.h            functions of zlib.h that libz.so has\n"
	"  measure-wrap solver ./libsolver.so    all functions of a library, without headers\n"
	"  measure-wrap solver solver.wrap       prototypes with annotations\n"
	"\n"
	"  -l, --lib LIBRARY  library that contains the functions: z, libz.so.1 or a path\n"
	"  -o, --output DIR   where to put it (default: ~/.local/share/measure/wrap, where\n"
	"                     measure looks for it)\n"
	"  -k, --keep         keep the generated C source beside it\n"
	"  -q, --quiet        print only errors\n"
	"      --help         print this help\n"
	"      --version      print the version\n"
	"\n"
	"FLAGs are passed to the compiler ($CC or cc): -I DIR, -D NAME, ...\n"
	"Exit status: 0 if it was built, 2 on errors. More: man measure-wrap.\n";

struct wrap_options {
	const char *library, *output;
	bool is_kept, is_quiet;
};

/* ------------------------------------------------------------------------- memory --- */

void wrap_need(bool is_there)
{
	if (is_there)
		return;
	measure_cli_say("out of memory: use another machine or a smaller header");
	exit(MEASURE_EXIT_CANNOT);
}

char *wrap_format(const char *format, ...)
{
	va_list arguments;
	char *text = NULL;

	va_start(arguments, format);
	wrap_need(vasprintf(&text, format, arguments) >= 0);
	va_end(arguments);
	return text;
}

char *wrap_copy(const char *text, size_t length)
{
	char *copy = strndup(text, length);

	wrap_need(copy);
	return copy;
}

char *wrap_file_load(const char *path)
{
	uint8_t *data;
	size_t size;

	if (measure_file_load(AT_FDCWD, path, SIZE_MAX, &data, &size) == MEASURE_OK)
		return (char *)data; /* a zero byte is behind it */
	measure_cli_say("%s: %s: give a file that can be read", path, strerror(errno));
	return NULL;
}

/* ------------------------------------------------------------------------- sources --- */

static bool has_end(const char *name, const char *end)
{
	size_t length = strlen(name);

	return length > strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

static bool is_library(const char *source)
{
	const char *name = measure_base_name(source);

	return strncmp(name, "lib", 3) == 0 && strstr(name, ".so");
}

static bool header_take(struct wrap_module *module, const char *source)
{
	char path[PATH_MAX];
	bool is_file = access(source, R_OK) == 0 && realpath(source, path);

	wrap_push(&module->headers, wrap_format("%s", is_file ? path : source));
	module->prelude = wrap_format(is_file ? "%s#include \"%s\"\n" : "%s#include <%s>\n",
		module->prelude, is_file ? path : source);
	return true;
}

static bool source_take(struct wrap_module *module, const char *source)
{
	if (has_end(source, ".h") || has_end(source, ".hpp"))
		return header_take(module, source);
	if (is_library(source)) {
		module->library = wrap_format("%s", source);
		return true;
	}
	char *text = wrap_file_load(source);
	if (!text)
		return false;
	module->main_file = wrap_format("%s", source);
	const char *slash = strrchr(source, '/'); /* its own includes are found beside it */
	wrap_push(&module->flags, wrap_format("-iquote"));
	wrap_push(&module->flags,
		slash ? wrap_copy(source, (size_t)(slash - source)) : wrap_format("."));
	return has_end(source, ".tpl") ? wrap_tpl_read(module, source, text)
				       : wrap_annotations_read(module, source, text);
}

static bool name_is_fine(const char *name)
{
	return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789_-+.")];
}

/* Without sources a library that is named is all there is. */
static bool sources_take(struct wrap_module *module, char **sources, bool has_library)
{
	if (!has_end(*sources, ".tpl"))
		module->name = *sources++;
	if (!*sources && !has_library) {
		char *path =
			name_is_fine(module->name) ? wrap_description_find(module->name) : NULL;
		if (!path) {
			measure_cli_say(
				"%s: Measure has no description of this library%s give a header, a "
				"file of prototypes, or the library: measure-wrap %s SOURCE...",
				module->name, wrap_description_suggest(module->name), module->name);
			return false;
		}
		return source_take(module, path);
	}
	for (; *sources; sources++)
		if (!source_take(module, *sources))
			return false;
	if (module->name && name_is_fine(module->name))
		return true;
	measure_cli_say("'%s' cannot be the name of a library: use letters, digits and _ - + .",
		module->name ? module->name : "");
	return false;
}

static bool library_take(struct wrap_module *module, const char *name)
{
	const char *names = name ? name : module->library;
	char *path = NULL;

	if (module->package)
		wrap_package_flags(module, module->package);
	if (!names)
		return true;
	module->library = wrap_format("%s", names);
	for (char *one; !path && (one = wrap_word_next(&names));)
		path = wrap_library_find(module, one);
	if (!path)
		measure_cli_say(
			"%s: no such library: install its development package, or give the path "
			"of the shared object by -l",
			module->library);
	module->library = path;
	return path;
}

/* --------------------------------------------------------------------------- output --- */

static bool directory_make(const char *path)
{
	char *part = wrap_format("%s", path);

	for (char *slash = part + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(part, 0777);
	}
	if ((mkdir(part, 0777) == 0 || errno == EEXIST) &&
		access(wrap_format("%s/.", path), W_OK | X_OK) == 0)
		return true;
	measure_cli_say("%s: %s: name another directory by -o", path, strerror(errno));
	return false;
}

static const char *output_directory(const struct wrap_options *options)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (options->output)
		return options->output;
	if (data && *data)
		return wrap_format("%s/measure/wrap", data);
	return home && *home ? wrap_format("%s/.local/share/measure/wrap", home) : ".";
}

static bool source_write(const struct wrap_module *module, const char *path)
{
	FILE *file = fopen(path, "w");
	bool is_fine = file && wrap_generate(file, module);

	if (!file || ferror(file)) {
		measure_cli_say("%s: %s: name another directory by -o", path, strerror(errno));
		is_fine = false;
	}
	if (file && fclose(file) != 0)
		is_fine = false;
	return is_fine;
}

/* The new library replaces an old one at once: a program may be using that. */
static bool library_build(
	const struct wrap_module *module, const char *source, const char *work, const char *target)
{
	char *new = wrap_format("%s.new", target);
	char *script = wrap_version_script(module), *map = wrap_format("%s/versions.map", work);
	char *map_flag = wrap_format("-Wl,--version-script=%s", map);
	const char *arguments[] = {"-std=gnu11", "-O2", "-fPIC", "-fexceptions", "-shared",
		"-Wl,-z,now", "-I", wrap_include_directory(), "-o", new, source,
		script ? map_flag : NULL, NULL};
	FILE *file = script ? fopen(map, "w") : NULL;

	if (script && (!file || fputs(script, file) < 0 || fclose(file) != 0))
		return false;
	if (!wrap_compile(module, arguments, "the wrappers cannot be compiled",
		    "correct the expressions of annotations, or keep the source by -k and look")) {
		unlink(new);
		return false;
	}
	if (rename(new, target) == 0)
		return true;
	measure_cli_say("%s: %s: name another directory by -o", target, strerror(errno));
	return false;
}

static void say_done(const struct wrap_module *module, const char *target)
{
	size_t nr_stubs = 0;

	for (size_t i = 0; i < module->functions.nr; i++)
		nr_stubs += module->functions.items[i].is_stub;
	printf("%s: %zu function%s", target, module->functions.nr,
		module->functions.nr == 1 ? "" : "s");
	if (nr_stubs > 0)
		printf(", %zu of them without arguments", nr_stubs);
	printf("\n");
}

static bool module_make(struct wrap_module *module, const struct wrap_options *options)
{
	const char *directory = output_directory(options);
	char *target = wrap_format("%s/libmeasure-wrap-%s.so", directory, module->name);
	char *work =
		wrap_format("%s/measure-wrap-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	bool is_fine = directory_make(directory) && mkdtemp(work);

	char *source = options->is_kept
			       ? wrap_format("%s/libmeasure-wrap-%s.c", directory, module->name)
			       : wrap_format("%s/libmeasure-wrap-%s.c", work, module->name);
	is_fine = is_fine && wrap_select(module, work) && source_write(module, source) &&
		  library_build(module, source, work, target);
	measure_file_remove_tree(AT_FDCWD, work);
	if (is_fine && !options->is_quiet)
		say_done(module, target);
	return is_fine;
}

/* -1: go on; otherwise the exit status. */
static int parse_options(int argc, char **argv, struct wrap_options *options)
{
	static const struct option long_options[] = {{"lib", required_argument, NULL, 'l'},
		{"output", required_argument, NULL, 'o'}, {"keep", no_argument, NULL, 'k'},
		{"quiet", no_argument, NULL, 'q'}, {"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};

	opterr = 0;
	for (int option; (option = getopt_long(argc, argv, ":l:o:kq", long_options, NULL)) != -1;)
		switch (option) {
		case 'l':
			options->library = optarg;
			break;
		case 'o':
			options->output = optarg;
			break;
		case 'k':
			options->is_kept = true;
			break;
		case 'q':
			options->is_quiet = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return MEASURE_EXIT_DONE;
		case 'V':
			return measure_cli_version();
		default:
			return measure_refuse_option(option, argv, long_options);
		}
	return -1;
}

/* Cuts the arguments at "--": flags for the compiler are behind it. */
static char **flags_cut(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++)
		if (strcmp(argv[i], "--") == 0) {
			*argc = i;
			argv[i] = NULL;
			return argv + i + 1;
		}
	return argv + *argc;
}

int main(int argc, char **argv)
{
	struct wrap_module module = {.main_file = (char *)"", .prelude = (char *)""};
	struct wrap_options options = {0};
	char **flags = flags_cut(&argc, argv);

	measure_cli_start("measure-wrap");
	int status = parse_options(argc, argv, &options);
	if (status >= 0)
		return status;
	if (optind == argc)
		return measure_cli_usage("name the library of wrappers and its source");
	for (; *flags; flags++)
		wrap_push(&module.flags, *flags);
	if (!sources_take(&module, argv + optind, options.library) ||
		!library_take(&module, options.library) || !module_make(&module, &options))
		return MEASURE_EXIT_CANNOT;
	return MEASURE_EXIT_DONE;
}
