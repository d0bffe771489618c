/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/delimited.h>
#include <corridor/fields.h>
#include <corridor/json_names.h>
#include <corridor/profile.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX };

#define COLUMN_UNITS (UINT64_C(1) << 32)

/* A law: no number outside 0 .. 1, and together 1. */
static enum cor_status check_law(const char *profile_name, const char *of, const double *law, uint32_t count,
                                 struct cor_error *error) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        if (!(law[i] >= 0.0 && law[i] <= 1.0))
            return cor_fail(error, COR_STATUS_INPUT, profile_name, "a probability lies between 0 and 1",
                            "probability %u %s is %g", i, of, law[i]);
        sum += law[i];
    }
    if (!(fabs(sum - 1.0) <= COR_PROFILE_SUM_SLACK))
        return cor_fail(error, COR_STATUS_INPUT, profile_name, COR_PROFILE_SUM_REMEDY,
                        "the probabilities %s sum to %.12g", of, sum);
    return COR_OK;
}

enum cor_status cor_profile_check_name(const char *name, const char **remedy) {
    *remedy = NULL;
    if (name[0] == '\0')
        *remedy = "a state needs a name of at least one character";
    else if (strlen(name) > COR_PROFILE_NAME_MAX)
        *remedy = "the name of a state has at most 63 bytes";
    else if (!cor_is_printable(name))
        *remedy = "the name of a state has no control characters";
    else if (strcmp(name, COR_PROFILE_STATIONARY) == 0)
        *remedy = "\"stationary\" is the word for the stationary law; call the state otherwise";
    return *remedy ? COR_STATUS_INPUT : COR_OK;
}

static enum cor_status copy_laws(struct cor_profile *profile, const double *probability, const double *start,
                                 struct cor_error *error) {
    uint32_t count = profile->state_count;
    size_t row_size = count * sizeof(double);
    char of[COR_PROFILE_NAME_MAX + 16];
    for (uint32_t i = 0; i < count; i++) {
        snprintf(of, sizeof of, "from \"%s\"", profile->states[i]);
        COR_TRY(check_law(profile->name, of, probability + (size_t)i * count, count, error));
    }
    memcpy(profile->probability, probability, count * row_size);
    if (!start) { /* of several closed classes each holds what a uniform start brings to it */
        for (uint32_t i = 0; i < count; i++)
            profile->start[i] = 1.0 / (double)count;
        return cor_profile_stationary(profile, profile->start, error);
    }
    memcpy(profile->start, start, row_size);
    return check_law(profile->name, "of the first state", start, count, error);
}

/* Walker's alias method (ACM TOMS 3(3), 1977) in Vose's construction (IEEE TSE 17(9), 1991), over whole
 * numbers: a law over n states becomes n * 2^32 units that are shared out without rounding, so no column is
 * left over with a rest that would make an impossible state possible, as happens when the construction runs
 * in floating point.
 *
 * First the law in units; they sum to count * 2^32 exactly. What rounding left over (at most half a unit per
 * state) goes to the likeliest state, which holds at least one whole column. */
static void share_out(const double *probability, uint32_t count, uint64_t *units) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += probability[i];
    double scale = (double)count * (double)COLUMN_UNITS;
    uint64_t total = 0;
    uint32_t likeliest = 0;
    for (uint32_t i = 0; i < count; i++) {
        units[i] = (uint64_t)(probability[i] / sum * scale + 0.5);
        total += units[i];
        if (units[i] > units[likeliest])
            likeliest = i;
    }
    units[likeliest] += count * COLUMN_UNITS - total; /* modulo 2^64: may be negative */
}

/* Over all 2^32 draws each state comes up with its probability but for less than count * 2^-32, so an arc
 * rarer than that may never be drawn; a state of probability 0 never is. */
static void build_alias(const double *probability, uint32_t count, struct cor_alias_cell *row) {
    COR_ASSERT(count >= 1 && count <= COR_PROFILE_STATES_MAX);
    uint64_t units[COR_PROFILE_STATES_MAX];
    uint8_t poor[COR_PROFILE_STATES_MAX], rich[COR_PROFILE_STATES_MAX]; /* less than a column, at least one */
    uint32_t poor_count = 0, rich_count = 0;
    share_out(probability, count, units);
    for (uint32_t i = 0; i < count; i++) {
        if (units[i] < COLUMN_UNITS)
            poor[poor_count++] = (uint8_t)i;
        else
            rich[rich_count++] = (uint8_t)i;
    }
    /* Invariant: the states still listed hold as many whole columns as there are of them. */
    while (poor_count > 0) {
        COR_ASSERT(rich_count > 0);
        uint8_t taker = poor[--poor_count], giver = rich[rich_count - 1];
        row[taker] = (struct cor_alias_cell){.threshold = (uint32_t)units[taker], .alias = giver};
        units[giver] -= COLUMN_UNITS - units[taker];
        if (units[giver] < COLUMN_UNITS) {
            rich_count--;
            poor[poor_count++] = giver;
        }
    }
    while (rich_count > 0) {
        uint8_t whole = rich[--rich_count];
        row[whole] = (struct cor_alias_cell){.alias = whole};
    }
}

enum cor_status cor_profile_create(const char *name, uint32_t state_count, const char *const *states,
                                   const double *probability, const double *start,
                                   struct cor_profile **profile, struct cor_error *error) {
    *profile = NULL;
    if (state_count < 1 || state_count > COR_PROFILE_STATES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, name, "use 1 .. 64 states",
                        "its number of states is out of range");
    enum cor_status status = COR_STATUS_MEMORY;
    COR_DESTROYED(cor_profile) struct cor_profile *made = cor_calloc(1, sizeof *made);
    if (!made)
        goto out;
    made->state_count = state_count;
    made->name = cor_strdup(name);
    made->probability = cor_calloc((size_t)state_count * state_count, sizeof *made->probability);
    made->start = cor_calloc(state_count, sizeof *made->start);
    made->alias = cor_calloc(((size_t)state_count + 1) * state_count, sizeof *made->alias);
    if (!made->name || !made->probability || !made->start || !made->alias)
        goto out;
    made->states = cor_calloc((size_t)made->state_count + 1, sizeof *made->states);
    COR_TRY_OUT(cor_made(made->states, error));
    for (uint32_t i = 0; i < made->state_count; i++) {
        const char *remedy;
        made->states[i] = states ? cor_strdup(states[i]) : cor_format("s%u", i);
        COR_TRY_OUT(cor_made(made->states[i], error));
        if (cor_profile_check_name(made->states[i], &remedy) != COR_OK)
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, made->name, remedy,
                                 "state %u cannot be called \"%.80s\"", i, made->states[i]));
        if (cor_profile_state(made, made->states[i]) != (int)i)
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, made->name, "give each state a name of its own",
                                 "two states are called \"%s\"", made->states[i]));
    }
    COR_TRY_OUT(copy_laws(made, probability, start, error));
    uint32_t count = made->state_count;
    for (uint32_t i = 0; i < count; i++)
        build_alias(made->probability + (size_t)i * count, count, made->alias + (size_t)i * count);
    build_alias(made->start, count, made->alias + (size_t)count * count);
    *profile = cor_taken(&made);
out:
    return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : status;
}

struct cor_profile *cor_profile_share(struct cor_profile *profile) {
    profile->sharers++;
    return profile;
}

void cor_profile_destroy(struct cor_profile *profile) {
    if (!profile)
        return;
    if (profile->sharers > 0) {
        profile->sharers--;
        return;
    }
    for (uint32_t i = 0; profile->states && i < profile->state_count; i++)
        free(profile->states[i]);
    free(profile->states);
    free(profile->name);
    free(profile->probability);
    free(profile->start);
    free(profile->alias);
    free(profile);
}

uint32_t cor_profile_arcs(const struct cor_profile *profile) {
    uint32_t arcs = 0;
    for (uint32_t i = 0; i < profile->state_count * profile->state_count; i++)
        arcs += profile->probability[i] > 0.0;
    return arcs;
}

int cor_profile_state(const struct cor_profile *profile, const char *name) {
    for (uint32_t i = 0; i < profile->state_count; i++)
        if (profile->states[i] && strcmp(profile->states[i], name) == 0)
            return (int)i;
    return -1;
}

/* u^power, u uniform in (0, 1]. */
static double draw_weight(const struct cor_profile_law *law, struct cor_rng *rng) {
    double u = 1.0 - cor_rng_unit(rng), weight = 1.0;
    for (uint32_t i = 0; i < law->power; i++)
        weight *= u;
    return weight;
}

enum cor_status cor_profile_random(const struct cor_profile_law *law, const char *name, struct cor_rng *rng,
                                   struct cor_profile **profile, struct cor_error *error) {
    *profile = NULL;
    if (law->states < 2 || law->states > MOST)
        return cor_fail(error, COR_STATUS_INPUT, name, "use 2 .. 64 states", "a random profile of %u states",
                        law->states);
    if (!(law->degree_min >= 0.0 && law->degree_min <= 1.0))
        return cor_fail(error, COR_STATUS_INPUT, name, "a share of all states lies between 0 and 1",
                        "the least degree is %g", law->degree_min);
    if (law->power > COR_PROFILE_POWER_MAX)
        return cor_fail(error, COR_STATUS_INPUT, name, "use a power of at most 16",
                        "the weights have power %u", law->power);
    if (!(law->ring >= 0.0 && law->ring <= 1.0))
        return cor_fail(error, COR_STATUS_INPUT, name, "a probability lies between 0 and 1",
                        "the ring arc has mass %g", law->ring);
    double *probability = cor_calloc((size_t)law->states * law->states, sizeof *probability);
    COR_TRY(cor_made(probability, error));
    for (uint32_t from = 0; from < law->states; from++) {
        double *row = probability + (size_t)from * law->states;
        uint32_t next = (from + 1) % law->states, other[MOST], other_count = 0;
        double weight[MOST], sum = 0.0;
        for (uint32_t to = 0; to < law->states; to++)
            if (to != next)
                other[other_count++] = to;
        /* Number of arcs of one state, drawn. */
        double share = law->degree_min * (double)law->states;
        uint32_t least = (uint32_t)share;
        if ((double)least < share)
            least++;
        uint32_t more = (uint32_t)cor_rng_between(rng, least > 0 ? least : 1, law->states) - 1;
        for (uint32_t k = 0; k < more; k++) { /* the first `more` of a random permutation */
            uint32_t pick = k + cor_rng_below(rng, other_count - k), held = other[k];
            other[k] = other[pick];
            other[pick] = held;
            weight[k] = draw_weight(law, rng);
            sum += weight[k];
        }
        row[next] = more > 0 ? law->ring : 1.0;
        for (uint32_t k = 0; k < more; k++)
            row[other[k]] = weight[k] / sum * (1.0 - law->ring);
    }
    enum cor_status status = cor_profile_create(name, law->states, NULL, probability, NULL, profile, error);
    free(probability);
    return status;
}

/* Profiles from JSON (docs/look-up/profiles.md). What the file says is checked here, where each complaint can
 * name the value; cor_profile_create checks again what other callers give it. */

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

static enum cor_status need_state(const struct draft *draft, const struct cor_json *where, const char *name,
                                  uint32_t *state, struct cor_error *error) {
    return cor_json_find_name(where, COR_WORD_NAMES(draft->states, draft->count), name, state, error,
                              "\"%s\" is not a state of the profile", name);
}

static enum cor_status read_state(const struct cor_json *json, void *into, struct cor_error *error) {
    struct draft *draft = into;
    const char *name, *remedy;
    COR_TRY(cor_json_string(json, &name, error));
    if (cor_profile_check_name(name, &remedy) != COR_OK)
        return cor_json_fail(json, error, remedy, "a state cannot be called \"%.80s\"", name);
    if (cor_is_among(draft->states, name))
        return cor_json_fail(json, error, "give each state a name of its own",
                             "a second state is called \"%s\"", name);
    draft->states[draft->count++] = name;
    return COR_OK;
}

/* A law written as {"state": probability, ...}; what is not mentioned has probability 0. */
static enum cor_status read_law(const struct cor_json *json, const struct draft *draft, const char *of,
                                double *law, struct cor_error *error) {
    double sum = 0.0;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    COR_JSON_CHILDREN(item, json) {
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
    COR_JSON_CHILDREN(row, rows)
        COR_TRY(need_state(draft, &row, row.key, &state, error));
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

static const struct cor_field profile_members[] = {
    {"name", COR_OPTIONAL, COR_READ_FIELD(read_name)},
    {"description", COR_OPTIONAL, COR_STRING_FIELD(struct draft, description)},
    {"source", COR_OPTIONAL, COR_SAID_OBJECT_FIELD},
    {"fit", COR_OPTIONAL, COR_SAID_OBJECT_FIELD},
    {"states", COR_REQUIRED, COR_EACH_FIELD(read_state, 1, MOST)},
    {"transitions", COR_REQUIRED, COR_READ_FIELD(read_transitions)},
    {"start", COR_OPTIONAL, COR_READ_FIELD(read_start)},
    {0},
};
static const struct cor_field in_a_model[] = {
    {"corridor_profile", COR_OPTIONAL, COR_READ_FIELD(read_version)}, COR_ROWS_OF(profile_members), {0}};
static const struct cor_field in_a_file[] = {
    {"corridor_profile", COR_REQUIRED, COR_READ_FIELD(read_version)}, COR_ROWS_OF(profile_members), {0}};

static enum cor_status read_profile(const struct cor_json *json, const struct cor_field *fields,
                                    const char *name, struct cor_profile **profile, struct cor_error *error) {
    *profile = NULL;
    COR_FREED struct draft *draft = cor_calloc(1, sizeof *draft);
    COR_TRY(cor_made(draft, error));
    draft->name = name;
    COR_TRY(cor_json_fields(json, fields, draft, error));
    return cor_profile_create(draft->name, draft->count, draft->states, draft->probability,
                              draft->has_start ? draft->start : NULL, profile, error);
}

enum cor_status cor_profile_from_json(const struct cor_json *json, const char *name,
                                      struct cor_profile **profile, struct cor_error *error) {
    return read_profile(json, in_a_model, name, profile, error);
}

enum cor_status cor_profile_read(const char *path, struct cor_profile **profile, struct cor_error *error) {
    *profile = NULL;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_FREED char *text = NULL;
    size_t length;
    /* "path/to/wind.json" -> "wind". Freed with free(). */
    const char *slash = strrchr(path, '/');
    COR_FREED char *name = cor_strdup(slash ? slash + 1 : path);
    char *dot = name ? strrchr(name, '.') : NULL;
    if (dot && dot > name)
        *dot = '\0';
    COR_TRY(cor_made(name, error));
    if (!cor_is_json_file(path) && !cor_is_result_file(path)) {
        COR_TRY(cor_json_read_text(path, &text, &length, error));
        if (profiles__is_chain(text))
            return profiles__read_chain(text, length, path, name, profile, error);
    }
    COR_TRY(cor_json_read(path, &document, error));
    struct cor_json root = cor_json_root(document);
    COR_TRY(cor_json_expect_kind(&root, COR_KIND_PROFILE, error));
    return read_profile(&root, in_a_file, name, profile, error);
}

/* ---- what a chain does in the long run: which states lead where, closed classes and their periods, and the
 * stationary law by state reduction (Grassmann, Taksar and Heyman, Operations Research 33(5), 1985):
 * states are removed one by one, the chain watched only while it is in the others. There is no subtraction in
 * it, so each share comes out with a small error relative to itself, however rare the state is; and the
 * result leans on no library's choice of instructions, since the first states of test sequences are drawn
 * from it */

enum { MOST_CHAIN = COR_PROFILE_STATES_MAX };

static bool leads(const struct cor_profile *profile, uint32_t from, uint32_t to) {
    return profile->probability[(size_t)from * profile->state_count + to] > 0.0;
}

/* Warshall's closure, a row at a time. */
static void profiles__reach(const struct cor_profile *profile, uint64_t *reach) {
    uint32_t count = profile->state_count;
    for (uint32_t from = 0; from < count; from++) {
        reach[from] = 0;
        for (uint32_t to = 0; to < count; to++)
            reach[from] |= leads(profile, from, to) ? profiles__set_of(to) : 0;
    }
    for (uint32_t via = 0; via < count; via++)
        for (uint32_t from = 0; from < count; from++)
            if (reach[from] & profiles__set_of(via))
                reach[from] |= reach[via];
}

/* The closed classes (sets of states that lead to each other and to nothing else), ordered by their first
 * state. Returns their number, at least 1. */
static uint32_t closed_classes(const struct cor_profile *profile, uint64_t *classes) {
    uint64_t reach[COR_PROFILE_STATES_MAX], seen = 0;
    uint32_t class_count = 0;
    profiles__reach(profile, reach);
    for (uint32_t i = 0; i < profile->state_count; i++) {
        uint64_t back = 0; /* the states that lead to i */
        for (uint32_t j = 0; j < profile->state_count; j++)
            back |= reach[j] & profiles__set_of(i) ? profiles__set_of(j) : 0;
        bool closed = (reach[i] & ~back) == 0; /* whatever i leads to leads back */
        if (closed && !(seen & profiles__set_of(i))) {
            classes[class_count++] = reach[i];
            seen |= reach[i];
        }
    }
    return class_count;
}

struct reduction {
    uint32_t count;
    double arc[MOST_CHAIN][MOST_CHAIN]; /* of the chain as watched so far */
    double mass[MOST_CHAIN];            /* where the first state comes to rest */
};

/* The stationary law of one closed class, scaled to `mass`. */
static bool solve_class(struct reduction *chain, uint64_t members, double mass, double *law) {
    uint32_t member[MOST_CHAIN], count = 0;
    for (uint32_t i = 0; i < chain->count; i++)
        if (members & profiles__set_of(i))
            member[count++] = i;
    for (uint32_t k = count - 1; k > 0; k--) {
        double out = 0.0;
        for (uint32_t j = 0; j < k; j++)
            out += chain->arc[member[k]][member[j]];
        if (!(out > 0.0))
            return false;
        for (uint32_t i = 0; i < k; i++) {
            double *arc = chain->arc[member[i]];
            arc[member[k]] /= out;
            for (uint32_t j = 0; j < k; j++)
                arc[member[j]] += arc[member[k]] * chain->arc[member[k]][member[j]];
        }
    }
    double sum = 1.0;
    law[member[0]] = 1.0;
    for (uint32_t k = 1; k < count; k++) {
        double visits = 0.0; /* of k between two visits of the first member */
        for (uint32_t i = 0; i < k; i++)
            visits += law[member[i]] * chain->arc[member[i]][member[k]];
        law[member[k]] = visits;
        sum += visits;
    }
    for (uint32_t k = 0; k < count; k++)
        law[member[k]] *= mass / sum;
    return sum < 1e300;
}

enum cor_status cor_profile_stationary(const struct cor_profile *profile, double *law,
                                       struct cor_error *error) {
    uint64_t classes[MOST_CHAIN], recurrent = 0;
    uint32_t class_count = closed_classes(profile, classes);
    for (uint32_t c = 0; c < class_count; c++)
        recurrent |= classes[c];
    struct reduction *chain = cor_calloc(1, sizeof *chain);
    COR_TRY(cor_made(chain, error));
    chain->count = profile->state_count;
    for (uint32_t i = 0; i < chain->count; i++) {
        memcpy(chain->arc[i], profile->probability + (size_t)i * chain->count, chain->count * sizeof(double));
        chain->mass[i] = profile->start[i];
    }
    bool solved = true;
    uint64_t left = profiles__set_below(chain->count);
    for (uint32_t i = 0; i < chain->count && solved; i++) {
        if (recurrent & profiles__set_of(i))
            continue;
        left &= ~profiles__set_of(i);
        law[i] = 0.0;
        /* A transient state goes: whoever goes through it goes on to where it leads, in proportion. `left`
         * are the states that are still watched, this one not among them. */
        double out = 0.0, *arc = chain->arc[i];
        for (uint32_t to = 0; to < chain->count; to++)
            out += left & profiles__set_of(to) ? arc[to] : 0.0;
        for (uint32_t to = 0; to < chain->count; to++) {
            if (!(left & profiles__set_of(to)))
                continue;
            double share = arc[to] / out;
            chain->mass[to] += chain->mass[i] * share;
            for (uint32_t from = 0; from < chain->count; from++)
                if (left & profiles__set_of(from))
                    chain->arc[from][to] += chain->arc[from][i] * share;
        }
        solved = out > 0.0;
    }
    for (uint32_t c = 0; c < class_count && solved; c++) {
        double mass = 0.0;
        for (uint32_t i = 0; i < chain->count; i++)
            mass += classes[c] & profiles__set_of(i) ? chain->mass[i] : 0.0;
        solved = solve_class(chain, classes[c], class_count == 1 ? 1.0 : mass, law);
    }
    free(chain);
    return solved ? COR_OK
                  : cor_fail(error, COR_STATUS_INPUT, profile->name,
                             "leave out transitions that practically never happen",
                             "its probabilities are too small to compute a stationary law");
}

/* ---- profiles for people: warnings and a table */

enum { MOST_TEXT = COR_PROFILE_STATES_MAX, NAMES_SHOWN = 8, ARCS_SHOWN = 4 };

static uint32_t size_of(uint64_t set) {
    return (uint32_t)__builtin_popcountll(set);
}

struct warnings {
    char *text;
    size_t size, used;
    uint32_t count;
};

/* "state calm", "states calm and windy", "states a, b, c, d, e, f, g, h and 3 more". */
static void put_states(struct cor_bytes *text, const struct cor_profile *profile, uint64_t set) {
    uint32_t size = size_of(set), put = 0;
    cor_bytes_print(text, size == 1 ? "state " : "states ");
    for (uint32_t i = 0; i < profile->state_count && put < NAMES_SHOWN; i++) {
        if (!(set & profiles__set_of(i)))
            continue;
        const char *between = put == 0 ? "" : put + 1 == size ? " and " : ", ";
        cor_bytes_print(text, "%s\"%s\"", between, profile->states[i]);
        put++;
    }
    if (put < size)
        cor_bytes_print(text, " and %u more", size - put);
}

/* Takes the sentence over. */
static void warn(struct warnings *warnings, struct cor_bytes *sentence) {
    char *chars = cor_bytes_text_take(sentence, NULL);
    size_t length = chars ? strlen(chars) : 0, break_size = warnings->used > 0;
    if (length > 0 && warnings->used + break_size + length < warnings->size) {
        if (break_size)
            warnings->text[warnings->used++] = '\n';
        memcpy(warnings->text + warnings->used, chars, length + 1);
        warnings->used += length;
    }
    warnings->count++;
    free(chars);
}

static void warn_unreachable(struct warnings *warnings, const struct cor_profile *profile, uint64_t met) {
    uint64_t all = profiles__set_below(profile->state_count);
    struct cor_bytes text = {0};
    if (met == all)
        return;
    put_states(&text, profile, all & ~met);
    cor_bytes_print(&text,
                    " cannot be reached from the start: no test case will ever show %s, and the coverage of "
                    "states and transitions stays below 100 %%.",
                    size_of(all & ~met) == 1 ? "it" : "them");
    warn(warnings, &text);
}

/* A closed class that is not the whole of what is met. */
static void warn_closed(struct warnings *warnings, const struct cor_profile *profile, uint64_t members,
                        uint64_t met) {
    struct cor_bytes text = {0};
    put_states(&text, profile, members);
    if (profile->state_count == 1)
        cor_bytes_print(&text, " is the only one: the environment never changes.");
    else if (size_of(members) == 1)
        cor_bytes_print(
            &text, " is absorbing: a sequence that enters it sees no change of the environment any more.");
    else
        cor_bytes_print(&text, " form a closed class: a sequence that enters it never sees the other states "
                               "again, which so occur only early in a sequence.");
    if (profile->state_count == 1 || members != met || size_of(members) == 1)
        warn(warnings, &text);
    else
        cor_bytes_fini(&text);
}

static void warn_periodic(struct warnings *warnings, const struct cor_profile *profile, uint64_t members) {
    struct cor_bytes text = {0};
    /* With d(i) the distance of i from the first member, the period is the gcd of d(i) + 1 - d(j) over all
     * arcs i -> j. */
    uint32_t distance[COR_PROFILE_STATES_MAX], queue[COR_PROFILE_STATES_MAX], head = 0, tail = 0, period = 0;
    uint64_t found = members & (~members + 1);
    for (uint32_t i = 0; i < profile->state_count; i++)
        if (found & profiles__set_of(i)) {
            distance[i] = 0;
            queue[tail++] = i;
        }
    while (head < tail) {
        uint32_t from = queue[head++];
        for (uint32_t to = 0; to < profile->state_count; to++) {
            if (!leads(profile, from, to))
                continue;
            if (!(found & profiles__set_of(to))) {
                found |= profiles__set_of(to);
                distance[to] = distance[from] + 1;
                queue[tail++] = to;
            }
            uint32_t ahead = distance[from] + 1; /* >= distance[to]: breadth first */
            uint32_t a = period;
            uint32_t b = ahead - distance[to];
            while (b > 0) {
                uint32_t rest = a % b;
                a = b;
                b = rest;
            }
            period = a;
        }
    }
    if (period < 2)
        return;
    put_states(&text, profile, members);
    cor_bytes_print(
        &text,
        " form a class of period %u: at a given case only a part of them is possible, depending on the first "
        "state, so shares at one case of many sequences differ from the shares in the long run.",
        period);
    warn(warnings, &text);
}

uint32_t cor_profile_warnings(const struct cor_profile *profile, char *text, size_t size) {
    struct warnings warnings = {.text = text, .size = size};
    uint64_t reach[MOST_TEXT], classes[MOST_TEXT], met = 0;
    if (size > 0)
        text[0] = '\0';
    profiles__reach(profile, reach);
    for (uint32_t i = 0; i < profile->state_count; i++)
        met |= profile->start[i] > 0.0 ? reach[i] | profiles__set_of(i) : 0;
    warn_unreachable(&warnings, profile, met);
    uint32_t class_count = closed_classes(profile, classes);
    for (uint32_t c = 0; c < class_count; c++) {
        if (!(classes[c] & met))
            continue;
        warn_closed(&warnings, profile, classes[c], met);
        warn_periodic(&warnings, profile, classes[c]);
    }
    return warnings.count;
}

/* The states that `from` leads to, likeliest first, ties by index. */
static uint32_t rank_arcs(const struct cor_profile *profile, uint32_t from, uint32_t *to) {
    const double *row = profile->probability + (size_t)from * profile->state_count;
    uint32_t count = 0;
    for (uint32_t j = 0; j < profile->state_count; j++) {
        if (!(row[j] > 0.0))
            continue;
        uint32_t at = count++;
        for (; at > 0 && row[to[at - 1]] < row[j]; at--)
            to[at] = to[at - 1];
        to[at] = j;
    }
    return count;
}

/* In lines of `width` columns, of which `indent` are those of the columns before. */
static void put_arcs(struct cor_bytes *text, const struct cor_profile *profile, uint32_t from, size_t indent,
                     size_t width) {
    uint32_t to[MOST_TEXT], count = rank_arcs(profile, from, to);
    size_t at = indent;
    for (uint32_t k = 0; k < count && k < ARCS_SHOWN; k++) {
        char share[32];
        snprintf(share, sizeof share, "%.3g",
                 profile->probability[(size_t)from * profile->state_count + to[k]]);
        const size_t length = strlen(profile->states[to[k]]) + strlen(share) + strlen(" , ");
        const bool wraps = k > 0 && at + length > width;
        cor_bytes_print(text, "%s%*s%s %s",
                        k == 0  ? ""
                        : wraps ? ",\n"
                                : ", ",
                        wraps ? (int)indent : 0, "", profile->states[to[k]], share);
        at = (wraps ? indent : at) + length;
    }
    if (count > ARCS_SHOWN)
        cor_bytes_print(text, ",%s%*s%u more", at + strlen("nn more") > width ? "\n" : "",
                        at + strlen("nn more") > width ? (int)indent : 1, "", count - ARCS_SHOWN);
}

int profiles__widest_name(const struct cor_profile *profile) {
    size_t widest = strlen("state");
    for (uint32_t i = 0; i < profile->state_count; i++)
        widest = strlen(profile->states[i]) > widest ? strlen(profile->states[i]) : widest;
    return (int)widest;
}

static void put_table(struct cor_bytes *text, const struct cor_profile *profile, const double *share,
                      size_t columns) {
    int width = profiles__widest_name(profile);
    cor_bytes_print(text, "profile %s: %u states, %u transitions\n\n", profile->name, profile->state_count,
                    cor_profile_arcs(profile));
    cor_bytes_print(text, "%-*s   share   start   mean stay   next\n", width, "state");
    for (uint32_t i = 0; i < profile->state_count; i++) {
        double stay = profile->probability[(size_t)i * profile->state_count + i];
        cor_bytes_print(text, "%-*s  %6.2f%% %6.2f%%", width, profile->states[i], 100.0 * share[i],
                        100.0 * profile->start[i]);
        if (stay < 1.0)
            cor_bytes_print(text, "  %10.4g   ", 1.0 / (1.0 - stay));
        else
            cor_bytes_print(text, "  %10s   ", "for ever");
        put_arcs(text, profile, i, (size_t)width + strlen("  %6.2f%% %6.2f%%  %10.4g   ") + 4, columns);
        cor_bytes_print(text, "\n");
    }
}

char *cor_profile_text(const struct cor_profile *profile, size_t width, struct cor_error *error) {
    enum { WARNINGS_SIZE = 1 << 16 };
    double share[MOST_TEXT] = {0};
    struct cor_bytes text = {0};
    if (cor_profile_stationary(profile, share, error) != COR_OK)
        return NULL;
    put_table(&text, profile, share, width);
    char *warnings = cor_calloc(WARNINGS_SIZE, 1);
    if (!warnings)
        text.status = COR_STATUS_MEMORY;
    if (warnings && cor_profile_warnings(profile, warnings, WARNINGS_SIZE) > 0)
        cor_bytes_print(&text, "\nwarnings\n%s\n", warnings);
    free(warnings);
    return cor_bytes_text_take(&text, error);
}

/* ---- profiles for other programs: Graphviz, PRISM, spreadsheets, anything that reads a matrix */

enum { MOST_EXPORT = COR_PROFILE_STATES_MAX, NUMBER = 40, LABEL = COR_PROFILE_NAME_MAX + 24 };

/* A name between the quotes of a dot string. Graphviz takes & for the beginning of an entity, and would hand
 * control characters on into pictures that no reader of XML accepts. */
static void put_quoted(struct cor_bytes *text, const char *name) {
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        if (byte == '&')
            cor_bytes_print(text, "&amp;");
        else if (byte < 0x20 || byte == 0x7f)
            cor_bytes_print(text, "\xef\xbf\xbd"); /* U+FFFD */
        else
            cor_bytes_print(text, byte == '"' || byte == '\\' ? "\\%c" : "%c", byte);
    }
}

char *cor_profile_dot(const struct cor_profile *profile, struct cor_error *error) {
    uint32_t count = profile->state_count;
    double share[MOST_EXPORT] = {0};
    struct cor_bytes text = {0};
    if (cor_profile_stationary(profile, share, error) != COR_OK)
        return NULL;
    cor_bytes_print(&text, "digraph profile {\n    label=\"");
    put_quoted(&text, profile->name);
    cor_bytes_print(&text,
                    "\";\n    layout=neato; splines=curved;\n"
                    "    node [shape=circle, fixedsize=shape, fontsize=10];\n    edge [fontsize=8];\n");
    double radius = 0.35 * (double)count + 0.65; /* the states clockwise in their order, from the top */
    for (uint32_t i = 0; i < count; i++) {
        double angle = 6.283185307179586 * (double)i / (double)count;
        cor_bytes_print(&text, "    s%u [label=\"", i);
        put_quoted(&text, profile->states[i]);
        /* The area of a node, not its width, shows the share. */
        cor_bytes_print(&text, "\\n%.1f %%\", width=%.2f, pos=\"%.2f,%.2f!\"];\n", 100.0 * share[i],
                        0.5 + 2.0 * sqrt(share[i]), radius * sin(angle), radius * cos(angle));
    }
    for (uint32_t cell = 0; cell < count * count; cell++) {
        const uint32_t from = cell / count;
        const uint32_t to = cell % count;
        const double probability = profile->probability[cell];
        /* Grey value of an arc: black when certain, pale when rare. */
        unsigned grey = probability >= 0.5    ? 0
                        : probability >= 0.2  ? 60
                        : probability >= 0.05 ? 120
                        : probability >= 0.01 ? 170
                                              : 210;
        if (probability > 0.0)
            cor_bytes_print(
                &text,
                "    s%u -> s%u [label=\"%.2g\", color=\"#%02x%02x%02x\", fontcolor=\"#%02x%02x%02x\", "
                "penwidth=%.2f];\n",
                from, to, probability, grey, grey, grey, grey, grey, grey, 0.5 + 2.0 * probability);
    }
    cor_bytes_print(&text, "}\n");
    return cor_bytes_text_take(&text, error);
}

/* A name within the HTML of a dot label. */
static void put_html(struct cor_bytes *text, const char *name) {
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        if (byte < 0x20 || byte == 0x7f)
            cor_bytes_print(text, "\xef\xbf\xbd"); /* U+FFFD */
        else
            cor_bytes_print(text, strchr("&<>\"", byte) ? "&#%u;" : "%c", byte);
    }
}

char *cor_profile_heat_map(const struct cor_profile *profile, struct cor_error *error) {
    uint32_t count = profile->state_count;
    double share[MOST_EXPORT] = {0};
    struct cor_bytes text = {0};
    if (cor_profile_stationary(profile, share, error) != COR_OK)
        return NULL;
    cor_bytes_print(
        &text,
        "digraph profile {\n    node [shape=plain, fontname=\"Helvetica\", fontsize=11];\n"
        "    map [label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"1\" cellpadding=\"5\">\n"
        "    <tr><td></td><td colspan=\"%u\"><b>",
        count + 1);
    put_html(&text, profile->name);
    cor_bytes_print(&text,
                    "</b>: from (rows) to (columns), per cent</td></tr>\n    <tr><td></td><td>share</td>");
    for (uint32_t to = 0; to < count; to++) {
        cor_bytes_print(&text, "<td>");
        put_html(&text, profile->states[to]);
        cor_bytes_print(&text, "</td>");
    }
    cor_bytes_print(&text, "</tr>\n");
    for (uint32_t from = 0; from < count; from++) {
        cor_bytes_print(&text, "    <tr><td align=\"right\">");
        put_html(&text, profile->states[from]);
        cor_bytes_print(&text, "</td><td>%.1f</td>", 100.0 * share[from]);
        for (uint32_t to = 0; to < count; to++) {
            /* A cell from white to dark blue; its figure in per cent, where there is one. */
            const double probability = profile->probability[(size_t)from * count + to];
            double depth = sqrt(probability); /* so that rare transitions differ from impossible ones */
            unsigned red = (unsigned)(255.0 - 247.0 * depth), green = (unsigned)(255.0 - 207.0 * depth),
                     blue = (unsigned)(255.0 - 148.0 * depth);
            cor_bytes_print(&text, "<td bgcolor=\"#%02x%02x%02x\">", red, green, blue);
            if (probability > 0.0)
                cor_bytes_print(&text, "<font color=\"%s\">%s%.*f</font>", depth > 0.6 ? "white" : "black",
                                probability < 0.0005 ? "&lt;" : "", probability < 0.0995 ? 1 : 0,
                                probability < 0.0005 ? 0.1 : 100.0 * probability);
            cor_bytes_print(&text, "</td>");
        }
        cor_bytes_print(&text, "</tr>\n");
    }
    cor_bytes_print(&text, "    </table>>];\n}\n");
    return cor_bytes_text_take(&text, error);
}

/* As many digits as a number needs to read back exactly. */
static const char *exact(double value, char text[NUMBER]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

/* A name on one line, between quotes. */
static void put_comment(struct cor_bytes *text, const char *name) {
    cor_bytes_print(text, "\"");
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        if (byte < 0x20 || byte == 0x7f)
            cor_bytes_print(text, "\\u%04x", byte);
        else
            cor_bytes_print(text, byte == '"' || byte == '\\' ? "\\%c" : "%c", byte);
    }
    cor_bytes_print(text, "\"");
}

static bool is_taken(const char *label, char labels[][LABEL], uint32_t count) {
    bool taken = strcmp(label, "init") == 0 || strcmp(label, "deadlock") == 0; /* PRISM's own */
    for (uint32_t i = 0; i < count && !taken; i++)
        taken = strcmp(label, labels[i]) == 0;
    return taken;
}

/* The one state that the chain begins in, or state_count if it is drawn. */
static uint32_t first_state(const struct cor_profile *profile) {
    uint32_t first = profile->state_count;
    for (uint32_t i = 0; i < profile->state_count; i++) {
        if (!(profile->start[i] > 0.0))
            continue;
        if (first < profile->state_count)
            return profile->state_count;
        first = i;
    }
    return first;
}

static void put_command(struct cor_bytes *text, uint32_t from, const double *row, uint32_t count) {
    char number[NUMBER];
    const char *between = " ->";
    cor_bytes_print(text, "    [] s=%u", from);
    for (uint32_t to = 0; to < count; to++) {
        if (!(row[to] > 0.0))
            continue;
        cor_bytes_print(text, "%s %s:(s'=%u)", between, exact(row[to], number), to);
        between = " +";
    }
    cor_bytes_print(text, ";\n");
}

char *cor_profile_prism(const struct cor_profile *profile, struct cor_error *error) {
    char labels[MOST_EXPORT][LABEL];
    struct cor_bytes text = {0};
    cor_bytes_print(&text, "// profile ");
    put_comment(&text, profile->name);
    cor_bytes_print(&text, "\n");
    for (uint32_t i = 0; i < profile->state_count; i++) {
        cor_bytes_print(&text, "// s=%u: ", i);
        put_comment(&text, profile->states[i]);
        cor_bytes_print(&text, "\n");
    }
    if (first_state(profile) == profile->state_count)
        cor_bytes_print(&text, "// s=%u: the first step leads to the first state, which is drawn\n",
                        profile->state_count);
    uint32_t count = profile->state_count, first = first_state(profile);
    uint32_t last = first == count ? count : count - 1;
    /* Two values at least: a range of one is refused by some versions. */
    cor_bytes_print(&text, "dtmc\n\nmodule profile\n    s : [0..%u] init %u;\n\n", last > 0 ? last : 1,
                    first);
    if (first == count)
        put_command(&text, count, profile->start, count);
    for (uint32_t from = 0; from < count; from++)
        put_command(&text, from, profile->probability + (size_t)from * count, count);
    cor_bytes_print(&text, "endmodule\n\n");
    for (uint32_t i = 0; i < profile->state_count; i++) {
        /* The name of a state as an identifier that no other label has. */
        const char *name = profile->states[i];
        char *label = labels[i], plain[LABEL];
        size_t length = 0;
        if (isdigit((unsigned char)name[0]))
            plain[length++] = '_';
        for (; *name && length < COR_PROFILE_NAME_MAX + 1; name++) {
            unsigned char byte = (unsigned char)*name;
            plain[length++] = (char)(byte < 0x80 && isalnum(byte) ? byte : '_');
        }
        plain[length] = '\0';
        snprintf(label, LABEL, "%s", plain);
        for (uint32_t number = i; is_taken(label, labels, i); number += MOST_EXPORT)
            snprintf(label, LABEL, "%.*s_%u", COR_PROFILE_NAME_MAX + 1, plain, number);
        cor_bytes_print(&text, "label \"%s\" = s=%u;\n", labels[i], i);
    }
    return cor_bytes_text_take(&text, error);
}

/* A field as in RFC 4180. */
static void put_field(struct cor_bytes *text, const char *field) {
    bool quoted = field[strcspn(field, ",\"\r\n")] != '\0' || cor_delimited_is_formula(field);
    cor_bytes_print(text, quoted ? "\"" : "");
    for (; *field; field++)
        cor_bytes_print(text, "%s%c", *field == '"' ? "\"" : "", *field);
    cor_bytes_print(text, quoted ? "\"" : "");
}

static void put_rows(struct cor_bytes *text, const struct cor_profile *profile, const char *from,
                     const double *row) {
    char number[NUMBER];
    for (uint32_t to = 0; to < profile->state_count; to++) {
        if (!(row[to] > 0.0))
            continue;
        put_field(text, from);
        cor_bytes_print(text, ",");
        put_field(text, profile->states[to]);
        cor_bytes_print(text, ",%s\n", exact(row[to], number));
    }
}

char *cor_profile_csv(const struct cor_profile *profile, struct cor_error *error) {
    struct cor_bytes text = {0};
    cor_bytes_print(&text, "from,to,probability\n");
    put_rows(&text, profile, "", profile->start);
    for (uint32_t i = 0; i < profile->state_count; i++)
        put_rows(&text, profile, profile->states[i], profile->probability + (size_t)i * profile->state_count);
    return cor_bytes_text_take(&text, error);
}

static void put_law(struct cor_json_writer *writer, const char *key, const double *law, uint32_t count) {
    cor_json_open_array(writer, key);
    for (uint32_t i = 0; i < count; i++)
        cor_json_put_real(writer, NULL, law[i]);
    cor_json_close(writer);
}

char *profiles__file_text_take(struct cor_json_writer *writer, struct cor_error *error) {
    char *bare;
    if (cor_json_text_take(writer, 1, &bare, error) != COR_OK)
        return NULL;
    char *text = cor_format("%s\n", bare);
    free(bare);
    if (!text)
        (void)cor_fail_memory(error);
    return text;
}

void profiles__put_states(const struct cor_profile *profile, struct cor_json_writer *writer) {
    cor_json_open_array(writer, "states");
    for (uint32_t i = 0; i < profile->state_count; i++)
        cor_json_put_string(writer, NULL, profile->states[i]);
    cor_json_close(writer);
}

char *cor_profile_file(const struct cor_profile *profile, struct cor_error *error) {
    struct cor_json_writer *writer;
    const uint32_t count = profile->state_count;
    if (cor_json_writer_create(&writer, error) != COR_OK)
        return NULL;
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "corridor_profile", COR_PROFILE_VERSION);
    cor_json_put_string(writer, "name", profile->name);
    profiles__put_states(profile, writer);
    cor_json_open_object(writer, "transitions");
    for (uint32_t i = 0; i <= count; i++) { /* and behind them the law of the first state */
        const double *law = i < count ? profile->probability + (size_t)i * count : profile->start;
        if (i == count)
            cor_json_close(writer);
        cor_json_open_object(writer, i < count ? profile->states[i] : "start");
        for (uint32_t j = 0; j < count; j++)
            if (law[j] > 0)
                cor_json_put_real(writer, profile->states[j], law[j]);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    return profiles__file_text_take(writer, error);
}

char *cor_profile_matrix(const struct cor_profile *profile, struct cor_error *error) {
    struct cor_json_writer *writer;
    double stationary[MOST_EXPORT];
    if (cor_profile_stationary(profile, stationary, error) != COR_OK ||
        cor_json_writer_create(&writer, error) != COR_OK)
        return NULL;
    uint32_t count = profile->state_count;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", "corridor-profile-matrix");
    cor_json_put_integer(writer, "version", 1);
    cor_json_put_string(writer, "name", profile->name);
    profiles__put_states(profile, writer);
    put_law(writer, "start", profile->start, count);
    put_law(writer, "stationary", stationary, count);
    cor_json_open_array(writer, "probability");
    for (uint32_t i = 0; i < count; i++)
        put_law(writer, NULL, profile->probability + (size_t)i * count, count);
    cor_json_close(writer);
    cor_json_close(writer);
    return profiles__file_text_take(writer, error);
}
