/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "embedded.h"

#include "algorithm.h"

#include <corridor/digest.h>

#include <stdio.h>
#include <string.h>

/* Of the process, as built-in algorithms are: registries come and go, and cells are forked. */
static struct host__embedded embedded[COR_EMBEDDED_MOST];
static uint32_t embedded_count;

const struct host__embedded *host__embedded(uint32_t index) {
    return index < embedded_count ? &embedded[index] : NULL;
}

const struct host__embedded *host__embedded_find(const char *name) {
    uint32_t i = 0;
    while (host__embedded(i) && strcmp(embedded[i].algorithm.name, name) != 0)
        i++;
    return host__embedded(i);
}

static bool is_taken(const char *name) {
    uint32_t i = 0;
    while (host__builtin(i) && strcmp(host__builtin(i)->name, name) != 0)
        i++;
    return host__builtin(i) || host__embedded_find(name);
}

enum cor_status cor_algorithm_embed(const struct cor_algorithm *algorithm, const char *digest,
                                    struct cor_error *error) {
    struct host__embedded made = {.digest = ""};
    if (digest && !cor_is_digest(digest))
        return cor_fail(error, COR_STATUS_PLUGIN, "embedded", "64 hexadecimal digits, or none",
                        "the digest of the algorithm is \"%s\"", digest);
    COR_TRY(cor_module_copy(&host__algorithm_kind, algorithm, "embedded", &made.algorithm, error));
    if (is_taken(made.algorithm.name))
        return cor_fail(error, COR_STATUS_PLUGIN, "embedded", "give it another name",
                        "there is an algorithm \"%s\" already", made.algorithm.name);
    if (embedded_count == COR_EMBEDDED_MOST)
        return cor_fail(error, COR_STATUS_PLUGIN, "embedded", NULL, "more than %d algorithms",
                        COR_EMBEDDED_MOST);
    snprintf(made.digest, sizeof made.digest, "%s", digest ? digest : "");
    embedded[embedded_count++] = made;
    return COR_OK;
}
