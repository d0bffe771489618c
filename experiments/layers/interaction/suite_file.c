/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites as files (off-line mode). A file holds everything that executing the suite depends on, exactly:
 * numbers with 17 digits, walks as one letter a state; docs/look-up/experiments.md, "Suite files". It may
 * have been edited, so everything that executing it relies on is checked when it is read back. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum cor_status write_walks(struct cor_json_writer *writer, const struct cor_suite *suite,
                                   struct cor_error *error) {
    struct cor_walk walk;
    enum cor_status status = COR_OK;
    cor_walk_init(&walk);
    cor_json_open_array(writer, "walks");
    for (uint32_t s = 0; s < suite->sequence_count; s++) {
        COR_TRY_OUT(cor_suite_walk(suite, s, &walk, error));
        COR_TRY_OUT(interaction__suite_put_walk(writer, NULL, &walk, error));
    }
out:
    cor_json_close(writer);
    cor_walk_fini(&walk);
    return status;
}

static enum cor_status suite_text(const struct cor_suite *suite, char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "corridor_suite", 1);
    cor_json_put_string(writer, "arm", suite->arm->name);
    cor_json_put_integer(writer, "suite", suite->index);
    interaction__suite_put_limits(writer, suite);
    cor_json_put_integer(writer, "budget", (int64_t)suite->budget);
    cor_json_put_integer(writer, "attempts", suite->attempts);
    cor_json_put_bool(writer, "fallback", suite->fallback);
    cor_json_put_real(writer, "pilot_rate", suite->pilot_rate);
    interaction__suite_put_parameters(writer, suite);
    interaction__suite_put_columns(writer, suite);
    enum cor_status status = write_walks(writer, suite, error);
    cor_json_close(writer);
    if (status == COR_OK)
        return cor_json_text_take(writer, 0, text, error);
    cor_json_writer_destroy(writer);
    return status;
}

enum cor_status cor_suite_write(const struct cor_suite *suite, const char *path, struct cor_error *error) {
    char *text = NULL;
    /* What could not be read back is not written, and not even built in memory: walks that answer to what
     * happens, and files beyond what is read. */
    uint64_t bytes = 0;
    if (suite->arm->source->next && !suite->recorded)
        return cor_fail(error, COR_STATUS_INPUT, path, "run the experiment without writing its suites",
                        "the walks of arm %s answer to what happens, so they are not known before",
                        suite->arm->name);
    for (uint32_t s = 0; s < suite->sequence_count; s++)
        bytes += ((uint64_t)suite->case_counts[s] + 1) * suite->configuration->chain_count;
    if (bytes >= COR_JSON_BYTES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, path, "run the experiment without writing its suites",
                        "would be larger than %u MiB", COR_JSON_BYTES_MAX >> 20);
    COR_TRY(suite_text(suite, &text, error));
    enum cor_status status = interaction__write_new(path, text, error);
    free(text);
    return status;
}

/* Two texts of the same layout. */
static enum cor_status first_difference(const char *one, const char *other, char **member,
                                        struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_json_document *documents[2] = {NULL};
    COR_TRY_OUT(cor_json_parse(one, "suite", &documents[0], error));
    COR_TRY_OUT(cor_json_parse(other, "suite", &documents[1], error));
    const struct cor_json root = cor_json_root(documents[0]), other_root = cor_json_root(documents[1]);
    for (size_t i = 0; i < cor_json_size(&root) && !*member; i++) {
        const struct cor_json child = cor_json_at(&root, i), other_child = cor_json_at(&other_root, i);
        char *text = cor_json_text(&child), *other_text = cor_json_text(&other_child);
        bool made = text && other_text, same = made && strcmp(text, other_text) == 0;
        free(text);
        free(other_text);
        if (!made || (!same && !(*member = cor_strdup(child.key))))
            COR_TRY_OUT(cor_fail_memory(error));
    }
    COR_ASSERT(*member);
out:
    cor_json_destroy(documents[0]);
    cor_json_destroy(documents[1]);
    return status;
}

enum cor_status cor_suite_compare(const struct cor_suite *suite, const struct cor_suite *other, char **member,
                                  uint64_t *fingerprint, struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *text = NULL, *other_text = NULL;
    *member = NULL;
    COR_TRY_OUT(suite_text(suite, &text, error));
    COR_TRY_OUT(suite_text(other, &other_text, error));
    *fingerprint = cor_hash_bytes(COR_HASH_SEED, text, strlen(text));
    if (strcmp(text, other_text) != 0)
        status = first_difference(text, other_text, member, error);
out:
    free(text);
    free(other_text);
    return status;
}

/* null: the threshold was given, and there was no pilot. */
static enum cor_status read_pilot_rate(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_is_null(json) ? COR_OK
                                  : cor_json_real(json, 0, 1, &((struct cor_suite *)into)->pilot_rate, error);
}

/* What a file says of itself, and how large its suite is. */
struct head {
    const char *arm;
    uint32_t index, agents;
};

/* All members; those that depend on others are read behind them. */
static const struct cor_field head_fields[] = {
    {"corridor_suite", COR_REQUIRED, COR_READ_FIELD(interaction__check_version)},
    {"arm", COR_REQUIRED, COR_STRING_FIELD(struct head, arm)},
    {"suite", COR_REQUIRED, COR_INTEGER_FIELD(struct head, index, 0, UINT32_MAX)},
    {"agents", COR_REQUIRED, COR_INTEGER_FIELD(struct head, agents, 1, COR_AGENTS_MAX)},
    COR_ROWS_OF(interaction__suite_number_fields),
    {"budget", COR_REQUIRED, COR_KNOWN_FIELD},
    {"attempts", COR_REQUIRED, COR_KNOWN_FIELD},
    {"fallback", COR_REQUIRED, COR_KNOWN_FIELD},
    {"pilot_rate", COR_REQUIRED, COR_KNOWN_FIELD},
    {"parameters", COR_REQUIRED, COR_KNOWN_FIELD},
    COR_ROWS_OF(interaction__suite_column_fields),
    {"walks", COR_REQUIRED, COR_KNOWN_FIELD},
    {0}};

static enum cor_status read_parameters(const struct cor_json *array, void *into, struct cor_error *error) {
    struct cor_suite *suite = into;
    const uint32_t count = suite->arm->parameter_count;
    COR_TRY(cor_json_expect_array(array, count, count, error));
    return interaction__suite_read_parameters(array, suite, error);
}

static const struct cor_field suite_fields[] = {
    {"budget", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_suite, budget, 1, INT64_MAX)},
    {"attempts", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_suite, attempts, 0, UINT32_MAX)},
    {"fallback", COR_REQUIRED, COR_BOOL_FIELD(struct cor_suite, fallback)},
    {"pilot_rate", COR_REQUIRED, COR_READ_FIELD(read_pilot_rate)},
    {"parameters", COR_REQUIRED, COR_READ_FIELD(read_parameters)},
    {0}};

static enum cor_status read_body(const struct cor_json *json, uint32_t agents, struct cor_suite *suite,
                                 struct cor_error *error) {
    COR_TRY(cor_json_members(json, suite_fields, suite, error));
    COR_TRY(interaction__suite_read_columns(json, agents, suite, error));
    uint32_t sequences = suite->sequence_count;
    struct cor_json array;
    COR_TRY(cor_json_need(json, "walks", &array, error));
    COR_TRY(cor_json_expect_array(&array, sequences, sequences, error));
    suite->recorded = cor_calloc(sequences, sizeof *suite->recorded);
    COR_TRY(cor_made(suite->recorded, error));
    for (uint32_t s = 0; s < sequences; s++) {
        struct cor_json item = cor_json_at(&array, s);
        cor_walk_init(&suite->recorded[s]);
        COR_TRY(interaction__suite_read_walk(&item, suite, &suite->recorded[s], error));
        suite->case_counts[s] = suite->recorded[s].case_count;
    }
    return cor_suite_steer(suite, error);
}

static enum cor_status read_suite(const struct cor_experiment *experiment, const struct cor_json *json,
                                  struct cor_suite **suite, struct cor_error *error) {
    struct head head;
    struct cor_json child;
    COR_TRY(cor_json_fields(json, head_fields, &head, error));
    COR_TRY(cor_json_need(json, "arm", &child, error));
    int arm = cor_experiment_arm(experiment, head.arm);
    if (arm < 0)
        return cor_json_fail(&child, error, "the folder's experiment.json lists the arms",
                             "unknown arm \"%s\"", head.arm);
    COR_TRY(interaction__suite_create(experiment, (uint32_t)arm, head.index, experiment->sequence_count,
                                      suite, error));
    return read_body(json, head.agents, *suite, error);
}

enum cor_status cor_suite_read(const struct cor_experiment *experiment, const char *path,
                               struct cor_suite **suite, struct cor_error *error) {
    struct cor_json_document *document;
    *suite = NULL;
    COR_TRY(cor_json_read(path, &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = cor_json_expect_kind(&root, COR_KIND_SUITE, error);
    if (status == COR_OK)
        status = read_suite(experiment, &root, suite, error);
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_suite_destroy(*suite);
        *suite = NULL;
    }
    return status;
}
