/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options that say where algorithms work, of all commands that run some. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_ISOLATION_H
#define CORRIDOR_EXPERIMENTS_COMMAND_ISOLATION_H

#include "command.h"

#include <corridor/host.h>
#include <corridor/layer.h>

/* Rows of a command whose request has a struct cor_layer_options `member`; the first alone, `which` of
 * enum cor_isolation. */
#define COR_ISOLATE_OPTION(which)                                                            \
    {                                                                                        \
        "isolate", 0, "WORD",                                                                \
            "put what is tested in a sandbox (untrusted: only yours); results are the same", \
            COR_WORD(which, cor_isolation_word, 0, COR_ISOLATION_UNTRUSTED)                  \
    }
/* Of commands that read result files or tests. */
#define COR_TRUST_OPTION(member)                                                                \
    {                                                                                           \
        "trust", 0, NULL, "start programs and modules that the file names, after showing them", \
            COR_FLAG(member)                                                                    \
    }
#define COR_FRESH_OPTION(member)                                                    \
    {                                                                               \
        "fresh-processes", 0, NULL, "start a new sandbox for every reorganization", \
            COR_FLAG(member.fresh_processes)                                        \
    }
#define COR_ISOLATION_OPTIONS(member)                                                                      \
    COR_ISOLATE_OPTION(member.isolation), COR_FRESH_OPTION(member), {                                      \
        "require-isolation", 0, "WORD", "stop if this machine cannot sandbox fully (see corridor doctor)", \
            COR_NAME(member.isolation_required, COR_NAMES("full"), true, false)                            \
    }

#endif
