/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Streams of ISO C stand on descriptors: opened, attached and opened anew, read and written in all
 * ways but by single characters, and standard output that goes elsewhere. */
#include "config.h"

#include <stdarg.h>
#include <wchar.h>

#include "t_io.h"

static char path[512], buffer[256];

static int print(FILE *stream, const char *format, ...)
{
	va_list list;
	int result;

	va_start(list, format);
	result = vfprintf(stream, format, list);
	va_end(list);
	return result;
}

/* 7 writes, a flush. */
static void write_all_ways(void)
{
	FILE *stream = fopen(path, "w");

	T_MUST(stream);
	T_KEEPS(fwrite("0123456789", 2, 5, stream));
	T_KEEPS(fputs("a line\n", stream));
	T_KEEPS(fprintf(stream, "%d %s\n", 42, "words"));
	T_KEEPS(print(stream, "%d\n", 43));
	T_KEEPS(fflush(stream));
	T_KEEPS(fputc('x', stream));
	T_KEEPS(putc('y', stream));
	T_KEEPS(fclose(stream));
}

/* 5 reads. */
static void read_all_ways(void)
{
	FILE *stream = fopen64(path, "r");
	char *line = NULL;
	size_t room = 0;
	int number;

	T_MUST(stream);
	T_MUST(fread(buffer, 1, 10, stream) == 10);
	T_MUST(fgets(buffer, sizeof(buffer), stream) && strcmp(buffer, "a line\n") == 0);
	T_MUST(fscanf(stream, "%d", &number) == 1 && number == 42);
	T_MUST(getline(&line, &room, stream) == 7);
	T_MUST(fgetc(stream) == '4');
	T_MUST(fseek(stream, 10, SEEK_SET) == 0);
	rewind(stream);
	T_MUST(fseeko(stream, 0, SEEK_END) == 0);
	T_MUST(fread(buffer, 1, 10, stream) == 0);
	T_KEEPS(fclose(stream));
	free(line);
	t_events("io_seek", 3);
}

static int print_wide(FILE *stream, const wchar_t *format, ...)
{
	va_list list;
	int result;

	va_start(list, format);
	result = vfwprintf(stream, format, list);
	va_end(list);
	return result;
}

/* 3 writes and 2 reads: those of single characters are not recorded. */
static void wide_characters(void)
{
	FILE *stream = fopen(path, "w");
	wchar_t line[64];
	int number;

	T_MUST(stream);
	T_KEEPS(fputws(L"a line\n", stream));
	T_KEEPS(fwprintf(stream, L"%d %s\n", 42, "words"));
	T_KEEPS(print_wide(stream, L"%d\n", 43));
	T_KEEPS((int)fputwc(L'x', stream));
	T_KEEPS(fclose(stream));
	stream = fopen(path, "r");
	T_MUST(stream);
	T_MUST(fgetws(line, 64, stream) && wcscmp(line, L"a line\n") == 0);
	T_MUST(fwscanf(stream, L"%d", &number) == 1 && number == 42);
	T_MUST(fgetwc(stream) == L' ');
	T_KEEPS(fclose(stream));
}

/* A descriptor first, then a stream on it, which becomes another file's. */
static void attach(void)
{
	int fd = open(path, O_RDWR);
	FILE *stream = fdopen(fd, "r+");

	T_MUST(stream);
	T_MUST(write(fd, "AB", 2) == 2);
	T_MUST(fread(buffer, 1, 2, stream) == 2);
	stream = freopen("/dev/null", "w", stream);
	T_MUST(stream);
	T_KEEPS(fputs("gone", stream));
	T_KEEPS(fclose(stream));
}

/* What is printed from now on is another stream's, as far as handles go. */
static void redirect(void)
{
	int fd = open("/dev/null", O_WRONLY), kept = dup(1);

	T_KEEPS(printf("%s", ""));
	fflush(stdout);
	T_KEEPS(dup2(fd, 1));
	T_KEEPS(printf("to nowhere\n"));
	T_KEEPS(puts("as well"));
	fflush(stdout);
	T_KEEPS(dup2(kept, 1));
	close(kept);
	close(fd);
}

/* In memory: regions only. */
static void no_descriptor(void)
{
	FILE *stream = fmemopen(buffer, sizeof(buffer), "w");

	T_MUST(stream);
	T_KEEPS(fputs("text", stream));
	T_KEEPS(fflush(stream));
	T_KEEPS(fclose(stream));
	T_KEEPS(fflush(NULL));
	stream = tmpfile();
	T_MUST(stream);
	T_KEEPS(fputs("text", stream));
	T_KEEPS(fclose(stream));
}

int main(void)
{
	t_path(path, "file");
	write_all_ways();
	read_all_ways();
	wide_characters();
	attach();
	redirect();
	no_descriptor();
	remove(path);
	t_events("io_operation_begin", 5 + 5 + 5 + 3 + 5 + 1);
	t_events("io_operation_complete", 5 + 5 + 5 + 3 + 5 + 1);
	/* two of each fopen() and tmpfile(), three and two in attach(), the descriptor and the
	 * other standard output in redirect() */
	t_events("io_create_handle", 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2);
	t_events("io_duplicate_handle", 3);
	t_events("io_delete_file", 1);
	t_regions("fopen", 3);
	t_regions("fopen64", 1);
	t_regions("fdopen", 1);
	t_regions("freopen", 1);
	t_regions("fclose", 7);
	t_regions("fputc", 0);
	t_regions("fputws", 1);
	t_regions("fwprintf", 1);
	t_regions("vfwprintf", 1);
	t_regions("fgetws", 1);
	t_regions("fputwc", 0);
	return 0;
}
