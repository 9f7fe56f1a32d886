/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A small hydrodynamics code as people write them: a gas on a grid of hexahedra that move with it,
 * with a function for everything, most of them tiny. A hot corner drives a wave into the rest.
 * Usage: hydro STEPS [ZONES]. Prints "run_ms TIME" of the steps, "processor_ms TIME"
 * without what others had the processor meanwhile, "sum SUM" to compare with. */
#include "config.h"

#include <math.h>

#include "bench.h"

enum { CORNERS = 8, FACES = 6, FACE_CORNERS = 4 };

/* Nodes and zones as arrays of each quantity. */
struct mesh {
	int nr_edge; /* zones in a row */
	int nr_nodes, nr_zones;
	double *x, *y, *z;        /* of nodes: place, ... */
	double *xd, *yd, *zd;     /* speed, ... */
	double *fx, *fy, *fz, *m; /* force and mass */
	int (*corners)[CORNERS];  /* of zones */
	double *mass, *volume, *energy, *pressure, *viscosity;
	double step; /* of time */
};

/* Corner c lies at (c & 1, c >> 1 & 1, c >> 2); faces as seen from outside. */
static const int faces[FACES][FACE_CORNERS] = {
	{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

/* Of a node or a zone. */
#define QUANTITY(name)                                                                             \
	static double *name(const struct mesh *mesh, int item)                                     \
	{                                                                                          \
		return &mesh->name[item];                                                          \
	}
QUANTITY(x)
QUANTITY(y)
QUANTITY(z)
QUANTITY(xd)
QUANTITY(yd)
QUANTITY(zd)
QUANTITY(fx)
QUANTITY(fy)
QUANTITY(fz)
QUANTITY(m)
QUANTITY(mass)
QUANTITY(volume)
QUANTITY(energy)
QUANTITY(pressure)
QUANTITY(viscosity)

static const int *corners(const struct mesh *mesh, int zone)
{
	return mesh->corners[zone];
}

static double square(double value)
{
	return value * value;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

struct shape {
	double x[CORNERS], y[CORNERS], z[CORNERS];
};

static void collect(const struct mesh *mesh, int zone, struct shape *shape)
{
	const int *nodes = corners(mesh, zone);

	for (int c = 0; c < CORNERS; c++) {
		shape->x[c] = *x(mesh, nodes[c]);
		shape->y[c] = *y(mesh, nodes[c]);
		shape->z[c] = *z(mesh, nodes[c]);
	}
}

/* Half the product of the diagonals: area times the direction outwards. */
static void face_area(const struct shape *shape, const int *face, double area[3])
{
	const int a = face[0], b = face[1], c = face[2], d = face[3];
	double x1 = shape->x[c] - shape->x[a], x2 = shape->x[d] - shape->x[b];
	double y1 = shape->y[c] - shape->y[a], y2 = shape->y[d] - shape->y[b];
	double z1 = shape->z[c] - shape->z[a], z2 = shape->z[d] - shape->z[b];

	area[0] = (y1 * z2 - z1 * y2) / 2;
	area[1] = (z1 * x2 - x1 * z2) / 2;
	area[2] = (x1 * y2 - y1 * x2) / 2;
}

static double mean_of_face(const double *values, const int *face)
{
	return (values[face[0]] + values[face[1]] + values[face[2]] + values[face[3]]) / 4;
}

/* By Gauss: a third of what flows out of it where the flow is the place. */
static double shape_volume(const struct shape *shape)
{
	double sum = 0;

	for (int face = 0; face < FACES; face++) {
		double area[3];

		face_area(shape, faces[face], area);
		sum += area[0] * mean_of_face(shape->x, faces[face]) +
		       area[1] * mean_of_face(shape->y, faces[face]) +
		       area[2] * mean_of_face(shape->z, faces[face]);
	}
	return sum / 3;
}

static double density(const struct mesh *mesh, int zone)
{
	return *mass(mesh, zone) / *volume(mesh, zone);
}

static double sound(const struct mesh *mesh, int zone)
{
	return sqrt(1.4 * *pressure(mesh, zone) / density(mesh, zone));
}

static double push(const struct mesh *mesh, int zone)
{
	return *pressure(mesh, zone) + *viscosity(mesh, zone);
}

static void add_force(const struct mesh *mesh, int node, const double force[3])
{
	*fx(mesh, node) += force[0];
	*fy(mesh, node) += force[1];
	*fz(mesh, node) += force[2];
}

static void push_corners(const struct mesh *mesh, int zone)
{
	const int *nodes = corners(mesh, zone);
	double forces[CORNERS][3] = {{0}}, area[3], share = push(mesh, zone) / FACE_CORNERS;
	struct shape shape;

	collect(mesh, zone, &shape);
	for (int face = 0; face < FACES; face++) {
		face_area(&shape, faces[face], area);
		for (int i = 0; i < FACE_CORNERS; i++)
			for (int axis = 0; axis < 3; axis++)
				forces[faces[face][i]][axis] += share * area[axis];
	}
	for (int c = 0; c < CORNERS; c++)
		add_force(mesh, nodes[c], forces[c]);
}

static void compute_forces(const struct mesh *mesh)
{
	for (int node = 0; node < mesh->nr_nodes; node++)
		*fx(mesh, node) = *fy(mesh, node) = *fz(mesh, node) = 0;
	for (int zone = 0; zone < mesh->nr_zones; zone++)
		push_corners(mesh, zone);
}

static void move(const struct mesh *mesh, int node)
{
	double factor = mesh->step / *m(mesh, node);

	*xd(mesh, node) += *fx(mesh, node) * factor;
	*yd(mesh, node) += *fy(mesh, node) * factor;
	*zd(mesh, node) += *fz(mesh, node) * factor;
	*x(mesh, node) += *xd(mesh, node) * mesh->step;
	*y(mesh, node) += *yd(mesh, node) * mesh->step;
	*z(mesh, node) += *zd(mesh, node) * mesh->step;
}

static void move_nodes(const struct mesh *mesh)
{
	for (int node = 0; node < mesh->nr_nodes; node++)
		move(mesh, node);
}

/* Where it is pressed together. */
static double resistance(const struct mesh *mesh, int zone, double growth)
{
	return growth < 0 ? density(mesh, zone) * square(growth * cbrt(*volume(mesh, zone))) : 0;
}

static void update_zone(const struct mesh *mesh, int zone)
{
	struct shape shape;
	double now, change;

	collect(mesh, zone, &shape);
	now = shape_volume(&shape);
	change = now - *volume(mesh, zone);
	*energy(mesh, zone) -= push(mesh, zone) * change / *mass(mesh, zone);
	*viscosity(mesh, zone) = resistance(mesh, zone, change / *volume(mesh, zone) / mesh->step);
	*volume(mesh, zone) = now;
	*pressure(mesh, zone) = 0.4 * density(mesh, zone) * *energy(mesh, zone);
}

static void update_zones(const struct mesh *mesh)
{
	for (int zone = 0; zone < mesh->nr_zones; zone++)
		update_zone(mesh, zone);
}

static void choose_step(struct mesh *mesh)
{
	double step = 1;

	for (int zone = 0; zone < mesh->nr_zones; zone++)
		step = least(step, 0.1 * cbrt(*volume(mesh, zone)) / sound(mesh, zone));
	mesh->step = step;
}

static void do_step(struct mesh *mesh)
{
	choose_step(mesh);
	compute_forces(mesh);
	move_nodes(mesh);
	update_zones(mesh);
}

/* ------------------------------------------------------------------ not measured --- */

BENCH_PLAIN void make_zone(struct mesh *mesh, int zone)
{
	const int nr = mesh->nr_edge, i = zone % nr, j = zone / nr % nr, k = zone / nr / nr;

	for (int c = 0; c < CORNERS; c++) {
		int node = ((k + (c >> 2)) * (nr + 1) + j + (c >> 1 & 1)) * (nr + 1) + i + (c & 1);

		mesh->corners[zone][c] = node;
		mesh->m[node] += 1.0 / CORNERS;
	}
	mesh->mass[zone] = mesh->volume[zone] = 1;
	mesh->energy[zone] = zone == 0 ? 10 : 1;
	mesh->pressure[zone] = 0.4 * mesh->energy[zone];
}

BENCH_PLAIN void make_mesh(struct mesh *mesh, int nr_edge)
{
	int nr = nr_edge + 1;
	double **nodes[] = {&mesh->x, &mesh->y, &mesh->z, &mesh->xd, &mesh->yd, &mesh->zd,
		&mesh->fx, &mesh->fy, &mesh->fz, &mesh->m};
	double **zones[] = {
		&mesh->mass, &mesh->volume, &mesh->energy, &mesh->pressure, &mesh->viscosity};

	mesh->nr_edge = nr_edge;
	mesh->nr_nodes = nr * nr * nr;
	mesh->nr_zones = nr_edge * nr_edge * nr_edge;
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		*nodes[i] = calloc((size_t)mesh->nr_nodes, sizeof(double));
	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++)
		*zones[i] = calloc((size_t)mesh->nr_zones, sizeof(double));
	mesh->corners = calloc((size_t)mesh->nr_zones, sizeof(*mesh->corners));
	for (int i = 0; i < mesh->nr_nodes; i++) {
		mesh->x[i] = i % nr;
		mesh->y[i] = i / nr % nr;
		mesh->z[i] = i / nr / nr;
	}
	for (int i = 0; i < mesh->nr_zones; i++)
		make_zone(mesh, i);
}

BENCH_PLAIN double sum_of(const struct mesh *mesh)
{
	double sum = 0;

	for (int i = 0; i < mesh->nr_nodes; i++)
		sum += mesh->x[i] * i + mesh->y[i] * (i + 1) + mesh->z[i] * (i + 2);
	return sum;
}

BENCH_PLAIN double processor_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
	int nr_steps = argc > 1 ? atoi(argv[1]) : 0;
	struct mesh mesh;
	uint64_t begin;
	double processor;

	if (nr_steps <= 0) {
		fputs("usage: hydro STEPS [ZONES]\n", stderr);
		return 2;
	}
	make_mesh(&mesh, argc > 2 ? atoi(argv[2]) : 10);
	/* The first event makes threads of the tool, which must not inherit the pin. */
	square(1);
	bench_pause(20);
	bench_pin();
	begin = bench_now();
	processor = processor_ms();
	for (int i = 0; i < nr_steps; i++)
		do_step(&mesh);
	printf("run_ms %.3f\n", (double)(bench_now() - begin) / 1e6);
	printf("processor_ms %.3f\n", processor_ms() - processor);
	printf("sum %.9g\n", sum_of(&mesh));
	return 0;
}
