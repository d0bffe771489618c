/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles from JSON (docs/profiles.md). What the file says is checked here, where each complaint can name
 * the value; cor_profile_create checks again what other callers give it. */
#include <corridor/profile.h>

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX, REMEDY_SIZE = 1024 };

/* What was read so far; names belong to the document. */
struct draft {
    const char *name;
    uint32_t count;
    const char *states[MOST + 1]; /* NULL behind the last */
    double probability[MOST * MOST];
    double start[MOST];
    bool stationary; /* `start` is not given */
};

static const char *const keys[] = {"corridor_profile", "name",        "description", "source", "fit",
                                   "states",           "transitions", "start",       NULL};

static enum cor_status read_version(const struct cor_json *json, struct cor_error *error) {
    struct cor_json version;
    int64_t number;
    if (!cor_json_find(json, "corridor_profile", &version))
        return COR_OK;
    enum cor_status status = cor_json_integer(&version, INT32_MIN, INT32_MAX, &number, error);
    if (status == COR_OK && number != COR_PROFILE_VERSION)
        return cor_json_fail(&version, error, "this program reads version 1", "the profile is of version %d",
                             (int)number);
    return status;
}

static enum cor_status read_name(const struct cor_json *json, struct draft *draft, struct cor_error *error) {
    struct cor_json name;
    if (!cor_json_find(json, "name", &name))
        return COR_OK;
    enum cor_status status = cor_json_string(&name, &draft->name, error);
    if (status == COR_OK && draft->name[0] == '\0')
        return cor_json_fail(&name, error, "leave \"name\" out, or say one", "the name is empty");
    if (status == COR_OK && !cor_is_printable(draft->name))
        return cor_json_fail(&name, error, "leave control characters out", "is no name for a profile");
    return status;
}

/* Remarks for people: looked at only for their kind. */
static enum cor_status read_remarks(const struct cor_json *json, struct cor_error *error) {
    struct cor_json value;
    const char *text;
    enum cor_status status = COR_OK;
    if (cor_json_find(json, "description", &value))
        status = cor_json_string(&value, &text, error);
    if (status == COR_OK && cor_json_find(json, "source", &value))
        status = cor_json_expect_object(&value, NULL, error);
    if (status == COR_OK && cor_json_find(json, "fit", &value))
        status = cor_json_expect_object(&value, NULL, error);
    return status;
}

static int state_called(const struct draft *draft, const char *name) {
    for (uint32_t i = 0; i < draft->count; i++)
        if (strcmp(draft->states[i], name) == 0)
            return (int)i;
    return -1;
}

static enum cor_status no_such_state(const struct draft *draft, const struct cor_json *where,
                                     const char *name, struct cor_error *error) {
    char remedy[REMEDY_SIZE];
    cor_known_names(name, draft->states, remedy, sizeof remedy);
    return cor_json_fail(where, error, remedy, "\"%s\" is not a state of the profile", name);
}

static enum cor_status read_states(const struct cor_json *json, struct draft *draft,
                                   struct cor_error *error) {
    struct cor_json list;
    enum cor_status status = cor_json_need(json, "states", &list, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&list, 1, MOST, error);
    for (size_t i = 0; status == COR_OK && i < cor_json_size(&list); i++) {
        struct cor_json item = cor_json_at(&list, i);
        const char *name, *remedy;
        if ((status = cor_json_string(&item, &name, error)) != COR_OK)
            break;
        if (cor_profile_check_name(name, &remedy) != COR_OK)
            return cor_json_fail(&item, error, remedy, "a state cannot be called \"%.80s\"", name);
        if (state_called(draft, name) >= 0)
            return cor_json_fail(&item, error, "give each state a name of its own",
                                 "a second state is called \"%s\"", name);
        draft->states[draft->count++] = name;
    }
    return status;
}

/* A law written as {"state": probability, ...}; what is not mentioned has probability 0. */
static enum cor_status read_law(const struct cor_json *json, const struct draft *draft, const char *of,
                                double *law, struct cor_error *error) {
    double sum = 0.0;
    enum cor_status status = cor_json_expect_object(json, NULL, error);
    for (size_t i = 0; status == COR_OK && i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        int state = state_called(draft, item.key);
        if (state < 0)
            return no_such_state(draft, &item, item.key, error);
        if ((status = cor_json_real(&item, 0.0, 1.0, &law[state], error)) == COR_OK)
            sum += law[state];
    }
    if (status == COR_OK && !(fabs(sum - 1.0) <= COR_PROFILE_SUM_SLACK))
        return cor_json_fail(json, error, COR_PROFILE_SUM_REMEDY, "the probabilities %s sum to %.12g", of,
                             sum);
    return status;
}

static enum cor_status read_transitions(const struct cor_json *json, struct draft *draft,
                                        struct cor_error *error) {
    struct cor_json rows, row;
    enum cor_status status = cor_json_need(json, "transitions", &rows, error);
    if (status == COR_OK)
        status = cor_json_expect_object(&rows, NULL, error);
    if (status != COR_OK)
        return status;
    for (size_t i = 0; i < cor_json_size(&rows); i++) {
        row = cor_json_at(&rows, i);
        if (state_called(draft, row.key) < 0)
            return no_such_state(draft, &row, row.key, error);
    }
    for (uint32_t from = 0; status == COR_OK && from < draft->count; from++) {
        char of[COR_PROFILE_NAME_MAX + 16];
        snprintf(of, sizeof of, "from \"%s\"", draft->states[from]);
        if (!cor_json_find(&rows, draft->states[from], &row))
            return cor_json_fail(&rows, error,
                                 "each state has a row; one that is never left leads to itself with 1",
                                 "state \"%s\" has no row", draft->states[from]);
        status = read_law(&row, draft, of, draft->probability + (size_t)from * draft->count, error);
    }
    return status;
}

/* "start": the name of a state, "stationary" (also when absent), or a law. */
static enum cor_status read_start(const struct cor_json *json, struct draft *draft, struct cor_error *error) {
    struct cor_json start;
    const char *name;
    draft->stationary = !cor_json_find(json, "start", &start);
    if (draft->stationary)
        return COR_OK;
    if (cor_json_is_object(&start))
        return read_law(&start, draft, "of the first state", draft->start, error);
    if (!cor_json_is_string(&start))
        return cor_json_fail(&start, error, "write a state, \"stationary\", or {\"state\": probability, ...}",
                             "the first state is neither a name nor a law");
    enum cor_status status = cor_json_string(&start, &name, error);
    if (status != COR_OK)
        return status;
    draft->stationary = strcmp(name, COR_PROFILE_STATIONARY) == 0;
    int state = state_called(draft, name);
    if (!draft->stationary && state < 0)
        return no_such_state(draft, &start, name, error);
    if (state >= 0)
        draft->start[state] = 1.0;
    return COR_OK;
}

enum cor_status cor_profile_from_json(const struct cor_json *json, const char *name,
                                      struct cor_profile **profile, struct cor_error *error) {
    *profile = NULL;
    struct draft *draft = cor_calloc(1, sizeof *draft);
    if (!draft)
        return cor_fail_memory(error);
    draft->name = name;
    enum cor_status status;
    if ((status = cor_json_expect_object(json, keys, error)) != COR_OK ||
        (status = read_version(json, error)) != COR_OK ||
        (status = read_name(json, draft, error)) != COR_OK ||
        (status = read_remarks(json, error)) != COR_OK ||
        (status = read_states(json, draft, error)) != COR_OK ||
        (status = read_transitions(json, draft, error)) != COR_OK ||
        (status = read_start(json, draft, error)) != COR_OK)
        goto out;
    status = cor_profile_create(draft->name, draft->count, draft->states, draft->probability,
                                draft->stationary ? NULL : draft->start, profile, error);
out:
    free(draft);
    return status;
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
    struct cor_json_document *document = NULL;
    struct cor_json root, version;
    char *name = name_of_file(path);
    enum cor_status status = name ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK)
        status = cor_json_read(path, &document, error);
    if (status != COR_OK)
        goto out;
    root = cor_json_root(document);
    /* Unknown keys first: one of them may be the misspelt version. */
    if ((status = cor_json_expect_object(&root, keys, error)) != COR_OK ||
        (status = cor_json_need(&root, "corridor_profile", &version, error)) != COR_OK)
        goto out;
    status = cor_profile_from_json(&root, name, profile, error);
out:
    cor_json_destroy(document);
    free(name);
    return status;
}
