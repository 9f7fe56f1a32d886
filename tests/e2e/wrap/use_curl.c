/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A little of libcurl, for debian_libraries.sh: a file is "transferred". */
#include <curl/curl.h>
#include <stdio.h>
#include <unistd.h>

static size_t take(char *data, size_t size, size_t nr, void *sum)
{
	(void)data;
	*(size_t *)sum += size * nr;
	return size * nr;
}

int main(void)
{
	size_t sum = 0;
	char directory[4096], url[5000];
	FILE *file = fopen("use.txt", "w");

	fprintf(file, "twelve bytes");
	fclose(file);
	snprintf(url, sizeof(url), "file://%s/use.txt", getcwd(directory, sizeof(directory)));
	CURL *handle = curl_easy_init();
	curl_easy_setopt(handle, CURLOPT_URL, url);
	curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(handle, CURLOPT_WRITEDATA, &sum);
	int first = curl_easy_perform(handle), second = curl_easy_perform(handle);
	curl_off_t size = 0;
	curl_easy_getinfo(handle, CURLINFO_SIZE_DOWNLOAD_T, &size);
	printf("%d %d %zu %ld\n", first, second, sum, (long)size);
	curl_easy_cleanup(handle);
	fprintf(stderr, "count curl_easy_setopt 3\ncount curl_easy_perform 2\n");
	return 0;
}
