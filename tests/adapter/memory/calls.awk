# SPDX-License-Identifier: BSD-3-Clause
# From a log of the stub: a line for each call, with what is asked for, what goes back (-; ?: not known), and
# whether that failed; and one for each value of what is in use.
$1 == "region" { name[$2] = $0; sub(/^region [0-9]+ name /, "", name[$2]); sub(/ role .*/, "", name[$2]) }
$1 == "attribute" { attribute[$2] = $4 }
$1 == "metric" { print "in use " $3 }
$1 != "event" { next }
$4 == "attribute" { value[attribute[$5]] = $6 }
$4 == "enter" {
	line = name[$5]
	if ("ALLOCATION_SIZE" in value)
		line = line " " value["ALLOCATION_SIZE"]
	if ("ARGUMENT_ADDRESS" in value) {
		line = line " -" ("DEALLOCATION_SIZE" in value ? value["DEALLOCATION_SIZE"] : "?")
		if (value["ARGUMENT_ADDRESS"] == 0)
			line = line " null"
		else if (value["ARGUMENT_ADDRESS"] != last)
			line = line " elsewhere"
	}
	if (depth++)
		line = line " nested"
	split("", value)
}
$4 == "leave" {
	if ("RESULT_ADDRESS" in value && value["RESULT_ADDRESS"] == 0)
		line = line " failed"
	else if ("RESULT_ADDRESS" in value)
		last = value["RESULT_ADDRESS"]
	split("", value)
	depth--
	print line
}
