// SPDX-License-Identifier: BSD-3-Clause
//
// For user_api.sh: a program in C++ that leaves its regions by exceptions, and names some of them
// itself.
#include <cstdio>
#include <measure.h>
#include <stdexcept>
#include <string>

MEASURE_PHASE_DEFINE(life, "life");
MEASURE_LOOP_DEFINE(turns, "turn");
MEASURE_REGION_DEFINE(handled, "handled");

template <class T> static T twice(T value)
{
	MEASURE_FUNCTION;
	return value + value;
}

static void fails(int number)
{
	MEASURE_FUNCTION;
	measure::region scope(("number " + std::to_string(number)).c_str());

	if (number % 2)
		throw std::runtime_error("odd");
}

int main()
{
	measure::phase phase(life);

	for (int i = 0; i < 4; i++) {
		measure::iteration iteration(turns, i);
		measure::region scope(handled);
		try {
			fails(i);
		} catch (const std::exception &) {
			MEASURE_REGION("caught");
			MEASURE_PARAMETER_INT64("number", i);
		}
	}
	std::printf("%d %s\n", twice(2), twice(std::string("a")).c_str());
	return 0;
}
