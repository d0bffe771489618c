/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading influence functions. Everything is first written as a law over agent states for each (relevant
 * state, agent state); the tables that agents step by are made of it at the end. */
#include <corridor/influence.h>

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX, REMEDY_SIZE = 1024, NOT_SAID = 255 };

#define LEVEL_MAX 1e12 /* magnitude */

struct reader {
    const struct cor_profile *profile;
    struct cor_influence *influence; /* owned until handed out */
    double *law;                     /* owned; [(relevant * states + from) * states + to] */
    struct cor_error *error;
};

void cor_influence_destroy(struct cor_influence *influence) {
    if (!influence)
        return;
    for (uint32_t i = 0; influence->relevant_names && i < influence->relevant_count; i++)
        free(influence->relevant_names[i]);
    for (uint32_t i = 0; influence->state_names && i < influence->state_count; i++)
        free(influence->state_names[i]);
    free(influence->relevant_names);
    free(influence->state_names);
    free(influence->relevant);
    free(influence->next);
    free(influence->cumulative);
    free(influence->level);
    free(influence->initial_law);
    free(influence);
}

/* The index of `name` where it has to be one of the names: "an agent state". */
static enum cor_status find(const struct reader *reader, const struct cor_json *where, const char *name,
                            char **names, uint32_t count, const char *kind, uint32_t *index) {
    const char *known[MOST + 1] = {0};
    char remedy[REMEDY_SIZE];
    COR_ASSERT(count <= MOST);
    for (*index = 0; *index < count; (*index)++) {
        if (strcmp(names[*index], name) == 0)
            return COR_OK;
        known[*index] = names[*index];
    }
    cor_known_names(name, known, remedy, sizeof remedy);
    return cor_json_fail(where, reader->error, remedy, "\"%s\" is not %s", name, kind);
}

static enum cor_status find_agent_state(const struct reader *reader, const struct cor_json *where,
                                        const char *name, uint32_t *state) {
    const struct cor_influence *influence = reader->influence;
    return find(reader, where, name, influence->state_names, influence->state_count, "an agent state", state);
}

static enum cor_status copy_names(const struct reader *reader, const char *const *from, size_t from_count,
                                  char ***names, uint32_t *count) {
    COR_TRY(cor_made(*names = cor_calloc(from_count + 1, sizeof **names), reader->error));
    for (*count = 0; *count < from_count; (*count)++) {
        (*names)[*count] = cor_strdup(from[*count]);
        if (!(*names)[*count])
            return cor_fail_memory(reader->error);
    }
    return COR_OK;
}

/* The keys of an object as names of their own. */
static enum cor_status copy_keys(const struct reader *reader, const struct cor_json *object, const char *kind,
                                 char ***names, uint32_t *count) {
    size_t size = cor_json_size(object);
    const char *keys[MOST], *remedy;
    if (size < 1 || size > MOST)
        return cor_json_fail(object, reader->error, "use 1 .. 64", "there are %zu %s", size, kind);
    for (size_t i = 0; i < size; i++) {
        struct cor_json item = cor_json_at(object, i);
        if (cor_profile_check_name(item.key, &remedy) != COR_OK)
            return cor_json_fail(&item, reader->error, remedy, "a state cannot be called \"%.80s\"",
                                 item.key);
        keys[i] = item.key;
    }
    return copy_names(reader, keys, size, names, count);
}

/* The environment states of one relevant state. */
static enum cor_status read_members(struct reader *reader, const struct cor_json *list, uint8_t relevant) {
    const struct cor_profile *profile = reader->profile;
    uint8_t *relevant_of = reader->influence->relevant;
    COR_TRY(cor_json_expect_array(list, 1, MOST, reader->error));
    COR_JSON_CHILDREN(item, list) {
        const char *name;
        uint32_t state;
        COR_TRY(cor_json_string(&item, &name, reader->error));
        COR_TRY(find(reader, &item, name, profile->states, profile->state_count, "a state of the environment",
                     &state));
        if (relevant_of[state] != NOT_SAID)
            return cor_json_fail(&item, reader->error, "each environment state belongs to one relevant state",
                                 "environment state \"%s\" belongs to \"%s\" already", name,
                                 reader->influence->relevant_names[relevant_of[state]]);
        relevant_of[state] = relevant;
    }
    return COR_OK;
}

static enum cor_status read_relevant(struct reader *reader, const struct cor_json *json) {
    struct cor_influence *influence = reader->influence;
    struct cor_json relevant;
    if (!cor_json_find(json, "relevant", &relevant)) {
        /* Each environment state is relevant by itself. */
        for (uint32_t i = 0; i < influence->environment_states; i++)
            influence->relevant[i] = (uint8_t)i;
        return copy_names(reader, (const char *const *)reader->profile->states, reader->profile->state_count,
                          &influence->relevant_names, &influence->relevant_count);
    }
    COR_TRY(cor_json_expect_object(&relevant, NULL, reader->error));
    COR_TRY(copy_keys(reader, &relevant, "relevant states", &influence->relevant_names,
                      &influence->relevant_count));
    memset(influence->relevant, NOT_SAID, influence->environment_states);
    for (uint32_t r = 0; r < influence->relevant_count; r++) {
        struct cor_json list = cor_json_at(&relevant, r);
        COR_TRY(read_members(reader, &list, (uint8_t)r));
    }
    for (uint32_t i = 0; i < influence->environment_states; i++)
        if (influence->relevant[i] == NOT_SAID)
            return cor_json_fail(&relevant, reader->error,
                                 "each environment state belongs to one relevant state",
                                 "environment state \"%s\" belongs to none", reader->profile->states[i]);
    return COR_OK;
}

/* A level for each agent state. */
static enum cor_status make_levels(struct reader *reader) {
    struct cor_influence *influence = reader->influence;
    influence->level = cor_calloc(influence->state_count, sizeof *influence->level);
    return influence->level ? COR_OK : cor_fail_memory(reader->error);
}

static enum cor_status read_states_or_level(struct reader *reader, const struct cor_json *json) {
    struct cor_json states, level;
    bool has_states = cor_json_find(json, "states", &states),
         has_level = cor_json_find(json, "level", &level);
    if (has_states == has_level)
        return cor_json_fail(
            json, reader->error,
            "give \"states\", an object of levels, or \"level\", an array of the lowest and highest",
            has_states ? "both \"states\" and \"level\" are given"
                       : "neither \"states\" nor \"level\" is given");
    if (!has_states) {
        double bound[2] = {0.0, 0.0};
        COR_TRY(cor_json_expect_array(&level, 2, 2, reader->error));
        COR_JSON_CHILDREN(item, &level)
            COR_TRY(cor_json_real(&item, -LEVEL_MAX, LEVEL_MAX, &bound[item.index], reader->error));
        if (bound[0] > bound[1])
            return cor_json_fail(&level, reader->error, "write the lower bound first",
                                 "levels between %g and %g", bound[0], bound[1]);
        /* Agents take over the relevant state as their own; its level is drawn. */
        struct cor_influence *influence = reader->influence;
        COR_TRY(copy_names(reader, (const char *const *)influence->relevant_names, influence->relevant_count,
                           &influence->state_names, &influence->state_count));
        COR_TRY(make_levels(reader));
        for (uint32_t j = 0; j < influence->state_count; j++)
            influence->level[j] = (double)NAN;
        influence->level_low = bound[0];
        influence->level_high = bound[1];
        return COR_OK;
    }
    struct cor_influence *influence = reader->influence;
    COR_TRY(cor_json_expect_object(&states, NULL, reader->error));
    COR_TRY(copy_keys(reader, &states, "agent states", &influence->state_names, &influence->state_count));
    COR_TRY(make_levels(reader));
    for (uint32_t i = 0; i < influence->state_count; i++) {
        struct cor_json item = cor_json_at(&states, i);
        COR_TRY(cor_json_real(&item, -LEVEL_MAX, LEVEL_MAX, &influence->level[i], reader->error));
    }
    return COR_OK;
}

static enum cor_status read_target(const struct reader *reader, const struct cor_json *json,
                                   uint32_t *target) {
    const char *name;
    COR_TRY(cor_json_string(json, &name, reader->error));
    return find_agent_state(reader, json, name, target);
}

static double *law_of(const struct reader *reader, uint32_t relevant, uint32_t from) {
    size_t count = reader->influence->state_count;
    COR_ASSERT(relevant < reader->influence->relevant_count && from < count);
    return reader->law + (relevant * count + from) * count;
}

static void certain(const struct reader *reader, uint32_t relevant, uint32_t from, uint32_t to) {
    double *law = law_of(reader, relevant, from);
    memset(law, 0, reader->influence->state_count * sizeof *law);
    law[to] = 1.0;
}

/* {"poor": 0.9, "sure": 0.1}: a law over agent states. */
static enum cor_status read_law(const struct reader *reader, const struct cor_json *json, double *law) {
    double sum = 0.0;
    memset(law, 0, reader->influence->state_count * sizeof *law);
    COR_JSON_CHILDREN(item, json) {
        uint32_t state;
        COR_TRY(find_agent_state(reader, &item, item.key, &state));
        COR_TRY(cor_json_real(&item, 0.0, 1.0, &law[state], reader->error));
        sum += law[state];
    }
    if (!(fabs(sum - 1.0) <= COR_PROFILE_SUM_SLACK))
        return cor_json_fail(json, reader->error, COR_PROFILE_SUM_REMEDY, "the probabilities sum to %.12g",
                             sum);
    return COR_OK;
}

/* The state in which agents start, or the law by which it is drawn. */
static enum cor_status read_initial(const struct reader *reader, const struct cor_json *json) {
    struct cor_influence *influence = reader->influence;
    uint32_t state = 0;
    if (!cor_json_is_object(json)) {
        COR_TRY(read_target(reader, json, &state));
        influence->initial = (uint8_t)state;
        return COR_OK;
    }
    influence->initial_law = cor_calloc(influence->state_count, sizeof *influence->initial_law);
    COR_TRY(cor_made(influence->initial_law, reader->error));
    return read_law(reader, json, influence->initial_law);
}

/* What one agent state becomes: the name of a state, or a law. */
static enum cor_status read_entry(const struct reader *reader, const struct cor_json *json, uint32_t relevant,
                                  uint32_t from) {
    uint32_t target;
    if (cor_json_is_object(json))
        return read_law(reader, json, law_of(reader, relevant, from));
    if (!cor_json_is_string(json))
        return cor_json_fail(json, reader->error,
                             "write {\"from\": \"to\"} or {\"from\": {\"to\": probability, ...}}: a row goes "
                             "from agent states",
                             "neither an agent state nor a law over agent states");
    COR_TRY(read_target(reader, json, &target));
    certain(reader, relevant, from, target);
    return COR_OK;
}

static enum cor_status read_rows(struct reader *reader, const struct cor_json *json) {
    struct cor_influence *influence = reader->influence;
    struct cor_json rows, level;
    bool has_rows = cor_json_find(json, "influence", &rows),
         taken_over = cor_json_find(json, "level", &level);
    /* A law where nothing was said: agents stay as they are, or, when they take over the relevant state, go
     * there. */
    size_t count = influence->state_count;
    reader->law = cor_calloc(influence->relevant_count * count * count, sizeof *reader->law);
    influence->next = cor_calloc(influence->relevant_count * count, sizeof *influence->next);
    if (!reader->law || !influence->next)
        return cor_fail_memory(reader->error);
    for (uint32_t r = 0; r < influence->relevant_count; r++)
        for (uint32_t s = 0; s < count; s++)
            certain(reader, r, s, taken_over ? r : s);
    if (!has_rows)
        return COR_OK;
    if (taken_over)
        return cor_json_fail(&rows, reader->error,
                             "name the agent states in \"states\", or leave \"influence\" out",
                             "with \"level\" agents take over the relevant state");
    COR_TRY(cor_json_expect_object(&rows, NULL, reader->error));
    COR_JSON_CHILDREN(row, &rows) {
        uint32_t relevant;
        COR_TRY(find(reader, &row, row.key, influence->relevant_names, influence->relevant_count,
                     "a relevant state", &relevant));
        /* What a relevant state does: a name (for every agent state) or an entry for each agent state
         * that changes. */
        uint32_t target, from;
        if (!cor_json_is_object(&row) && !cor_json_is_string(&row))
            return cor_json_fail(&row, reader->error, "name an agent state, or write {\"from\": \"to\", ...}",
                                 "neither an agent state nor what agent states become");
        if (cor_json_is_string(&row)) {
            COR_TRY(read_target(reader, &row, &target));
            for (uint32_t s = 0; s < reader->influence->state_count; s++)
                certain(reader, relevant, s, target);
            continue;
        }
        COR_JSON_CHILDREN(entry, &row) {
            COR_TRY(find_agent_state(reader, &entry, entry.key, &from));
            COR_TRY(read_entry(reader, &entry, relevant, from));
        }
    }
    return COR_OK;
}

static enum cor_status make_tables(struct reader *reader) {
    struct cor_influence *influence = reader->influence;
    uint32_t count = influence->state_count, row_count = influence->relevant_count * count;
    bool drawn = false;
    for (uint32_t row = 0; row < row_count; row++) {
        const double *law = reader->law + (size_t)row * count;
        uint32_t likeliest = 0;
        for (uint32_t to = 0; to < count; to++) {
            drawn = drawn || (law[to] > 0.0 && law[to] < 1.0);
            likeliest = law[to] > law[likeliest] ? to : likeliest;
        }
        influence->next[row] = (uint8_t)likeliest;
    }
    if (!drawn)
        return COR_OK;
    influence->cumulative = cor_calloc((size_t)row_count * count, sizeof *influence->cumulative);
    COR_TRY(cor_made(influence->cumulative, reader->error));
    for (uint32_t row = 0; row < row_count; row++) {
        /* 2^32 times the running sum; the last possible state, and whatever follows it, ends at
         * UINT32_MAX. */
        const double *law = reader->law + (size_t)row * count;
        uint32_t *cumulative = influence->cumulative + (size_t)row * count;
        double sum = 0.0, total = 0.0;
        uint32_t last = 0;
        for (uint32_t to = 0; to < count; to++) {
            total += law[to];
            last = law[to] > 0.0 ? to : last;
        }
        for (uint32_t to = 0; to < count; to++) {
            sum += law[to];
            double bound = sum / total * 4294967296.0 + 0.5;
            if (to >= last)
                cumulative[to] = UINT32_MAX;
            else
                cumulative[to] = bound < 4294967294.0 ? (uint32_t)bound : UINT32_MAX - 1;
        }
    }
    return COR_OK;
}

/* Hands the influence out when all went well, else frees it. */
static enum cor_status end(struct reader *reader, enum cor_status status, struct cor_influence **influence) {
    free(reader->law);
    *influence = status == COR_OK ? reader->influence : NULL;
    if (status != COR_OK)
        cor_influence_destroy(reader->influence);
    return status;
}

enum cor_status cor_influence_from_json(const struct cor_json *json, const struct cor_profile *profile,
                                        struct cor_influence **influence, struct cor_error *error) {
    static const char *const keys[] = {"environment", "relevant",   "states", "level",   "initial",
                                       "influence",   "attributes", "count",  "share",   "source",
                                       "fit",         "arrives",    "fails",  "present", NULL};
    static const char *const for_people[] = {"source", "fit"};
    struct reader reader;
    enum cor_status status;
    reader = (struct reader){
        .profile = profile, .error = error, .influence = cor_calloc(1, sizeof(struct cor_influence))};
    COR_TRY_OUT(cor_made(reader.influence, error));
    reader.influence->environment_states = profile->state_count;
    COR_TRY_OUT(cor_made(reader.influence->relevant = cor_calloc(profile->state_count, 1), error));
    COR_TRY_OUT(cor_json_expect_object(json, keys, error));
    COR_TRY_OUT(read_relevant(&reader, json));
    COR_TRY_OUT(read_states_or_level(&reader, json));
    for (size_t k = 0; k < 2; k++) { /* for people: looked at only for their kind */
        struct cor_json record;
        if (cor_json_find(json, for_people[k], &record))
            COR_TRY_OUT(cor_json_expect_object(&record, NULL, error));
    }
    struct cor_json initial;
    if (cor_json_find(json, "initial", &initial))
        COR_TRY_OUT(read_initial(&reader, &initial));
    COR_TRY_OUT(read_rows(&reader, json));
    COR_TRY_OUT(make_tables(&reader));
out:
    return end(&reader, status, influence);
}

enum cor_status cor_influence_of_relevant(const struct cor_json *json, const struct cor_relevant *given,
                                          struct cor_influence **influence, struct cor_error *error) {
    static const char *const keys[] = {"environment", "relevant",   "states", "level", "initial",
                                       "influence",   "attributes", "count",  "share", "arrives",
                                       "fails",       "present",    NULL};
    struct reader reader = {.error = error, .influence = cor_calloc(1, sizeof(struct cor_influence))};
    struct cor_json initial;
    enum cor_status status = cor_made(reader.influence, error);
    if (status != COR_OK)
        return status;
    reader.influence->environment_states = given->environment_states;
    COR_TRY_OUT(cor_made(reader.influence->relevant = cor_calloc(given->environment_states, 1), error));
    memcpy(reader.influence->relevant, given->relevant, given->environment_states);
    COR_TRY_OUT(cor_json_expect_object(json, keys, error));
    COR_TRY_OUT(copy_names(&reader, given->names, given->count, &reader.influence->relevant_names,
                           &reader.influence->relevant_count));
    COR_TRY_OUT(read_states_or_level(&reader, json));
    if (cor_json_find(json, "initial", &initial))
        COR_TRY_OUT(read_initial(&reader, &initial));
    COR_TRY_OUT(read_rows(&reader, json));
    COR_TRY_OUT(make_tables(&reader));
out:
    return end(&reader, status, influence);
}
