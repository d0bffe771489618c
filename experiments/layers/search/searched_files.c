/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output.h"
#include "region_experiment.h"
#include "show_view.h"

#include <corridor/search_result.h>

#include <stdlib.h>

enum cor_status cor_print_of_searches(struct cor_result *result, const char *test, struct cor_error *error) {
    struct cor_layer_tables search;
    char *text = NULL;
    COR_TRY(cor_search_result_init(result, &search, error));
    const enum cor_status status = test ? cor_search_test_text(&search, test, &text, error)
                                        : cor_region_experiment(&search, &text, error);
    cor_layer_tables_fini(&search);
    if (status == COR_OK)
        cor_print("%s", text);
    free(text);
    return status;
}
