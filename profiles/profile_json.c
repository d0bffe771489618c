/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles from JSON (docs/profiles.md). What the file says is checked here, where each complaint can name
 * the value; cor_profile_create checks again what other callers give it. */
#include <corridor/profile.h>

#include <corridor/array.h>
#include <corridor/fields.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX, REMEDY_SIZE = 1024 };

/* What was read so far; names belong to the document. */
struct draft {
    const char *name, *description;
    uint32_t count;
    const char *states[MOST + 1]; /* NULL behind the last */
    double probability[MOST * MOST];
    double start[MOST];
    bool has_start; /* else it is stationary */
};

static enum cor_status read_version(const struct cor_json *version, void *into, struct cor_error *error) {
    (void)into;
    int64_t number;
    COR_TRY(cor_json_integer(version, INT32_MIN, INT32_MAX, &number, error));
    if (number != COR_PROFILE_VERSION)
        return cor_json_fail(version, error, "this program reads version 1", "the profile is of version %d",
                             (int)number);
    return COR_OK;
}

static enum cor_status read_name(const struct cor_json *name, void *into, struct cor_error *error) {
    struct draft *draft = into;
    COR_TRY(cor_json_string(name, &draft->name, error));
    if (draft->name[0] == '\0')
        return cor_json_fail(name, error, "leave \"name\" out, or say one", "the name is empty");
    if (!cor_is_printable(draft->name))
        return cor_json_fail(name, error, "leave control characters out", "is no name for a profile");
    return COR_OK;
}

/* For people: looked at only for its kind. */
static enum cor_status read_object(const struct cor_json *object, void *into, struct cor_error *error) {
    (void)into;
    return cor_json_expect_object(object, NULL, error);
}

/* The state called so, or -1. */
static int find_state(const struct draft *draft, const char *name) {
    for (uint32_t i = 0; i < draft->count; i++)
        if (strcmp(draft->states[i], name) == 0)
            return (int)i;
    return -1;
}

/* The same, where there has to be one. */
static enum cor_status need_state(const struct draft *draft, const struct cor_json *where, const char *name,
                                  uint32_t *state, struct cor_error *error) {
    char remedy[REMEDY_SIZE];
    int found = find_state(draft, name);
    *state = (uint32_t)found;
    if (found >= 0)
        return COR_OK;
    cor_known_names(name, draft->states, remedy, sizeof remedy);
    return cor_json_fail(where, error, remedy, "\"%s\" is not a state of the profile", name);
}

static enum cor_status read_states(const struct cor_json *list, void *into, struct cor_error *error) {
    struct draft *draft = into;
    COR_TRY(cor_json_expect_array(list, 1, MOST, error));
    for (size_t i = 0; i < cor_json_size(list); i++) {
        struct cor_json item = cor_json_at(list, i);
        const char *name, *remedy;
        COR_TRY(cor_json_string(&item, &name, error));
        if (cor_profile_check_name(name, &remedy) != COR_OK)
            return cor_json_fail(&item, error, remedy, "a state cannot be called \"%.80s\"", name);
        if (find_state(draft, name) >= 0)
            return cor_json_fail(&item, error, "give each state a name of its own",
                                 "a second state is called \"%s\"", name);
        draft->states[draft->count++] = name;
    }
    return COR_OK;
}

/* A law written as {"state": probability, ...}; what is not mentioned has probability 0. */
static enum cor_status read_law(const struct cor_json *json, const struct draft *draft, const char *of,
                                double *law, struct cor_error *error) {
    double sum = 0.0;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        uint32_t state;
        COR_TRY(need_state(draft, &item, item.key, &state, error));
        COR_TRY(cor_json_real(&item, 0.0, 1.0, &law[state], error));
        sum += law[state];
    }
    if (!(fabs(sum - 1.0) <= COR_PROFILE_SUM_SLACK))
        return cor_json_fail(json, error, COR_PROFILE_SUM_REMEDY, "the probabilities %s sum to %.12g", of,
                             sum);
    return COR_OK;
}

static enum cor_status read_transitions(const struct cor_json *rows, void *into, struct cor_error *error) {
    struct draft *draft = into;
    uint32_t state;
    COR_TRY(cor_json_expect_object(rows, NULL, error));
    for (size_t i = 0; i < cor_json_size(rows); i++) {
        struct cor_json row = cor_json_at(rows, i);
        COR_TRY(need_state(draft, &row, row.key, &state, error));
    }
    for (uint32_t from = 0; from < draft->count; from++) {
        struct cor_json row;
        char of[COR_PROFILE_NAME_MAX + 16];
        snprintf(of, sizeof of, "from \"%s\"", draft->states[from]);
        if (!cor_json_find(rows, draft->states[from], &row))
            return cor_json_fail(rows, error,
                                 "each state has a row; one that is never left leads to itself with 1",
                                 "state \"%s\" has no row", draft->states[from]);
        COR_TRY(read_law(&row, draft, of, draft->probability + (size_t)from * draft->count, error));
    }
    return COR_OK;
}

/* "start": the name of a state, "stationary", or a law. */
static enum cor_status read_start(const struct cor_json *start, void *into, struct cor_error *error) {
    struct draft *draft = into;
    const char *name;
    uint32_t state;
    draft->has_start = true;
    if (cor_json_is_object(start))
        return read_law(start, draft, "of the first state", draft->start, error);
    if (!cor_json_is_string(start))
        return cor_json_fail(start, error, "write a state, \"stationary\", or {\"state\": probability, ...}",
                             "the first state is neither a name nor a law");
    COR_TRY(cor_json_string(start, &name, error));
    draft->has_start = strcmp(name, COR_PROFILE_STATIONARY) != 0;
    if (!draft->has_start)
        return COR_OK;
    COR_TRY(need_state(draft, start, name, &state, error));
    draft->start[state] = 1.0;
    return COR_OK;
}

static const struct cor_field members[] = {
    {"name", COR_OPTIONAL, COR_READ_FIELD(read_name)},
    {"description", COR_OPTIONAL, COR_STRING_FIELD(struct draft, description)},
    {"source", COR_OPTIONAL, COR_READ_FIELD(read_object)},
    {"fit", COR_OPTIONAL, COR_READ_FIELD(read_object)},
    {"states", COR_REQUIRED, COR_READ_FIELD(read_states)},
    {"transitions", COR_REQUIRED, COR_READ_FIELD(read_transitions)},
    {"start", COR_OPTIONAL, COR_READ_FIELD(read_start)},
    {0},
};
static const struct cor_field in_a_model[] = {
    {"corridor_profile", COR_OPTIONAL, COR_READ_FIELD(read_version)}, COR_ROWS_OF(members), {0}};
static const struct cor_field in_a_file[] = {
    {"corridor_profile", COR_REQUIRED, COR_READ_FIELD(read_version)}, COR_ROWS_OF(members), {0}};

static enum cor_status read_profile(const struct cor_json *json, const struct cor_field *fields,
                                    const char *name, struct cor_profile **profile, struct cor_error *error) {
    *profile = NULL;
    struct draft *draft = cor_calloc(1, sizeof *draft);
    COR_TRY(cor_made(draft, error));
    enum cor_status status;
    draft->name = name;
    COR_TRY_OUT(cor_json_fields(json, fields, draft, error));
    COR_TRY_OUT(cor_profile_create(draft->name, draft->count, draft->states, draft->probability,
                                   draft->has_start ? draft->start : NULL, profile, error));
out:
    free(draft);
    return status;
}

enum cor_status cor_profile_from_json(const struct cor_json *json, const char *name,
                                      struct cor_profile **profile, struct cor_error *error) {
    return read_profile(json, in_a_model, name, profile, error);
}

/* "path/to/wind.json" -> "wind". Freed with free(). */
static char *name_of_file(const char *path) {
    const char *slash = strrchr(path, '/');
    char *name = cor_strdup(slash ? slash + 1 : path);
    char *dot = name ? strrchr(name, '.') : NULL;
    if (dot && dot > name)
        *dot = '\0';
    return name;
}

enum cor_status cor_profile_read(const char *path, struct cor_profile **profile, struct cor_error *error) {
    *profile = NULL;
    enum cor_status status;
    struct cor_json_document *document = NULL;
    char *name = name_of_file(path);
    COR_TRY(cor_made(name, error));
    COR_TRY_OUT(cor_json_read(path, &document, error));
    struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(read_profile(&root, in_a_file, name, profile, error));
out:
    cor_json_destroy(document);
    free(name);
    return status;
}
