/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isolation.h"

bool cor_read_isolation(const struct cor_arguments *arguments, struct cor_layer_options *options) {
    options->fresh_processes = cor_argument_given(arguments, "fresh-processes");
    return cor_argument_word(arguments, "isolate", COR_ISOLATION_UNTRUSTED, &options->isolation);
}
