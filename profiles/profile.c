/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/profile.h>

#include <corridor/array.h>
#include <corridor/fields.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX, REMEDY_SIZE = 1024 };

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
    struct cor_profile *made = cor_calloc(1, sizeof *made);
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
    *profile = made;
    made = NULL;
out:
    cor_profile_destroy(made);
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

enum cor_status cor_profile_read(const char *path, struct cor_profile **profile, struct cor_error *error) {
    *profile = NULL;
    enum cor_status status;
    struct cor_json_document *document = NULL;
    /* "path/to/wind.json" -> "wind". Freed with free(). */
    const char *slash = strrchr(path, '/');
    char *name = cor_strdup(slash ? slash + 1 : path);
    char *dot = name ? strrchr(name, '.') : NULL;
    if (dot && dot > name)
        *dot = '\0';
    COR_TRY(cor_made(name, error));
    COR_TRY_OUT(cor_json_read(path, &document, error));
    struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_PROFILE, error));
    COR_TRY_OUT(read_profile(&root, in_a_file, name, profile, error));
out:
    cor_json_destroy(document);
    free(name);
    return status;
}
