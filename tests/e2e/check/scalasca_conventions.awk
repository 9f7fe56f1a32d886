# SPDX-License-Identifier: BSD-3-Clause
#
# The rules by which Scalasca 2.6 reads an archive, on what otf2-print -G and then otf2-print say: prints what breaks
# one of them, and at the end how many regions of libraries and programs there were.

# The text behind the first `key: "`.
function text(key,    at, rest)
{
	at = index($0, key ": \"")
	rest = substr($0, at + length(key) + 3)
	return at ? substr(rest, 1, index(rest, "\"") - 1) : ""
}

function broken(why)
{
	print why ": " $0
}

# It classifies regions of libraries by file and name, and cuts as many letters off that.
/^REGION / {
	file = text("File")
	name = text("Name")
	paradigm = match($0, /Paradigm: [^,]*/) ? substr($0, RSTART + 10, RLENGTH - 10) : ""
	if (paradigm ~ /"MPI"/) {
		nr_mpi++
		if (file != "MPI" || substr(name, 1, 4) != "MPI_")
			broken("not known as of MPI")
	} else if (paradigm ~ /"OpenMP"/) {
		nr_openmp++
		if (file != "OMP" && name !~ /^!\$omp /)
			broken("not known as of OpenMP")
	} else if (paradigm ~ /"Pthread"/) {
		nr_pthread++
		if (file != "PTHREAD" || length(name) < 8)
			broken("not known as of Pthread")
	} else if (file ~ /^(MPI|OMP|PTHREAD|EPIK)$/ || name ~ /^!\$omp/)
		broken("taken for one of a library")
	if ($0 ~ /Role: ARTIFICIAL, Paradigm: MEASUREMENT_SYSTEM/) {
		match($0, /Aka\. "[^"]*"/)
		program[name "\n" substr($0, RSTART + 6, RLENGTH - 7)] = 1
	}
}

/^LOCATION / && !/Type: CPU_THREAD/ {
	broken("a location of no thread")
}

# The program is the region with its name, and with path and arguments.
/^PROGRAM_BEGIN / {
	nr_programs++
	command = path = text("Name")
	sub(/.*\//, "", path)
	rest = substr($0, index($0, "Argument"))
	while (match(rest, /"[^"]*"/)) {
		command = command " " substr(rest, RSTART + 1, RLENGTH - 2)
		rest = substr(rest, RSTART + RLENGTH)
	}
	if (!((path "\n" command) in program))
		broken("no region for the program")
}

/^(MPI_COLLECTIVE_END|NON_BLOCKING_COLLECTIVE_COMPLETE) .*Operation: (CREATE|DESTROY|ALLOCATE|DEALLOCATE)/ {
	broken("an operation that is not known")
}

/^(CALLING_CONTEXT_(ENTER|LEAVE|SAMPLE)) / {
	broken("a sample")
}

END {
	print "regions: mpi " nr_mpi + 0 ", openmp " nr_openmp + 0 ", pthread " nr_pthread + 0 "; programs " nr_programs + 0
}
