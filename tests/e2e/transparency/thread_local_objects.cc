// SPDX-License-Identifier: BSD-3-Clause
//
// Threads of C++ whose variables of their own are constructed and destroyed by recorded functions.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

static std::atomic<long> nr_leaf;

void leaf()
{
	nr_leaf++;
}

struct own {
	int value;
	own() { leaf(); }
	~own() { leaf(); }
};
static thread_local own variable;

static void body(int value)
{
	variable.value = value;
	leaf();
}

int main()
{
	for (int round = 0; round < 30; round++) {
		std::vector<std::thread> threads;
		for (int i = 0; i < 10; i++)
			threads.emplace_back(body, i);
		for (auto &thread : threads)
			thread.join();
	}
	printf("EXPECT leaf() %ld\n", nr_leaf.load());
	return 0;
}
