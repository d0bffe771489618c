/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene.h"

#include <corridor/array.h>
#include <corridor/run.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char model[] =
    "{\"corridor_model\": 1, \"name\": \"small\",\n"
    " \"parameters\": [{\"agents\": [8, 30], \"n_min <= n_max\": [2, 4], \"lazy\": [0.05, 0.2], \"ep\": [3, "
    "6]}],\n"
    " \"agents\": \"agents\", \"idle_ratio\": \"lazy\", \"mixed_groups\": true, \"inertia\": [0.2, 1.0],\n"
    " \"structure\": {\"count_min\": \"n_min\", \"count_max\": \"n_max\"},\n"
    " \"environments\": {\n"
    "  \"sky\": {\"profile\": {\"corridor_profile\": 1, \"states\": [\"dark\", \"bright\"],\n"
    "   \"transitions\": {\"dark\": {\"dark\": 0.5, \"bright\": 0.5}, \"bright\": {\"dark\": 0.7, "
    "\"bright\": 0.3}}}},\n"
    "  \"traffic\": {\"random\": {\"states\": \"ep\"}}},\n"
    " \"types\": {\n"
    "  \"lamp\": {\"environment\": \"sky\", \"states\": {\"on\": 0.9, \"off\": 0.1}, \"initial\": \"off\",\n"
    "   \"influence\": {\"dark\": \"on\", \"bright\": {\"on\": {\"on\": 0.2, \"off\": 0.8}}}},\n"
    "  \"van\": {\"environment\": \"traffic\", \"level\": [0.2, 1.0]}},\n"
    " \"invariant\": {\"threshold\": {\"alarm_rate\": 0.3, \"pilot_cases\": 60}}}";

const char scene_faults[] =
    "{\"name\": \"spada\", \"algorithm\": \"spada\", \"fault\": \"f1\"},\n"
    "{\"name\": \"psopp\", \"algorithm\": \"psopp\", \"fault\": \"f3\", \"parameters\": {\"budget\": [100, "
    "400]}},\n"
    "{\"name\": \"random\", \"algorithm\": \"random\"},\n"
    "{\"name\": \"shuffled\", \"algorithm\": \"spada\", \"mail\": {\"mode\": \"shuffled\"}, "
    "\"activation_delay\": 2},\n"
    "{\"name\": \"delayed\", \"algorithm\": \"spada\", \"mail\": {\"mode\": \"delayed\", \"delay_max\": "
    "4}},\n"
    "{\"name\": \"lossy\", \"algorithm\": \"spada\", \"mail\": {\"mode\": \"lossy\", \"loss_ratio\": "
    "0.05}},\n"
    "{\"name\": \"doubled\", \"algorithm\": \"spada\", \"mail\": {\"mode\": \"duplicated\", "
    "\"duplicate_ratio\": 0.05}},\n"
    "{\"name\": \"pct\", \"algorithm\": \"spada\", \"mail\": {\"mode\": \"pct\", \"depth\": 2}},\n"
    "{\"name\": \"bounded\", \"algorithm\": \"spada\", \"mail\": {\"mode\": \"bounded\", \"bound\": 2}},\n"
    "{\"name\": \"crashed\", \"algorithm\": \"spada\", \"agents\": {\"fault\": \"crashed\", \"probability\": "
    "0.01}},\n"
    "{\"name\": \"missed\", \"algorithm\": \"psopp\", \"monitor\": {\"fault\": \"missed\", \"probability\": "
    "0.3},\n"
    "  \"look_every\": 3},\n"
    "{\"name\": \"false\", \"algorithm\": \"psopp\", \"monitor\": {\"fault\": \"false\", \"probability\": "
    "0.1}},\n"
    "{\"name\": \"late\", \"algorithm\": \"psopp\", \"monitor\": {\"fault\": \"late\", \"delay\": 2}},\n"
    "{\"name\": \"lost\", \"algorithm\": \"psopp\", \"adoption\": {\"fault\": \"lost\", \"probability\": "
    "0.02}},\n"
    "{\"name\": \"halfway\", \"algorithm\": \"spada\", \"adoption\": {\"fault\": \"halfway\", "
    "\"probability\": 0.1}},\n"
    "{\"name\": \"dropped\", \"algorithm\": \"psopp\", \"result\": {\"fault\": \"agent_dropped\", "
    "\"probability\": 0.1}},\n"
    "{\"name\": \"stale\", \"algorithm\": \"psopp\", \"result\": {\"fault\": \"stale\", \"probability\": "
    "0.3}},\n"
    "{\"name\": \"belated\", \"algorithm\": \"psopp\", \"result\": {\"fault\": \"late\", \"probability\": "
    "0.3}},\n"
    "{\"name\": \"interim\", \"algorithm\": \"psopp\", \"fault\": \"f2\", \"interim\": 20},\n"
    "{\"name\": \"traps\", \"algorithm\": \"psopp\", \"fault\": \"f1\", \"environment\": {\"profile_share\": "
    "0.3,\n"
    "  \"traps\": [\"sky = 'dark' and alarm\", \"before.sky = 'bright' and sky = 'dark' and reorganized\"]}}";

static void open_scene(struct scene *scene, const char *arms, bool branching,
                       const struct cor_layer_options *options) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    char *notes = NULL, *warnings = NULL;
    const struct cor_layer *layer = &cor_interaction_layer;
    *scene = (struct scene){0};
    char *text = cor_format(
        "{\"corridor_experiment\": 1, \"name\": \"small\", \"seed\": \"0x5\", \"suites\": 2,\n"
        " \"sequences\": 3, \"cases\": [10, 25], %s\"model\": %s, \"arms\": [%s]}",
        branching ? "\"branching\": {\"continuations\": 2, \"back\": [1, 4]},\n" : "", model, arms);
    assert_non_null(text);
    OK(cor_json_parse(text, "scene", &document, &error));
    free(text);
    OK(layer->read("scene", document, options, &scene->interaction, &notes, &warnings, &error));
    free(notes);
    free(warnings);
    scene->experiment = ((struct cor_interaction *)scene->interaction)->experiment;
    OK(cor_record_create(layer->schema, &scene->record, &error));
    OK(layer->open(scene->interaction, &scene->executor, &error));
}

void scene_open(struct scene *scene, const char *arms, bool branching) {
    open_scene(scene, arms, branching, &(struct cor_layer_options){0});
}

void scene_open_here(struct scene *scene, const char *arms) {
    open_scene(scene, arms, false, &(struct cor_layer_options){.isolation = COR_ISOLATION_NEVER});
}

void scene_close(struct scene *scene) {
    cor_suite_destroy(scene->suite);
    cor_record_destroy(scene->record);
    cor_interaction_layer.close(scene->executor);
    cor_interaction_layer.destroy(scene->interaction);
}

void scene_execute(struct scene *scene, uint32_t arm, uint32_t suite) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_suite_counts tally = {0};
    cor_suite_destroy(scene->suite);
    OK(cor_suite_generate(scene->experiment, arm, suite, &scene->suite, &error));
    OK(cor_interaction_layer.execute(scene->executor, arm, suite, NULL, scene->record, &tally, &error));
}

struct cor_test *scene_test(struct scene *scene, size_t row) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_sequence_row *sequence = cor_record_at(scene->record, COR_TABLE_SEQUENCES, row);
    struct cor_branch branch, *its = NULL;
    struct cor_walk walk;
    struct cor_test *test;
    for (size_t i = 0; i < cor_record_size(scene->record, COR_TABLE_BRANCHES); i++) {
        const struct cor_branch_row *it = cor_record_at(scene->record, COR_TABLE_BRANCHES, i);
        if (it->sequence != sequence->sequence)
            continue;
        branch = (struct cor_branch){it->parent, it->prefix};
        its = &branch;
    }
    cor_walk_init(&walk);
    OK(cor_record_walk(scene->record, row, scene->suite->configuration->chain_count, &walk, &error));
    OK(cor_test_of_sequence(scene->suite, sequence->sequence, its, &walk, &test, &error));
    assert_null(walk.states);
    return test;
}

static uint64_t start_of(const struct cor_table_schema *schema, uint32_t column, const unsigned char *row) {
    uint64_t start;
    memcpy(&start, row + schema->columns[column].offset, sizeof start);
    return start;
}

static void compare_items(struct cor_record *stored, struct cor_record *now, uint32_t vector, uint64_t from,
                          uint64_t to, size_t count) {
    size_t size = cor_type_size(cor_vector((enum cor_vector)vector)->type), all, others;
    const unsigned char *a = cor_record_items(stored, vector, &all),
                        *b = cor_record_items(now, vector, &others);
    assert_in_range(from + count, 0, all);
    assert_in_range(to + count, 0, others);
    if (count > 0)
        assert_memory_equal(a + from * size, b + to * size, count * size);
}

/* What the offsets of a failure's row lead to. */
static void compare_failure(struct cor_record *stored, struct cor_record *now,
                            const struct cor_failure_row *a, const struct cor_failure_row *b) {
    compare_items(stored, now, COR_VECTOR_SOLUTION_BLOCK_SIZE, a->block_start, b->block_start, a->blocks);
    compare_items(stored, now, COR_VECTOR_SOLUTION_MEMBER, a->member_start, b->member_start, a->members);
    compare_items(stored, now, COR_VECTOR_STRUCTURE, a->structure_start, b->structure_start, a->labels);
}

static void compare_row(const struct cor_table_schema *schema, const unsigned char *stored,
                        const unsigned char *now) {
    for (uint32_t c = 0; c < schema->column_count; c++) {
        const struct cor_column *column = &schema->columns[c];
        const size_t length = strlen(column->name);
        if (length > 6 && strcmp(column->name + length - 6, "_start") == 0)
            continue;
        if (memcmp(stored + column->offset, now + column->offset, cor_type_size(column->type)) != 0)
            fail_msg("%s: %s differs (%llu, now %llu)", schema->group, column->name,
                     (unsigned long long)start_of(schema, c, stored),
                     (unsigned long long)start_of(schema, c, now));
    }
}

static void compare_table(struct scene *scene, uint16_t sequence, struct cor_record *executed,
                          enum cor_table table) {
    const struct cor_table_schema *schema = cor_schema(table);
    size_t at = 0;
    for (size_t i = 0; i < cor_record_size(scene->record, table); i++) {
        const unsigned char *stored = cor_record_at(scene->record, table, i);
        uint16_t of;
        memcpy(&of, stored + schema->columns[2].offset, sizeof of);
        if (of != sequence)
            continue;
        if (at == cor_record_size(executed, table))
            fail_msg("%s: %zu rows, and more in the suite", schema->group, at);
        const unsigned char *now = cor_record_at(executed, table, at++);
        compare_row(schema, stored, now);
        if (table == COR_TABLE_FAILURES)
            compare_failure(scene->record, executed, (const void *)stored, (const void *)now);
    }
    assert_int_equal(at, cor_record_size(executed, table));
}

void scene_compare(struct scene *scene, size_t row, struct cor_record *executed) {
    static const enum cor_table tables[] = {
        COR_TABLE_CASES,     COR_TABLE_REORGANIZATIONS, COR_TABLE_VIOLATIONS, COR_TABLE_FAILURES,
        COR_TABLE_SEQUENCES, COR_TABLE_SMOKES,          COR_TABLE_BRANCHES};
    const struct cor_sequence_row *sequence = cor_record_at(scene->record, COR_TABLE_SEQUENCES, row);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        compare_table(scene, sequence->sequence, executed, tables[t]);
}
