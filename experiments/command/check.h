/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * check starts this program again for each check, with this word in front. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_CHECK_H
#define CORRIDOR_EXPERIMENTS_COMMAND_CHECK_H

#include <corridor/conformance.h>

#define COR_CHECK_CHILD "conformance-check"

#endif
