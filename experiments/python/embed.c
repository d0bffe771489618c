/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* program_invocation_name */
#include <corridor/embed.h>

#include "corridor.h"

#include <errno.h>

uint32_t cor_embed_abi(void) {
    return COR_EMBED_ABI;
}

const char *cor_embed_version(void) {
    return CORRIDOR_VERSION;
}

/* Made at each build (commit.cmake). */
extern const char python__commit[];

const char *cor_embed_commit(void) {
    return python__commit;
}

int cor_embed_run(int argc, char **argv) {
    program_invocation_name = argv[0]; /* as pages and summaries call the program */
    return command__run(argc, argv);
}
