// SPDX-License-Identifier: BSD-3-Clause
// Names of locations: with that of their process, or only that if a process has one location.

function onlyOnes(locations) {
	const nr = new Map();
	for (const { process } of locations)
		nr.set(process, (nr.get(process) ?? 0) + 1);
	return ({ process }) => process != null && nr.get(process) === 1;
}

function named(processName, location, isOnly) {
	if (processName == null)
		return location.name;
	if (isOnly)
		return processName;
	return location.name.startsWith(processName) ? location.name : `${processName}, ${location.name}`;
}

// By index of the analysis's or the profile's table of locations.
export function locationNames({ profile, analysis }) {
	const locations = analysis?.locations ?? profile?.locations ?? [];
	const isOnly = onlyOnes(locations);
	return locations.map((location) => named(profile?.processes?.[location.process]?.name, location, isOnly(location)));
}

// By index of the time line's table of locations.
export function timelineNames({ timeline: { locations, processes } }) {
	const isOnly = onlyOnes(locations);
	return locations.map((location) => named(processes[location.process]?.name, location, isOnly(location)));
}
