// SPDX-License-Identifier: BSD-3-Clause
//
// Example: a C++ program with annotations by measure.h:
//
//	c++ -O2 annotated.cc -o annotated $(pkg-config --cflags measure)
//	./annotated
//	measure ./annotated
//
// Regions are objects: they end with their block, also if an exception leaves it.
#include <cstdio>
#include <measure.h>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

MEASURE_PHASE_DEFINE(life, "life");
MEASURE_LOOP_DEFINE(rounds, "round");
MEASURE_TASK_DEFINE(addition, "addition");

template <class Number> static Number add_up(const std::vector<Number> &numbers)
{
	MEASURE_FUNCTION;
	MEASURE_PARAMETER_UINT64("size", numbers.size());
	return std::accumulate(numbers.begin(), numbers.end(), Number());
}

static void check(int round)
{
	MEASURE_REGION("check");
	if (round == 2)
		throw std::runtime_error("round 2 is one too many");
}

int main()
{
	measure::phase phase(life);
	std::vector<double> numbers(1000, 0.5);
	double total = 0;

	for (int round = 0; round < 4; round++) {
		measure::iteration iteration(rounds, round);
		measure::region by_name(("round " + std::to_string(round)).c_str());
		try {
			check(round);
		} catch (const std::exception &error) {
			measure_marker("trouble", error.what(), MEASURE_SEVERITY_MEDIUM);
			continue;
		}
		uint64_t number = measure_task_create(&addition, nullptr);
		measure::task task(addition, number);
		total += add_up(numbers);
		MEASURE_METRIC_DOUBLE("total", "#", total);
	}
	std::printf("total %.1f\n", total);
	return 0;
}
