/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isolation.h"

enum { REQUIRE_FULL, REQUIRE_NOTHING };

const char *cor_required_isolation_word(size_t index) {
    return index == REQUIRE_FULL ? "full" : NULL;
}

bool cor_read_isolation(const struct cor_arguments *arguments, struct cor_layer_options *options) {
    options->fresh_processes = cor_argument_given(arguments, "fresh-processes");
    int required = REQUIRE_NOTHING;
    if (cor_takes(arguments, "require-isolation") &&
        !cor_argument_word(arguments, "require-isolation", REQUIRE_NOTHING, &required))
        return false;
    options->isolation_required = required == REQUIRE_FULL;
    return cor_argument_word(arguments, "isolate", COR_ISOLATION_UNTRUSTED, &options->isolation);
}
