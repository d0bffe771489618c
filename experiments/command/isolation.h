/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options that say where algorithms work, of all commands that run some. */
#ifndef CORRIDOR_CLI_ISOLATION_H
#define CORRIDOR_CLI_ISOLATION_H

#include "command.h"

#include <corridor/host.h>
#include <corridor/layer.h>

/* Entries of a command's tables. */
#define COR_ISOLATE_OPTION                                                                                 \
    {                                                                                                      \
        "isolate", 0, "WORD", "put algorithms in a sandbox (untrusted: only yours); results are the same", \
            "untrusted"                                                                                    \
    }
#define COR_FRESH_OPTION \
    { "fresh-processes", 0, NULL, "start a new sandbox for every reorganization", NULL }
#define COR_REQUIRE_OPTION                                                                                 \
    {                                                                                                      \
        "require-isolation", 0, "WORD", "stop if this machine cannot sandbox fully (see corridor doctor)", \
            NULL                                                                                           \
    }
#define COR_ISOLATION_CHOICE \
    { "isolate", cor_isolation_word }
#define COR_REQUIRE_CHOICE \
    { "require-isolation", cor_required_isolation_word }

/* "full"; NULL behind the last. */
const char *cor_required_isolation_word(size_t index);

/* Reads them; false after saying what is wrong. */
bool cor_read_isolation(const struct cor_arguments *arguments, struct cor_layer_options *options);

#endif
