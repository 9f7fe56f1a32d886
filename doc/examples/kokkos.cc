/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Conjugate gradients for a one-dimensional Laplacian, with Kokkos and nothing of Measure:
 *
 *	g++ -O2 kokkos.cc -o kokkos -lkokkoscore -lkokkoscontainers
 *	measure -o run ./kokkos
 *	measure-profile run
 *
 * Prints how often it has done what, and the residual. */
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>
#include <cmath>
#include <cstdio>

using vector = Kokkos::View<double *>;

static int nr_products, nr_dots, nr_updates;

/* y = A x */
struct laplacian {
	vector x, y;

	KOKKOS_INLINE_FUNCTION void operator()(const int i) const
	{
		const int last = static_cast<int>(x.extent(0)) - 1;

		y(i) = 2 * x(i) - (i > 0 ? x(i - 1) : 0) - (i < last ? x(i + 1) : 0);
	}
};

/* Without a label: Kokkos, and Measure, name it after its type. */
static void multiply(const vector &x, const vector &y)
{
	Kokkos::parallel_for(x.extent(0), laplacian{x, y});
	nr_products++;
}

static double dot(const vector &x, const vector &y)
{
	double sum = 0;

	Kokkos::parallel_reduce(
		"dot", x.extent(0),
		KOKKOS_LAMBDA(const int i, double &partial) { partial += x(i) * y(i); }, sum);
	nr_dots++;
	return sum;
}

/* y = a x + b y */
static void update(double a, const vector &x, double b, const vector &y)
{
	Kokkos::parallel_for(
		"update", y.extent(0), KOKKOS_LAMBDA(const int i) { y(i) = a * x(i) + b * y(i); });
	nr_updates++;
}

static double solve(int size, int steps)
{
	vector x("x", size), r("r", size), p("p", size), q("q", size);

	Kokkos::deep_copy(r, 1.0);
	Kokkos::deep_copy(p, r);
	double rr = dot(r, r);
	Kokkos::Profiling::ProfilingSection section("iterations");
	section.start();
	for (int i = 0; i < steps; i++) {
		Kokkos::Profiling::pushRegion("step");
		multiply(p, q);
		const double alpha = rr / dot(p, q);
		update(alpha, p, 1, x);
		update(-alpha, q, 1, r);
		const double next = dot(r, r);
		update(1, r, next / rr, p);
		rr = next;
		Kokkos::Profiling::popRegion();
	}
	section.stop();
	Kokkos::Profiling::markEvent("solved");
	return std::sqrt(rr);
}

int main(int argc, char **argv)
{
	const int steps = 20;

	Kokkos::initialize(argc, argv);
	const double residual = solve(2000, steps);
	Kokkos::fence();
	Kokkos::finalize();
	std::printf("region step %d\nregion laplacian..parallel_for. %d\nregion "
		    "dot..parallel_reduce. %d\nregion update..parallel_for. %d\n",
		steps, nr_products, nr_dots, nr_updates);
	std::printf("residual %.6g\n", residual);
	return 0;
}
