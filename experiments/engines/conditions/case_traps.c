/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/case_traps.h>
#include <corridor/condition_walk.h>
#include <corridor/fields.h>
#include <corridor/planning_problem.h>
#include <corridor/steering.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Arcs of all chains together, UINT64_MAX where they are very many. */
static uint64_t arcs_of(uint32_t chain_count, const struct cor_profile *const *profiles) {
    uint64_t arcs = 1;
    for (uint32_t c = 0; c < chain_count; c++) {
        arcs *= cor_profile_arcs(profiles[c]);
        if (arcs > COR_JOINT_ARCS_MAX)
            return UINT64_MAX;
    }
    return arcs;
}

/* Whether so many chains would be few enough. */
static bool joint_is_small(uint32_t chain_count, const struct cor_profile *const *profiles) {
    return arcs_of(chain_count, profiles) <= COR_JOINT_ARCS_MAX;
}

uint8_t cor_joint_part(const struct cor_joint *joint, uint32_t state, uint32_t chain) {
    for (uint32_t c = 0; c < chain; c++)
        state /= joint->profiles[c]->state_count;
    return (uint8_t)(state % joint->profiles[chain]->state_count);
}

uint32_t cor_joint_state(const struct cor_joint *joint, const uint8_t *states) {
    uint32_t state = 0;
    for (uint32_t c = joint->chain_count; c-- > 0;)
        state = state * joint->profiles[c]->state_count + states[c];
    return state;
}

/* Adds the arcs of the chains below `chain_count` from `state`, to states that are `to` in those above. */
static void add_arcs(struct cor_joint *joint, uint32_t state, uint32_t chain_count, uint32_t to,
                     double probability, uint32_t *arc) {
    if (chain_count == 0) {
        joint->next[*arc] = to;
        joint->probability[(*arc)++] = probability;
        return;
    }
    const struct cor_profile *profile = joint->profiles[chain_count - 1];
    const double *row =
        profile->probability + (size_t)cor_joint_part(joint, state, chain_count - 1) * profile->state_count;
    for (uint32_t s = 0; s < profile->state_count; s++)
        if (row[s] > 0)
            add_arcs(joint, state, chain_count - 1, to * profile->state_count + s, probability * row[s], arc);
}

enum cor_status cor_joint_create(uint32_t chain_count, const uint32_t *environments,
                                 const struct cor_profile *const *profiles, struct cor_joint **joint,
                                 struct cor_error *error) {
    *joint = NULL;
    const uint64_t arcs = arcs_of(chain_count, profiles);
    if (arcs > COR_JOINT_ARCS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "speak of fewer environments, or of smaller ones",
                        "the environments spoken of have more than %d transitions together",
                        COR_JOINT_ARCS_MAX);
    struct cor_joint *j = *joint = cor_calloc(1, sizeof *j);
    COR_TRY(cor_made(j, error));
    j->chain_count = chain_count;
    j->state_count = 1;
    for (uint32_t c = 0; c < chain_count; c++)
        j->state_count *= profiles[c]->state_count;
    j->profiles = cor_calloc(chain_count, sizeof(struct cor_profile *));
    j->environments = cor_calloc(chain_count, sizeof *j->environments);
    j->first = cor_calloc(j->state_count + 1, sizeof *j->first);
    j->start = cor_calloc(j->state_count, sizeof *j->start);
    j->next = cor_calloc((size_t)arcs, sizeof *j->next);
    j->probability = cor_calloc((size_t)arcs, sizeof *j->probability);
    if (!j->profiles || !j->environments || !j->first || !j->start || !j->next || !j->probability) {
        cor_joint_destroy(j);
        *joint = NULL;
        return cor_fail_memory(error);
    }
    for (uint32_t c = 0; c < chain_count; c++) {
        j->profiles[c] = profiles[c];
        j->environments[c] = environments[c];
    }
    uint32_t arc = 0;
    for (uint32_t x = 0; x < j->state_count; x++) {
        j->first[x] = arc;
        add_arcs(j, x, j->chain_count, 0, 1, &arc);
        j->start[x] = 1;
        for (uint32_t c = 0; c < j->chain_count; c++)
            j->start[x] *= j->profiles[c]->start[cor_joint_part(j, x, c)];
    }
    j->first[j->state_count] = arc;
    return COR_OK;
}

void cor_joint_destroy(struct cor_joint *joint) {
    if (!joint)
        return;
    free(joint->profiles);
    free(joint->environments);
    free(joint->first);
    free(joint->next);
    free(joint->probability);
    free(joint->start);
    free(joint);
}

/* Of the chain's own arcs, those on which a conjunct that reads it alone may hold: [from] bits `to`. */
static void restrict_chain(const struct cor_joint *joint, uint32_t chain,
                           const struct cor_case_condition *condition, struct cor_facts *facts,
                           uint64_t *allowed) {
    const uint32_t states = joint->profiles[chain]->state_count, environment = joint->environments[chain];
    for (uint32_t i = 0; i < condition->conjunct_count; i++) {
        const uint32_t part = condition->conjuncts[i];
        if (condition->parts[part].environments != UINT64_C(1) << environment)
            continue;
        for (uint32_t from = 0; from < states; from++)
            for (uint32_t to = 0; to < states; to++) {
                if (!(allowed[from] >> to & 1))
                    continue;
                cor_facts_set_states(facts, environment, (uint8_t)from, (uint8_t)to);
                if (!cor_case_condition_may_hold(condition, part, facts))
                    allowed[from] &= ~(UINT64_C(1) << to);
            }
    }
}

/* Whether the conjuncts that read several of these chains, or none, may hold on an arc. */
static bool rest_may_hold(const struct cor_case_condition *condition, uint64_t known,
                          const struct cor_facts *facts) {
    for (uint32_t i = 0; i < condition->conjunct_count; i++) {
        const uint64_t read = condition->parts[condition->conjuncts[i]].environments;
        if ((read & (read - 1)) == 0 && read != 0) /* one alone: done */
            continue;
        if (!(read & ~known) && !cor_case_condition_may_hold(condition, condition->conjuncts[i], facts))
            return false;
    }
    return true;
}

void cor_joint_hits(const struct cor_joint *joint, const struct cor_case_condition *condition,
                    struct cor_facts *facts, uint8_t *hit) {
    uint64_t allowed[COR_CONDITION_ENVIRONMENTS_MAX][COR_PROFILE_STATES_MAX], known = 0;
    for (uint32_t c = 0; c < joint->chain_count; c++) {
        memset(allowed[c], 0xff, sizeof allowed[c]);
        restrict_chain(joint, c, condition, facts, allowed[c]);
        known |= UINT64_C(1) << joint->environments[c];
    }
    for (uint32_t x = 0; x < joint->state_count; x++)
        for (uint32_t arc = joint->first[x]; arc < joint->first[x + 1]; arc++) {
            bool may = true;
            for (uint32_t c = 0; c < joint->chain_count && may; c++)
                may =
                    allowed[c][cor_joint_part(joint, x, c)] >> cor_joint_part(joint, joint->next[arc], c) & 1;
            for (uint32_t c = 0; c < joint->chain_count && may; c++)
                cor_facts_set_states(facts, joint->environments[c], cor_joint_part(joint, x, c),
                                     cor_joint_part(joint, joint->next[arc], c));
            hit[arc] = may && rest_may_hold(condition, known, facts);
        }
}

/* ---- case traps */

void cor_case_traps_destroy(struct cor_case_traps *traps) {
    if (!traps)
        return;
    for (uint32_t t = 0; t < traps->count; t++) {
        free(traps->traps[t].name);
        cor_case_condition_fini(&traps->traps[t].condition);
    }
    free(traps->traps);
    free(traps->after);
    cor_vocabulary_destroy(traps->vocabulary);
    free(traps);
}

/* What somebody said of a text, at the value that holds it. */
static enum cor_status parse_at(const struct cor_json *json, const struct cor_vocabulary *vocabulary,
                                struct cor_case_condition *condition, struct cor_error *error) {
    char place[512];
    const char *text;
    COR_TRY(cor_json_string(json, &text, error));
    cor_json_place(json, place, sizeof place);
    return cor_case_condition_parse(text, vocabulary, place, condition, error);
}

/* Adds a trap; takes the condition. A name of NULL: the text of it. */
static enum cor_status add_trap(struct cor_case_traps *traps, const struct cor_json *json, const char *name,
                                struct cor_case_condition *condition, struct cor_error *error) {
    enum cor_status status = COR_OK;
    if (traps->count == COR_CASE_TRAPS_MAX)
        COR_TRY_OUT(cor_json_fail(json, error, NULL, "more than %d traps", COR_CASE_TRAPS_MAX));
    COR_TRY_OUT(COR_RESERVE(&traps->traps, &traps->capacity, traps->count + 1, error));
    struct cor_case_trap trap = {cor_strdup(name ? name : condition->text), *condition};
    COR_TRY_OUT(cor_made(trap.name, error));
    traps->traps[traps->count++] = trap;
    traps->environments |= cor_case_condition_root(condition)->environments;
    *condition = (struct cor_case_condition){0};
    for (uint32_t t = 0; t + 1 < traps->count; t++)
        if (strcmp(traps->traps[t].name, trap.name) == 0)
            COR_TRY_OUT(cor_json_fail(json, error, "give one of them a \"name\" of its own",
                                      "two traps are called \"%s\"", trap.name));
out:
    cor_case_condition_fini(condition);
    return status;
}

static enum cor_status read_condition(const struct cor_json *json, const struct cor_json *name,
                                      struct cor_case_traps *traps, struct cor_error *error) {
    struct cor_case_condition condition;
    const char *word = NULL;
    if (name)
        COR_TRY(cor_json_string(name, &word, error));
    COR_TRY(parse_at(json, traps->vocabulary, &condition, error));
    return add_trap(traps, json, word, &condition, error);
}

/* An arc of the environment's profile, beside which the condition holds (NULL: any). */
static enum cor_status add_arc(const struct cor_json *json, struct cor_case_traps *traps,
                               uint32_t environment, uint8_t from, uint8_t to, const struct cor_json *with,
                               struct cor_error *error) {
    struct cor_case_condition arc, beside;
    COR_TRY(cor_case_condition_arc(traps->vocabulary, environment, from, to, &arc, error));
    enum cor_status status = with ? parse_at(with, traps->vocabulary, &beside, error) : COR_OK;
    if (status == COR_OK && with) {
        status = cor_case_condition_and_take(&arc, &beside, error);
        if (status != COR_OK)
            cor_case_condition_fini(&beside);
    }
    if (status != COR_OK) {
        cor_case_condition_fini(&arc);
        return status;
    }
    return add_trap(traps, json, NULL, &arc, error);
}

/* {"arcs": ENVIRONMENT, "with": [CONDITION, ..]}: every arc of its profile, beside every condition. */
static enum cor_status read_arcs(const struct cor_json *json, const struct cor_json *arcs,
                                 struct cor_case_traps *traps, struct cor_error *error) {
    static const char *const keys[] = {"arcs", "with", NULL};
    const struct cor_vocabulary *v = traps->vocabulary;
    const char *names[COR_CONDITION_ENVIRONMENTS_MAX + 1] = {NULL};
    struct cor_json with;
    int environment;
    COR_TRY(cor_json_expect_object(json, keys, error));
    for (uint32_t e = 0; e < v->environment_count; e++)
        names[e] = v->names[e];
    COR_TRY(cor_json_one_of(arcs, names, "environment", &environment, error));
    const struct cor_profile *profile = v->environments[environment].profile;
    if (!profile)
        return cor_json_fail(arcs, error, "name an environment with a given profile",
                             "the profile of \"%s\" is drawn for each suite", names[environment]);
    const bool beside = cor_json_find(json, "with", &with);
    if (beside)
        COR_TRY(cor_json_expect_array(&with, 1, COR_CASE_TRAPS_MAX, error));
    for (uint32_t from = 0; from < profile->state_count; from++)
        for (uint32_t to = 0; to < profile->state_count; to++)
            for (size_t i = 0; i < (beside ? cor_json_size(&with) : 1); i++) {
                struct cor_json item = beside ? cor_json_at(&with, i) : with;
                if (profile->probability[(size_t)from * profile->state_count + to] > 0)
                    COR_TRY(add_arc(json, traps, (uint32_t)environment, (uint8_t)from, (uint8_t)to,
                                    beside ? &item : NULL, error));
            }
    return COR_OK;
}

static enum cor_status read_traps(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 1, COR_CASE_TRAPS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        static const char *const keys[] = {"name", "condition", "after", "arcs", "with", NULL};
        struct cor_json name, child;
        if (cor_json_is_string(&item)) {
            COR_TRY(read_condition(&item, NULL, into, error));
        } else {
            COR_TRY(cor_json_expect_object(&item, keys, error));
            if (cor_json_find(&item, "arcs", &child)) {
                COR_TRY(read_arcs(&item, &child, into, error));
            } else {
                COR_TRY(cor_json_need(&item, "condition", &child, error));
                COR_TRY(
                    read_condition(&child, cor_json_find(&item, "name", &name) ? &name : NULL, into, error));
            }
        }
    }
    return COR_OK;
}

static enum cor_status read_share(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_case_traps *traps = into;
    COR_TRY(cor_json_real(json, 0, 1, &traps->profile_share, error));
    if (traps->profile_share > 0 && traps->profile_share < COR_PROFILE_SHARE_MIN)
        return cor_json_fail(json, error, "0, or 0.1 to 1: no weight is then above 10",
                             "%g of the sequences are too few for weights", traps->profile_share);
    return COR_OK;
}

static const char *const walk_words[] = {"shortest", "likeliest", NULL};
static const struct cor_field fields[] = {
    {"traps", COR_REQUIRED, COR_READ_FIELD(read_traps)},
    {"ordered", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_case_traps, ordered)},
    {"profile_share", COR_OPTIONAL, COR_READ_FIELD(read_share)},
    {"walk", COR_OPTIONAL,
     COR_ONE_OF_FIELD(struct cor_case_traps, walk, walk_words, COR_TRAP_WALK_SHORTEST, "walk to a trap")},
    {0}};

enum cor_status cor_case_traps_read(const struct cor_json *json, struct cor_vocabulary *vocabulary,
                                    struct cor_case_traps **traps, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_case_traps *made = *traps = cor_calloc(1, sizeof *made);
    if (!made) {
        cor_vocabulary_destroy(vocabulary);
        return cor_fail_memory(error);
    }
    made->vocabulary = vocabulary;
    COR_TRY_OUT(cor_json_fields(json, fields, made, error));
    /* What each waits for, when all are known. Traps that are written as arcs wait for nothing but the order.
     */
    struct cor_json list, after;
    made->words = cor_trap_words(made->count);
    made->after = cor_calloc((size_t)made->count * made->words, sizeof *made->after);
    COR_TRY_OUT(cor_made(made->after, error));
    for (uint32_t t = 1; t < made->count && made->ordered; t++)
        cor_trap_add(made->after + (size_t)t * made->words, t - 1);
    COR_TRY_OUT(cor_json_need(json, "traps", &list, error));
    bool has_arcs = false;
    for (size_t i = 0; i < cor_json_size(&list); i++) {
        struct cor_json item = cor_json_at(&list, i), arcs;
        has_arcs = has_arcs || cor_json_find(&item, "arcs", &arcs);
        if (!cor_json_find(&item, "after", &after))
            continue;
        if (has_arcs)
            COR_TRY_OUT(cor_json_fail(&after, error, "write it in front of those",
                                      "stands behind traps that are written as arcs"));
        /* "after": [names of traps above it]. */
        const uint32_t trap = (uint32_t)i;
        COR_TRY_OUT(cor_json_expect_array(&after, 1, COR_CASE_TRAPS_MAX, error));
        for (size_t j = 0; j < cor_json_size(&after); j++) {
            struct cor_json child = cor_json_at(&after, j);
            const char *name;
            uint32_t before = 0;
            COR_TRY_OUT(cor_json_string(&child, &name, error));
            while (before < trap && strcmp(made->traps[before].name, name) != 0)
                before++;
            if (before == trap)
                COR_TRY_OUT(cor_json_fail(&child, error, "a trap waits for traps that are written before it",
                                          "no trap before this one is called \"%s\"", name));
            cor_trap_add(made->after + (size_t)trap * made->words, before);
        }
    }
out:
    if (status != COR_OK) {
        cor_case_traps_destroy(made);
        *traps = NULL;
    }
    return status;
}

/* No condition of the list is empty. */
static enum cor_status check_list(const char *text, const char *place, struct cor_error *error) {
    for (uint32_t number = 1;; number++) {
        const size_t length = strcspn(text, ";");
        if (strspn(text, " ") >= length)
            return cor_fail(error, COR_STATUS_INPUT, place, "conditions with one semicolon between them",
                            "condition %u of the trap is empty", number);
        if (text[length] == '\0')
            return COR_OK;
        text += length + 1;
    }
}

/* As an arm has them. */
static enum cor_status write_traps(const char *text, double profile_share, const char *place, char **json,
                                   struct cor_error *error) {
    struct cor_json_writer *w;
    COR_TRY(check_list(text, place, error));
    char *copy = cor_strdup(text), *item = copy;
    COR_TRY(cor_made(copy, error));
    enum cor_status status = cor_json_writer_create(&w, error);
    if (status == COR_OK) {
        cor_json_open_object(w, NULL);
        cor_json_put_real(w, "profile_share", profile_share);
        cor_json_put_bool(w, "ordered", strchr(text, ';') != NULL);
        cor_json_open_array(w, "traps");
        for (bool last = false; !last;) {
            char *end = item + strcspn(item, ";");
            last = *end == '\0';
            *end = '\0';
            cor_json_put_string(w, NULL, item + strspn(item, " "));
            item = end + 1;
        }
        cor_json_close(w);
        cor_json_close(w);
        status = cor_json_text_take(w, 0, json, error);
    }
    free(copy);
    return status;
}

enum cor_status cor_case_traps_parse(const char *text, double profile_share,
                                     struct cor_vocabulary *vocabulary, const char *place,
                                     struct cor_case_traps **traps, struct cor_error *error) {
    struct cor_json_document *document;
    char *json = NULL;
    *traps = NULL;
    enum cor_status status = write_traps(text, profile_share, place, &json, error);
    if (status == COR_OK)
        status = cor_json_parse(json, place, &document, error);
    free(json);
    if (status != COR_OK) {
        cor_vocabulary_destroy(vocabulary);
        return status;
    }
    const struct cor_json root = cor_json_root(document);
    status = cor_case_traps_read(&root, vocabulary, traps, error);
    cor_json_destroy(document);
    return status;
}

/* ---- the likeliest way into each state at each case, by dynamic programming (Viterbi's), for each group of
 * environments that the condition joins; then the best case of all groups. Products are compared as
 * mantissa and exponent */

#define REMEMBERED_MAX 50000000 /* steps: states times cases */

/* Environments that are joined, and what is known of them at each case. */
struct group {
    struct cor_joint *joint;
    uint8_t *hit;                /* owned; [arc] */
    uint32_t *from;              /* owned; [case - 1][state] the state before, on the likeliest way */
    struct cor_weight *best;     /* owned; [case - 1] of the likeliest way that ends in a hit */
    uint32_t *hit_from, *hit_to; /* owned; [case - 1] its last arc */
};

static void fini_group(struct group *group) {
    cor_joint_destroy(group->joint);
    free(group->hit);
    free(group->from);
    free(group->best);
    free(group->hit_from);
    free(group->hit_to);
    *group = (struct group){0};
}

static enum cor_status walk_group(struct group *group, uint32_t case_count, struct cor_error *error) {
    const uint32_t states = group->joint->state_count;
    enum cor_status status = COR_OK;
    if ((uint64_t)states * case_count > REMEMBERED_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "look at fewer cases",
                        "%u states of environments over %u cases are more than can be remembered", states,
                        case_count);
    struct cor_weight *way = cor_calloc(states, sizeof *way), *next = cor_calloc(states, sizeof *next);
    group->from = cor_calloc((size_t)states * case_count, sizeof *group->from);
    group->best = cor_calloc(case_count, sizeof *group->best);
    group->hit_from = cor_calloc(case_count, sizeof *group->hit_from);
    group->hit_to = cor_calloc(case_count, sizeof *group->hit_to);
    COR_TRY_OUT(way && next && group->from && group->best && group->hit_from && group->hit_to
                    ? COR_OK
                    : cor_fail_memory(error));
    for (uint32_t x = 0; x < states; x++)
        way[x] = cor_weight_of(group->joint->start[x]);
    for (uint32_t at = 0; at < case_count; at++) {
        /* Takes the likeliest ways a case on. */
        const struct cor_joint *joint = group->joint;
        uint32_t *from = group->from + (size_t)at * joint->state_count;
        memset(next, 0, joint->state_count * sizeof *next);
        group->best[at] = cor_weight_of(0);
        for (uint32_t x = 0; x < joint->state_count; x++) {
            if (way[x].mantissa == 0)
                continue;
            for (uint32_t arc = joint->first[x]; arc < joint->first[x + 1]; arc++) {
                const uint32_t y = joint->next[arc];
                const struct cor_weight here =
                    cor_weight_times(way[x], cor_weight_of(joint->probability[arc]));
                if (cor_weight_less(next[y], here)) {
                    next[y] = here;
                    from[y] = x;
                }
                if (group->hit[arc] && cor_weight_less(group->best[at], here)) {
                    group->best[at] = here;
                    group->hit_from[at] = x;
                    group->hit_to[at] = y;
                }
            }
        }
        struct cor_weight *const before = way;
        way = next;
        next = before;
    }
out:
    free(way);
    free(next);
    return status;
}

static enum cor_status make_group(const struct cor_condition_question *question, uint64_t members,
                                  struct group *group, struct cor_error *error) {
    const struct cor_profile *profiles[COR_CONDITION_ENVIRONMENTS_MAX];
    uint32_t environments[COR_CONDITION_ENVIRONMENTS_MAX], count = 0;
    for (uint32_t e = 0; e < COR_CONDITION_ENVIRONMENTS_MAX; e++)
        if (members >> e & 1) {
            environments[count] = e;
            profiles[count++] = question->profiles[e];
        }
    COR_TRY(cor_joint_create(count, environments, profiles, &group->joint, error));
    group->hit = cor_calloc(group->joint->first[group->joint->state_count], sizeof *group->hit);
    COR_TRY(cor_made(group->hit, error));
    cor_joint_hits(group->joint, question->condition, question->facts, group->hit);
    return COR_OK;
}

static void write_states(const struct group *group, uint32_t environment_count, uint32_t case_index,
                         uint32_t state, uint8_t *states) {
    for (uint32_t c = 0; c < group->joint->chain_count; c++)
        states[(size_t)case_index * environment_count + group->joint->environments[c]] =
            cor_joint_part(group->joint, state, c);
}

static enum cor_status trace(const struct group *groups, uint32_t group_count, uint32_t environment_count,
                             uint32_t case_count, struct cor_weight probability,
                             struct cor_condition_walk *walk, struct cor_error *error) {
    const size_t size = ((size_t)case_count + 1) * environment_count;
    *walk = (struct cor_condition_walk){case_count, probability, cor_calloc(size, 1)};
    COR_TRY(cor_made(walk->states, error));
    memset(walk->states, 255, size);
    for (uint32_t g = 0; g < group_count; g++) {
        const struct group *group = &groups[g];
        write_states(group, environment_count, case_count, group->hit_to[case_count - 1], walk->states);
        uint32_t state = group->hit_from[case_count - 1];
        for (uint32_t at = case_count - 1;; at--) {
            write_states(group, environment_count, at, state, walk->states);
            if (at == 0)
                break;
            state = group->from[(size_t)(at - 1) * group->joint->state_count + state];
        }
    }
    return COR_OK;
}

static enum cor_status answer_all(const struct cor_condition_question *question, uint64_t *members,
                                  struct group *groups, uint32_t group_count, struct group *all,
                                  struct cor_condition_answer *answer, struct cor_error *error) {
    for (uint32_t g = 0; g < group_count; g++) {
        COR_TRY(make_group(question, members[g], &groups[g], error));
        COR_TRY(walk_group(&groups[g], question->case_count, error));
    }
    const uint32_t environments = cor_vocabulary_environments(question->facts->vocabulary);
    struct cor_weight likeliest = cor_weight_of(0), shortest = cor_weight_of(0);
    uint32_t likeliest_case = 0, shortest_case = 0;
    for (uint32_t at = 0; at < question->case_count; at++) {
        struct cor_weight together = cor_weight_of(1);
        for (uint32_t g = 0; g < group_count; g++)
            together = cor_weight_times(together, groups[g].best[at]);
        if (cor_weight_less(likeliest, together)) {
            likeliest = together;
            likeliest_case = at + 1;
        }
        if (shortest_case == 0 && together.mantissa > 0) {
            shortest = together;
            shortest_case = at + 1;
        }
    }
    if (likeliest_case != 0) {
        COR_TRY(
            trace(groups, group_count, environments, likeliest_case, likeliest, &answer->likeliest, error));
        COR_TRY(trace(groups, group_count, environments, shortest_case, shortest, &answer->shortest, error));
    }
    const struct cor_profile *profiles[COR_CONDITION_ENVIRONMENTS_MAX];
    uint32_t count = 0;
    uint64_t together = 0;
    for (uint32_t g = 0; g < group_count; g++)
        together |= members[g];
    for (uint32_t e = 0; e < COR_CONDITION_ENVIRONMENTS_MAX; e++)
        if (together >> e & 1)
            profiles[count++] = question->profiles[e];
    answer->is_counted = joint_is_small(count, profiles);
    if (!answer->is_counted)
        return COR_OK;
    COR_TRY(make_group(question, together, all, error));
    /* The probability of each case to be the first that meets the condition: what has not met it yet is taken
     * on case by case. */
    const struct cor_joint *joint = all->joint;
    enum cor_status status = COR_OK;
    double *here = cor_calloc(joint->state_count, sizeof *here),
           *next = cor_calloc(joint->state_count, sizeof *next), weighted = 0;
    COR_TRY_OUT(here && next ? COR_OK : cor_fail_memory(error));
    memcpy(here, joint->start, joint->state_count * sizeof *here);
    for (uint32_t at = 0; at < question->case_count; at++) {
        memset(next, 0, joint->state_count * sizeof *next);
        for (uint32_t x = 0; x < joint->state_count; x++)
            for (uint32_t arc = joint->first[x]; here[x] > 0 && arc < joint->first[x + 1]; arc++)
                *(all->hit[arc] ? &answer->first[at] : &next[joint->next[arc]]) +=
                    here[x] * joint->probability[arc];
        answer->probability += answer->first[at];
        weighted += answer->first[at] * (at + 1);
        double *const before = here;
        here = next;
        next = before;
    }
    if (answer->probability > 0)
        answer->expected = weighted / answer->probability;
out:
    free(here);
    free(next);
    return status;
}

enum cor_status cor_condition_answer(const struct cor_condition_question *question,
                                     struct cor_condition_answer *answer, struct cor_error *error) {
    const struct cor_case_condition *condition = question->condition;
    uint64_t members[COR_CONDITION_ENVIRONMENTS_MAX] = {0};
    struct group groups[COR_CONDITION_ENVIRONMENTS_MAX] = {{0}}, all = {0};
    COR_ASSERT(!cor_case_condition_root(condition)->reads_reaction && question->case_count > 0);
    *answer = (struct cor_condition_answer){.expected = NAN, .probability = 0};
    answer->first = cor_calloc(question->case_count, sizeof *answer->first);
    COR_TRY(cor_made(answer->first, error));
    /* Groups of environments that some conjunct joins: sets, disjoint; their number. */
    uint32_t group_count = 0;
    for (uint32_t i = 0; i < condition->conjunct_count; i++) {
        uint64_t joined = condition->parts[condition->conjuncts[i]].environments;
        uint32_t kept = 0;
        for (uint32_t g = 0; g < group_count; g++) {
            if (members[g] & joined)
                joined |= members[g];
            else
                members[kept++] = members[g];
        }
        group_count = kept;
        if (joined)
            members[group_count++] = joined;
    }
    enum cor_status status = answer_all(question, members, groups, group_count, &all, answer, error);
    for (uint32_t g = 0; g < group_count; g++)
        fini_group(&groups[g]);
    fini_group(&all);
    if (status != COR_OK)
        cor_condition_answer_fini(answer);
    return status;
}

void cor_condition_answer_fini(struct cor_condition_answer *answer) {
    free(answer->likeliest.states);
    free(answer->shortest.states);
    free(answer->first);
    *answer = (struct cor_condition_answer){0};
}
