/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library whose function is called as PLUGIN says. */
int PLUGIN(int argument);

int PLUGIN(int argument)
{
	return argument + 1;
}
