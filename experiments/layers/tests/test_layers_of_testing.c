/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * COR_LAYERS against every place that knows layers, so that a new one is missed nowhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../layers.h"

#include <corridor/kinds.h>
#include <corridor/report.h>
#include <corridor/verdicts.h>
#include <corridor/view.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cor_layer *const layers[] = {
#define COR_LAYER_ADDRESS(word) &cor_##word##_layer,
    COR_LAYERS(COR_LAYER_ADDRESS)
#undef COR_LAYER_ADDRESS
};
static const char *const words[] = {
#define COR_LAYER_WORD(word) #word,
    COR_LAYERS(COR_LAYER_WORD)
#undef COR_LAYER_WORD
};
enum { LAYERS = sizeof layers / sizeof *layers };

static void each_layer_has_a_schema_with_its_word_and_each_schema_a_layer(void **state) {
    const struct cor_layer_schema *const *schemas = cor_layer_schemas();
    (void)state;
    for (size_t l = 0; l < LAYERS; l++) {
        size_t s = 0;
        while (schemas[s] && schemas[s] != layers[l]->schema)
            s++;
        assert_non_null(schemas[s]);
        assert_string_equal(schemas[s]->name, words[l]);
        assert_true(schemas[s]->holds && schemas[s]->suites && schemas[s]->format);
        int kind = 0; /* by which other readers say what such a file is */
        while (kind < COR_KIND_COUNT && strcmp(cor_kind_key((enum cor_kind)kind), layers[l]->key) != 0)
            kind++;
        assert_true(kind < COR_KIND_COUNT);
        for (size_t other = 0; other < l; other++) {
            assert_string_not_equal(layers[l]->key, layers[other]->key);
            assert_string_not_equal(layers[l]->schema->format, layers[other]->schema->format);
        }
    }
    size_t count = 0;
    while (schemas[count])
        count++;
    assert_int_equal(count, LAYERS);
}

static void each_layer_has_a_view_of_its_own_files(void **state) {
    (void)state;
    for (size_t l = 0; l < LAYERS; l++) {
        const struct cor_view *view = cor_view_find(layers[l]->schema->view);
        assert_non_null(view);
        assert_ptr_equal(view->layer ? view->layer : &cor_interaction_schema, layers[l]->schema);
        assert_true(cor_report_knows(layers[l]->schema));
    }
}

static void each_layer_can_be_executed_and_told_of(void **state) {
    (void)state;
    for (size_t l = 0; l < LAYERS; l++) {
        const struct cor_layer *layer = layers[l];
        assert_true(layer->read && layer->destroy && layer->open && layer->execute && layer->close &&
                    layer->provenance && layer->failures);
        assert_true(!layer->follow_open == !layer->follow && !layer->follow == !layer->coverage);
    }
}

static void the_glossary_lists_the_layers(void **state) {
    char expected[512] = "| layer | A kind of test with an experiment of its own: ", *line = NULL;
    size_t size = 0;
    bool is_listed = false;
    FILE *page = fopen(TEST_SOURCE_DIR "/docs/look-up/words.md", "r");
    (void)state;
    assert_non_null(page);
    for (size_t l = 0; l < LAYERS; l++)
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%s%s", words[l],
                 l + 1 < LAYERS ? ", " : ". |");
    while (getline(&line, &size, page) > 0)
        is_listed = is_listed || strncmp(line, expected, strlen(expected)) == 0;
    free(line);
    assert_int_equal(fclose(page), 0);
    if (!is_listed)
        fail_msg("docs/look-up/words.md has not: %s", expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_layer_has_a_schema_with_its_word_and_each_schema_a_layer),
        cmocka_unit_test(each_layer_has_a_view_of_its_own_files),
        cmocka_unit_test(each_layer_can_be_executed_and_told_of),
        cmocka_unit_test(the_glossary_lists_the_layers),
    };
    return cmocka_run_group_tests_name("layers_of_testing", tests, NULL, NULL);
}
