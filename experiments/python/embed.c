/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* program_invocation_name */
#include <corridor/embed.h>

#include "corridor.h"
#include "embed_internal.h"

#include <corridor/hash.h>
#include <corridor/host.h>

#include <errno.h>
#include <stdio.h>

uint32_t cor_embed_abi(void) {
    return COR_EMBED_ABI;
}

const char *cor_embed_version(void) {
    return CORRIDOR_VERSION;
}

const char *cor_embed_commit(void) {
    return command__commit;
}

int embed__refuse(enum cor_status status, const struct cor_error *error, char *why, size_t size) {
    snprintf(why, size, "%s%s%s", error->cause, error->remedy[0] ? "; " : "", error->remedy);
    return status != COR_OK;
}

int cor_embed_algorithm(const struct cor_algorithm *algorithm, const char *digest, char *why, size_t size) {
    struct cor_error error = COR_NO_ERROR;
    return embed__refuse(cor_algorithm_embed(algorithm, digest, &error), &error, why, size);
}

uint64_t cor_embed_hash(const void *bytes, size_t size) {
    return cor_hash_bytes(COR_HASH_SEED, bytes, size);
}

int cor_embed_put_blocks(const struct cor_host *host, const uint32_t *members, const uint32_t *sizes,
                         size_t count) {
    for (size_t i = 0; i < count; members += sizes[i], i++)
        if (!host->put_block(host, members, sizes[i]))
            return 0;
    return 1;
}

uint64_t cor_embed_random_word(struct cor_random *random) {
    return cor_random_word(random);
}

int cor_embed_run(int argc, char **argv) {
    program_invocation_name = argv[0]; /* as pages and summaries call the program */
    return command__run(argc, argv);
}
