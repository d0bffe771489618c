/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a suite as a file (off-line mode). A file holds everything that executing the suite depends on,
 * exactly: numbers with 17 digits, walks as one letter a state. docs/experiments.md, "Suite files". */
#include "generate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PUT_INTEGERS(writer, key, items, count)                        \
    do {                                                               \
        cor_json_open_array(writer, key);                              \
        for (size_t put = 0; put < (count); put++)                     \
            cor_json_put_integer(writer, NULL, (int64_t)(items)[put]); \
        cor_json_close(writer);                                        \
    } while (0)

static void put_reals(struct cor_json_writer *writer, const char *key, const double *items, size_t count) {
    cor_json_open_array(writer, key);
    for (size_t i = 0; i < count; i++)
        cor_json_put_real(writer, NULL, items[i]);
    cor_json_close(writer);
}

static void write_numbers(struct cor_json_writer *writer, const struct cor_suite *suite) {
    const struct cor_configuration *c = suite->configuration;
    cor_json_put_integer(writer, "agents", c->agent_count);
    cor_json_put_integer(writer, "groups", c->group_count);
    cor_json_put_integer(writer, "chains", c->chain_count);
    cor_json_put_integer(writer, "size_min", c->limits.size_min);
    cor_json_put_integer(writer, "size_max", c->limits.size_max);
    cor_json_put_integer(writer, "count_min", c->limits.count_min);
    cor_json_put_integer(writer, "count_max", c->limits.count_max);
    cor_json_put_real(writer, "threshold", c->threshold);
    cor_json_put_real(writer, "idle_ratio", c->idle_ratio);
    cor_json_put_integer(writer, "budget", (int64_t)suite->budget);
    cor_json_put_integer(writer, "attempts", suite->attempts);
    cor_json_put_bool(writer, "fallback", suite->fallback);
    cor_json_put_real(writer, "pilot_rate", suite->pilot_rate);
    put_reals(writer, "parameters", suite->parameters, cor_parameter_laws_size(suite->arm->laws));
}

static void write_agents(struct cor_json_writer *writer, const struct cor_configuration *c) {
    PUT_INTEGERS(writer, "type", c->type, c->agent_count);
    PUT_INTEGERS(writer, "group_start", c->group_start, (size_t)c->group_count + 1);
    PUT_INTEGERS(writer, "chain_of_group", c->chain_of_group, c->group_count);
    PUT_INTEGERS(writer, "profile_of_chain", c->profile_of_chain, c->chain_count);
    PUT_INTEGERS(writer, "location_of_chain", c->location_of_chain, c->chain_count);
    put_reals(writer, "inertia", c->inertia, c->agent_count);
    PUT_INTEGERS(writer, "initial_state", c->initial_state, c->agent_count);
    put_reals(writer, "initial_value", c->initial_value, c->agent_count);
    PUT_INTEGERS(writer, "initial_partition", c->initial_partition, c->agent_count);
    cor_json_put_integer(writer, "initial_partitions", c->initial_partitions);
}

static void write_effects(struct cor_json_writer *writer, const struct cor_configuration *c) {
    cor_json_open_array(writer, "effects");
    for (size_t i = 0; i < (size_t)c->type_count * c->profile_count; i++) {
        const struct cor_effect *e = &c->effects[i];
        size_t rows = (size_t)e->relevant_count * e->state_count;
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "relevant_count", e->relevant_count);
        PUT_INTEGERS(writer, "relevant", e->relevant, e->environment_states);
        PUT_INTEGERS(writer, "next", e->next, rows);
        if (e->cumulative)
            PUT_INTEGERS(writer, "cumulative", e->cumulative, rows * e->state_count);
        put_reals(writer, "level", e->level, e->state_count);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void write_profiles(struct cor_json_writer *writer, const struct cor_suite *suite) {
    cor_json_open_array(writer, "profiles");
    for (uint32_t p = 0; p < suite->configuration->profile_count; p++) {
        const struct cor_profile *profile = suite->profiles[p];
        size_t states = profile->state_count;
        cor_json_open_object(writer, NULL);
        put_reals(writer, "start", profile->start, states);
        put_reals(writer, "probability", profile->probability, states * states);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static enum cor_status write_walks(struct cor_json_writer *writer, const struct cor_suite *suite,
                                   struct cor_error *error) {
    struct cor_walk walk;
    enum cor_status status = COR_OK;
    cor_walk_init(&walk);
    cor_json_open_array(writer, "walks");
    for (uint32_t s = 0; s < suite->experiment->sequence_count && status == COR_OK; s++) {
        status = cor_suite_walk(suite, s, &walk, error);
        char *text = status == COR_OK ? malloc((size_t)walk.case_count + 2) : NULL;
        if (status == COR_OK && !text)
            status = cor_fail_memory(error);
        cor_json_open_array(writer, NULL);
        for (uint32_t chain = 0; status == COR_OK && chain < walk.chain_count; chain++) {
            for (uint32_t i = 0; i <= walk.case_count; i++)
                text[i] = COR_STATE_LETTERS[cor_walk_at(&walk, i)[chain]];
            text[walk.case_count + 1] = '\0';
            cor_json_put_string(writer, NULL, text);
        }
        cor_json_close(writer);
        free(text);
    }
    cor_json_close(writer);
    cor_walk_fini(&walk);
    return status;
}

static enum cor_status suite_text(const struct cor_suite *suite, char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "corridor_suite", 1);
    cor_json_put_string(writer, "arm", suite->arm->name);
    cor_json_put_integer(writer, "suite", suite->index);
    write_numbers(writer, suite);
    write_agents(writer, suite->configuration);
    write_effects(writer, suite->configuration);
    write_profiles(writer, suite);
    status = write_walks(writer, suite, error);
    cor_json_close(writer);
    if (status == COR_OK && !(*text = cor_json_writer_text(writer, 0, error)))
        status = COR_STATUS_MEMORY;
    cor_json_writer_destroy(writer);
    return status;
}

/* What could not be read back is not written, and not even built in memory. */
static enum cor_status check_size(const struct cor_suite *suite, const char *path, struct cor_error *error) {
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < suite->experiment->sequence_count; s++)
        bytes += ((uint64_t)suite->case_counts[s] + 1) * suite->configuration->chain_count;
    if (bytes < COR_JSON_BYTES_MAX)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, path, "run the experiment without writing its suites",
                    "would be larger than %u MiB", COR_JSON_BYTES_MAX >> 20);
}

enum cor_status cor_suite_write(const struct cor_suite *suite, const char *path, struct cor_error *error) {
    char *text = NULL;
    enum cor_status status = check_size(suite, path, error);
    if (status == COR_OK)
        status = suite_text(suite, &text, error);
    FILE *file = status == COR_OK ? fopen(path, "wx") : NULL;
    if (status == COR_OK && !file)
        status = errno == EEXIST ? cor_fail(error, COR_STATUS_EXISTS, path, "write it into a new folder",
                                            "exists already")
                                 : cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    if (file) {
        bool failed = fputs(text, file) == EOF || fputc('\n', file) == EOF;
        if (fclose(file) != 0 || failed) {
            status = cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
            remove(path);
        }
    }
    free(text);
    return status;
}
