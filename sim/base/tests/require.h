/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests that ask for what must work. */
#ifndef CORRIDOR_SIM_BASE_TESTS_REQUIRE_H
#define CORRIDOR_SIM_BASE_TESTS_REQUIRE_H

#include <corridor/error.h>

/* Fails, and says why, unless the call, which gets &said as its error, is COR_OK. */
#define REQUIRE(call)                                   \
    do {                                                \
        struct cor_error said = COR_NO_ERROR;           \
        if ((call) != COR_OK)                           \
            fail_msg("%s: %s", said.place, said.cause); \
    } while (0)

#endif
