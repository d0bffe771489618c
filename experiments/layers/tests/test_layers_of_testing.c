/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * COR_LAYERS against every place that knows layers, so that a new one is missed nowhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../layers.h"

#include <corridor/built.h>
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

/* All of them, in this order, with those that this build has not. */
static void the_glossary_lists_the_layers(void **state) {
    static const char begin[] = "| layer | A kind of test with an experiment of its own: ";
    char *line = NULL;
    size_t size = 0, listed = 0;
    FILE *page = fopen(TEST_SOURCE_DIR "/docs/look-up/words.md", "r");
    (void)state;
    assert_non_null(page);
    while (getline(&line, &size, page) > 0) {
        const char *at = strncmp(line, begin, strlen(begin)) == 0 ? line + strlen(begin) : NULL;
        while (at && listed < LAYERS && (at = strstr(at, words[listed])) != NULL)
            listed++;
    }
    free(line);
    assert_int_equal(fclose(page), 0);
    if (listed < LAYERS)
        fail_msg("docs/look-up/words.md has no %s, or elsewhere", words[listed]);
}

static void what_is_left_out_is_said_to_be(void **state) {
#define LEFT_OUT(word) #word,
    static const char *const left_out[] = {COR_LEFT_OUT(LEFT_OUT) NULL};
#undef LEFT_OUT
    size_t count = 0;
    (void)state;
    for (; left_out[count]; count++) {
        assert_non_null(cor_layer_absent(left_out[count]));
        assert_non_null(strstr(cor_layer_absent(left_out[count]), left_out[count]));
    }
    assert_int_equal(LAYERS + count, 7);
    for (size_t l = 0; l < LAYERS; l++)
        assert_null(cor_layer_absent(words[l]));
    assert_null(cor_layer_absent(""));
    for (int k = 0; k < COR_KIND_COUNT; k++) { /* each kind of file is of a layer that there is */
        const char *layer = cor_kind_layer((enum cor_kind)k), *absent = cor_layer_absent(layer);
        bool is_known = !layer[0] || absent;
        for (size_t l = 0; l < LAYERS; l++)
            is_known = is_known || strcmp(words[l], layer) == 0;
        assert_true(is_known);
        if (absent)
            assert_string_equal(cor_kind_reader((enum cor_kind)k), absent);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_layer_has_a_schema_with_its_word_and_each_schema_a_layer),
        cmocka_unit_test(each_layer_has_a_view_of_its_own_files),
        cmocka_unit_test(each_layer_can_be_executed_and_told_of),
        cmocka_unit_test(the_glossary_lists_the_layers),
        cmocka_unit_test(what_is_left_out_is_said_to_be),
    };
    return cmocka_run_group_tests_name("layers_of_testing", tests, NULL, NULL);
}
