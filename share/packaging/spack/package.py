# SPDX-License-Identifier: BSD-3-Clause
"""Recipe for Spack 1.0 and later.

Copy it to packages/measure of a repository of your own (`spack repo create`), and start `spack install --no-checksum
measure` in the directory of the tarball. The tarball holds this file, which therefore cannot hold its checksum: `spack
checksum --add-to-package measure` adds it.
"""
import os

from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Measure(AutotoolsPackage):
    """Measure records what a parallel program does over time, its functions, MPI messages, OpenMP constructs, tasks and
    files, as an OTF2 archive, without recompilation or linking. Tools for profiles, wait states, reports and
    clock correction are included."""

    url = "file://{0}/measure-1.0.0.tar.xz".format(os.getcwd())
    manual_download = True

    license("BSD-3-Clause")

    version("1.0.0")

    variant("mpi", default=True, description="Record MPI calls of programs that use this MPI library")
    variant("papi", default=True, description="Record counters of PAPI")
    variant("hwloc", default=True, description="Record the topology of nodes")
    variant("cairo", default=True, description="Draw pictures in measure-report")
    variant("sqlite", default=True, description="Convert archives to SQLite")
    variant("lp_solve", default=True, description="Compute area bounds of task programs")
    variant("opencl", default=False, description="Record commands of OpenCL")
    variant("starpu", default=False, description="Record tasks of StarPU")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("otf2@3.0:")
    depends_on("elfutils")
    depends_on("zlib-api")
    depends_on("mpi", when="+mpi")
    depends_on("papi", when="+papi")
    depends_on("hwloc@2.1:", when="+hwloc")
    depends_on("cairo+png+pdf+svg", when="+cairo")
    depends_on("sqlite", when="+sqlite")
    depends_on("lp-solve", when="+lp_solve")
    depends_on("opencl-c-headers", when="+opencl")
    depends_on("starpu@1.3", when="+starpu")

    def configure_args(self):
        # The tarball has the report page.
        args = ["--without-node-modules", "CLANG=no"]
        if self.spec.satisfies("+mpi"):
            args.append("MPICC={0}".format(self.spec["mpi"].mpicc))
            args.append("OTHER_MPICC=no")
        else:
            args.append("--without-mpi")
        return args

    def setup_run_environment(self, env):
        env.set("Measure_ROOT", self.prefix)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def record_a_program(self):
        with working_dir(self.build_directory):
            Executable(self.prefix.bin.measure)("-o", "run1", "true")
            Executable(join_path(self.prefix.bin, "measure-check"))("run1")
