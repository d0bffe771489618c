/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge_states.h"

#include <corridor/array.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum cor_status corridor_file_read(const char *path, struct cor_corridor **corridor,
                                   struct cor_error *error) {
    COR_FREED char *text = NULL;
    size_t length;
    enum cor_status status = cor_json_read_text(path, &text, &length, error);
    if (status == COR_OK && strlen(text) != length)
        status = cor_fail(error, COR_STATUS_INPUT, cor_json_path_name(path), NULL,
                          "has zero bytes, and is no text");
    if (status == COR_OK)
        status = cor_corridor_parse(text, cor_json_path_name(path), corridor, error);
    return status;
}

/* ---- the file of states */

static enum cor_status add_document(struct judge_states *states, const char *text, char *name_take,
                                    struct cor_error *error) {
    enum cor_status status = cor_made(name_take, error);
    if (status == COR_OK)
        status = COR_RESERVE(&states->names, &states->name_capacity, states->document_count + 1, error);
    if (status == COR_OK)
        status =
            COR_RESERVE(&states->documents, &states->document_capacity, states->document_count + 1, error);
    if (status == COR_OK) {
        states->names[states->document_count] = name_take;
        states->documents[states->document_count++] = NULL;
        return cor_json_parse(text, name_take, &states->documents[states->document_count - 1], error);
    }
    free(name_take);
    return status;
}

/* Whether the first line is a state by itself, with another one behind it. */
static bool is_lines(const char *text) {
    text += strspn(text, " \t\r\n");
    const char *end = strchr(text, '\n');
    COR_DESTROYED(cor_json) struct cor_json_document *first = NULL;
    if (!end || *text != '{' || end[strspn(end, " \t\r\n")] == '\0')
        return false;
    COR_FREED char *line = cor_format("%.*s", (int)(end - text), text);
    return line && cor_json_parse(line, "", &first, NULL) == COR_OK;
}

enum cor_status judge_states_read(const char *path, struct judge_states *states, struct cor_error *error) {
    COR_FREED char *text = NULL;
    size_t length;
    *states = (struct judge_states){0};
    for (int i = 0; i < 2; i++)
        cor_lists_init(&states->kept[i].organizations);
    COR_TRY(cor_json_read_text(path, &text, &length, error));
    if (is_lines(text)) {
        size_t number = 1;
        for (char *line = text, *end; *line; line = end, number++) {
            end = line + strcspn(line, "\n");
            const bool is_last = !*end;
            *end = '\0';
            if (line[strspn(line, " \t\r")])
                COR_TRY(add_document(states, line,
                                     cor_format("%s, line %zu", cor_json_path_name(path), number), error));
            end += !is_last;
        }
        states->count = states->document_count;
    } else {
        COR_TRY(add_document(states, text, cor_strdup(cor_json_path_name(path)), error));
        const struct cor_json root = cor_json_root(states->documents[0]);
        states->is_array = cor_json_is_array(&root);
        if (states->is_array)
            COR_TRY(cor_json_expect_array(&root, 1, SIZE_MAX, error));
        states->count = states->is_array ? cor_json_size(&root) : 1;
    }
    return COR_OK;
}

static void free_columns(struct judge_columns *of) {
    COR_FREE(of->columns, of->reals, of->integers, of->unknown);
    *of = (struct judge_columns){NULL, NULL, NULL, NULL};
}

static void free_state(struct judge_state *state) {
    free_columns(&state->of_agents);
    free_columns(&state->of_organizations);
    COR_FREE(state->parents, state->parameters, state->sets, state->set_starts, state->set_items);
    state->parents = state->set_starts = state->set_items = NULL;
    state->parameters = NULL;
    state->sets = NULL;
    state->told_count = 0;
}

void judge_states_fini(struct judge_states *states) {
    for (int i = 0; i < 2; i++) {
        free_state(&states->kept[i]);
        free(states->kept[i].told);
        cor_lists_fini(&states->kept[i].organizations);
    }
    free(states->members);
    for (size_t i = 0; i < states->document_count; i++) {
        cor_json_destroy(states->documents[i]);
        free(states->names[i]);
    }
    COR_FREE(states->documents, states->names);
    *states = (struct judge_states){0};
}

/* ---- one state */

/* A value of an attribute or a parameter; null where it is not known. */
static enum cor_status read_value(const struct cor_json *json, const struct cor_quantity *quantity,
                                  struct cor_corridor *corridor, struct cor_value *value,
                                  struct cor_error *error) {
    const double limit = 9e15;
    bool truth;
    *value = cor_null();
    if (cor_json_is_null(json))
        return COR_OK;
    switch (quantity->domain.type) {
    case COR_VALUE_TYPE_INTEGER:
        value->kind = COR_VALUE_INTEGER;
        return cor_json_integer(json, (int64_t)fmax(quantity->low, -limit),
                                (int64_t)fmin(quantity->high, limit), &value->as.integer, error);
    case COR_VALUE_TYPE_REAL:
        value->kind = COR_VALUE_REAL;
        return cor_json_real(json, fmax(quantity->low, -1e308), fmin(quantity->high, 1e308), &value->as.real,
                             error);
    case COR_VALUE_TYPE_BOOLEAN:
        COR_TRY(cor_json_bool(json, &truth, error));
        *value = cor_integer(truth);
        return COR_OK;
    default: {
        const char *text, *offered[257];
        char remedy[1024];
        uint32_t word, count = 0;
        COR_TRY(cor_json_string(json, &text, error));
        COR_TRY(cor_words_intern(&corridor->words, text, &word, error));
        *value = cor_word(word);
        if (cor_domain_has(&quantity->domain, *value))
            return COR_OK;
        for (; count < 256 && count < quantity->domain.word_count; count++)
            offered[count] = cor_words_text(&corridor->words, quantity->domain.words[count]);
        offered[count] = NULL;
        cor_known_names(text, offered, remedy, sizeof remedy);
        return cor_json_fail(json, error, remedy, "\"%s\" is never \"%.200s\"", quantity->name, text);
    }
    }
}

/* Columns for so many elements, in which nothing is known. */
static enum cor_status make_columns(struct judge_columns *of, size_t columns, size_t count,
                                    struct cor_error *error) {
    of->columns = cor_calloc(columns, sizeof *of->columns);
    of->reals = cor_calloc(columns * count, sizeof *of->reals);
    of->integers = cor_calloc(columns * count, sizeof *of->integers);
    of->unknown = cor_calloc(columns * count, 1);
    if (!of->columns || !of->reals || !of->integers || !of->unknown)
        return cor_fail_memory(error);
    memset(of->unknown, 1, columns * count);
    for (size_t c = 0; c < columns; c++)
        of->columns[c] = (struct cor_attribute_values){of->reals + c * count, of->integers + c * count,
                                                       of->unknown + c * count};
    return COR_OK;
}

/* Reads the value at a place of all columns. */
static enum cor_status read_cell(const struct cor_json *json, const struct cor_quantity *quantity,
                                 struct cor_corridor *corridor, struct judge_columns *of, size_t at,
                                 struct cor_error *error) {
    struct cor_value value;
    COR_TRY(read_value(json, quantity, corridor, &value, error));
    of->unknown[at] = value.kind == COR_VALUE_NULL;
    if (value.kind == COR_VALUE_REAL)
        of->reals[at] = value.as.real;
    else if (value.kind != COR_VALUE_NULL)
        of->integers[at] = value.kind == COR_VALUE_WORD ? value.as.word : value.as.integer;
    return COR_OK;
}

/* ---- of what is observed */

#define SET_AGENTS_MAX 64u

/* A set of agents, as bits. */
static enum cor_status read_set(const struct cor_json *json, size_t agents, struct judge_columns *of,
                                size_t at, struct cor_error *error) {
    uint64_t bits = 0;
    of->unknown[at] = cor_json_is_null(json);
    if (of->unknown[at])
        return COR_OK;
    if (agents > SET_AGENTS_MAX)
        return cor_json_fail(json, error, "leave out attributes that are sets",
                             "sets of agents are of at most %u agents, and here are %zu", SET_AGENTS_MAX,
                             agents);
    COR_TRY(cor_json_expect_array(json, 0, SET_AGENTS_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        int64_t agent;
        COR_TRY(cor_json_integer(&item, 0, (int64_t)agents - 1, &agent, error));
        bits |= UINT64_C(1) << agent;
    }
    of->integers[at] = (int64_t)bits;
    return COR_OK;
}

/* {"17": "digest", ..}: what an agent tells of a channel. */
static enum cor_status read_told(const struct cor_json *json, uint32_t agent, uint32_t channel,
                                 struct cor_corridor *corridor, struct judge_state *state,
                                 struct cor_error *error) {
    COR_TRY(cor_json_expect_object(json, NULL, error));
    COR_JSON_CHILDREN(item, json) {
        const char *const key = item.key, *digest;
        char *end;
        uint32_t word;
        errno = 0;
        const unsigned long long index = strtoull(key, &end, 10);
        if (*key < '0' || *key > '9' || *end || errno != 0)
            return cor_json_fail(&item, error, "write {\"17\": \"digest\"}",
                                 "\"%.60s\" is no index of a channel", key);
        COR_TRY(cor_json_string(&item, &digest, error));
        COR_TRY(cor_words_intern(&corridor->words, digest, &word, error));
        COR_TRY(COR_RESERVE(&state->told, &state->told_capacity, state->told_count + 1, error));
        state->told[state->told_count++] = (struct cor_channel_entry){agent, channel, index, word};
    }
    return COR_OK;
}

/* Sets as collections. */
static enum cor_status make_sets(struct judge_state *state, size_t agents,
                                 const struct cor_corridor *corridor, struct cor_error *error) {
    const size_t sets = corridor->set_count;
    size_t count = 0, total = 0;
    for (uint32_t a = 0; a < corridor->attribute_count; a++)
        for (size_t e = 0; e < agents && corridor->attributes[a].is_set; e++)
            total += (size_t)__builtin_popcountll((uint64_t)state->of_agents.integers[a * agents + e]);
    state->sets = cor_calloc(sets, sizeof *state->sets);
    state->set_starts = cor_calloc(sets * (agents + 1), sizeof *state->set_starts);
    state->set_items = cor_calloc(total, sizeof *state->set_items);
    if (!state->sets || !state->set_starts || !state->set_items)
        return cor_fail_memory(error);
    for (uint32_t a = 0; a < corridor->attribute_count; a++) {
        const struct cor_quantity *attribute = &corridor->attributes[a];
        if (!attribute->is_set)
            continue;
        uint32_t *start = state->set_starts + attribute->set * (agents + 1);
        for (size_t e = 0; e < agents; e++) {
            start[e] = (uint32_t)count;
            for (uint64_t rest = (uint64_t)state->of_agents.integers[a * agents + e]; rest != 0;
                 rest &= rest - 1)
                state->set_items[count++] = (uint32_t)__builtin_ctzll(rest);
        }
        start[agents] = (uint32_t)count;
        state->sets[attribute->set] =
            (struct cor_memberships){start, state->set_items, state->of_agents.unknown + a * agents};
    }
    return COR_OK;
}

/* ---- agents and organizations */

static bool is_attribute(const struct cor_corridor *corridor, const char *name) {
    bool is_known = false;
    for (uint32_t c = 0; c < corridor->attribute_count; c++)
        is_known = is_known || strcmp(corridor->attributes[c].name, name) == 0;
    return is_known;
}

/* The columns of the agents; attributes that the corridor does not declare are passed over. */
static enum cor_status read_agents(struct judge_state *state, const struct cor_json *agents,
                                   struct cor_corridor *corridor, struct cor_error *error) {
    const size_t count = cor_json_size(agents);
    COR_TRY(make_columns(&state->of_agents, corridor->attribute_count, count, error));
    for (size_t a = 0; a < count; a++) {
        const struct cor_json agent = cor_json_at(agents, a);
        COR_TRY(cor_json_expect_object(&agent, NULL, error));
        for (size_t c = 0; c < corridor->attribute_count; c++) {
            const struct cor_quantity *quantity = &corridor->attributes[c];
            struct cor_json child;
            if ((corridor->kind == COR_STRUCTURE_OBSERVED && !quantity->at && c != corridor->up) ||
                !cor_json_find(&agent, quantity->name, &child))
                continue;
            COR_TRY(quantity->is_set
                        ? read_set(&child, count, &state->of_agents, c * count + a, error)
                        : read_cell(&child, quantity, corridor, &state->of_agents, c * count + a, error));
        }
        if (corridor->kind == COR_STRUCTURE_OBSERVED) {
            /* "channels" of an agent; those that the corridor does not know are passed over, as attributes
             * are. */
            struct cor_json channels, child;
            if (cor_json_find(&agent, "channels", &channels)) {
                COR_TRY(cor_json_expect_object(&channels, NULL, error));
                for (uint32_t c = 0; c < corridor->channel_count; c++)
                    if (cor_json_find(&channels, corridor->channels[c].name, &child))
                        COR_TRY(read_told(&child, (uint32_t)a, c, corridor, state, error));
            }
        }
    }
    return make_sets(state, count, corridor, error);
}

/* An attribute that no agent has, where the first agent has something called nearly so: a slip, perhaps. */
static void note_slip(const struct cor_json *agents, const struct cor_corridor *corridor, char *note,
                      size_t size) {
    const struct cor_json first = cor_json_size(agents) > 0 ? cor_json_at(agents, 0) : *agents;
    for (uint32_t c = 0; cor_json_is_object(&first) && c < corridor->attribute_count; c++) {
        const char *const name[] = {corridor->attributes[c].name, NULL};
        struct cor_json child;
        bool is_there = !corridor->attributes[c].at; /* as if: the text does not declare it */
        for (size_t a = 0; a < cor_json_size(agents) && !is_there; a++) {
            const struct cor_json agent = cor_json_at(agents, a);
            is_there = cor_json_find(&agent, name[0], &child);
        }
        for (size_t m = 0; !is_there && m < cor_json_size(&first) && note[0] == '\0'; m++) {
            const struct cor_json member = cor_json_at(&first, m);
            if (!is_attribute(corridor, member.key) && cor_did_you_mean(member.key, name))
                snprintf(note, size, "no agent has \"%.80s\", and agent 0 has \"%.80s\": did you mean that?",
                         name[0], member.key);
        }
    }
}

/* A state says more than one text reads. The first attribute and the first parameter that this one does not
 * declare: both are passed over, and nearly the name of one that is declared and not there is a slip. */
static void note_undeclared(const struct cor_json *json, const struct cor_json *agents,
                            const struct cor_corridor *corridor, char *note, size_t size) {
    const char *attribute = NULL, *parameter = NULL;
    struct cor_json parameters, child;
    note_slip(agents, corridor, note, size);
    for (size_t a = 0; a < cor_json_size(agents) && !attribute; a++) {
        const struct cor_json agent = cor_json_at(agents, a);
        for (size_t m = 0; m < cor_json_size(&agent) && !attribute; m++) {
            const char *const key = cor_json_at(&agent, m).key;
            const bool is_channels = corridor->kind == COR_STRUCTURE_OBSERVED && strcmp(key, "channels") == 0;
            attribute = is_attribute(corridor, key) || is_channels ? NULL : key;
        }
    }
    const bool has_parameters =
        cor_json_find(json, "parameters", &parameters) && cor_json_is_object(&parameters);
    const size_t count = has_parameters ? cor_json_size(&parameters) : 0;
    for (size_t m = 0; m < count && note[0] == '\0'; m++) {
        const char *const key = cor_json_at(&parameters, m).key;
        bool is_declared = false;
        for (uint32_t p = 0; p < corridor->parameter_count; p++)
            is_declared = is_declared || strcmp(corridor->parameters[p].name, key) == 0;
        for (uint32_t p = 0; p < corridor->parameter_count && !is_declared; p++) {
            const char *const name[] = {corridor->parameters[p].name, NULL};
            if (!cor_json_find(&parameters, name[0], &child) && cor_did_you_mean(key, name))
                snprintf(note, size,
                         "no parameter is called \"%.80s\", and one \"%.80s\": did you mean that?", name[0],
                         key);
        }
        if (!is_declared && !parameter)
            parameter = key;
    }
    if (note[0] == '\0' && (attribute || parameter))
        snprintf(note, size, "passed over, as the corridor does not declare it: %s%.80s%s%s%.80s",
                 attribute ? "attribute " : "", attribute ? attribute : "",
                 attribute && parameter ? ", " : "", parameter ? "parameter " : "",
                 parameter ? parameter : "");
}

/* Those of the organizations, an array each; likewise. */
static enum cor_status read_organization_attributes(struct judge_state *state, const struct cor_json *json,
                                                    struct cor_corridor *corridor, struct cor_error *error) {
    const size_t count = state->organizations.block_count;
    struct cor_json all, column;
    COR_TRY(make_columns(&state->of_organizations, corridor->organization_attribute_count, count, error));
    if (!cor_json_find(json, "organization_attributes", &all))
        return COR_OK;
    COR_TRY(cor_json_expect_object(&all, NULL, error));
    for (size_t c = 0; c < corridor->organization_attribute_count; c++) {
        const struct cor_quantity *quantity = &corridor->organization_attributes[c];
        if (!cor_json_find(&all, quantity->name, &column))
            continue;
        COR_TRY(cor_json_expect_array(&column, count, count, error));
        for (size_t o = 0; o < count; o++) {
            const struct cor_json item = cor_json_at(&column, o);
            COR_TRY(read_cell(&item, quantity, corridor, &state->of_organizations, c * count + o, error));
        }
    }
    return COR_OK;
}

static enum cor_status read_parents(struct judge_state *state, const struct cor_json *json,
                                    const struct cor_corridor *corridor, struct cor_error *error) {
    const uint32_t count = state->organizations.block_count;
    struct cor_json parents;
    if (!cor_structure_nests(corridor->kind)) {
        if (!cor_json_find(json, "parents", &parents) || cor_json_is_null(&parents))
            return COR_OK;
        return cor_json_fail(&parents, error, "leave them out, or write structure hierarchy in the corridor",
                             "the organizations of a %s have no parents",
                             cor_structure_words[corridor->kind]);
    }
    COR_TRY(cor_json_need(json, "parents", &parents, error));
    COR_TRY(cor_json_expect_array(&parents, count, count, error));
    COR_TRY(cor_made(state->parents = cor_calloc(count, sizeof *state->parents), error));
    COR_JSON_CHILDREN(item, &parents) {
        int64_t parent = COR_NOBODY;
        if (!cor_json_is_null(&item))
            COR_TRY(cor_json_integer(&item, 0, UINT32_MAX - 1, &parent, error));
        state->parents[item.index] = (uint32_t)parent;
    }
    return COR_OK;
}

static enum cor_status read_parameters(struct judge_state *state, const struct cor_json *json,
                                       struct cor_corridor *corridor, struct cor_error *error) {
    const uint32_t count = corridor->parameter_count;
    struct cor_json parameters, child;
    COR_TRY(cor_made(state->parameters = cor_calloc(count, sizeof *state->parameters), error));
    if (!cor_json_find(json, "parameters", &parameters))
        return COR_OK;
    COR_TRY(cor_json_expect_object(&parameters, NULL, error));
    for (uint32_t p = 0; p < count; p++)
        if (cor_json_find(&parameters, corridor->parameters[p].name, &child))
            COR_TRY(read_value(&child, &corridor->parameters[p], corridor, &state->parameters[p], error));
    return COR_OK;
}

static enum cor_status expect_kind(const struct cor_json *json, const struct cor_corridor *corridor,
                                   struct cor_error *error) {
    const char *meant = cor_structure_words[corridor->kind], *word;
    char remedy[256];
    struct cor_json kind;
    if (!cor_json_find(json, "kind", &kind))
        return COR_OK;
    COR_TRY(cor_json_string(&kind, &word, error));
    for (size_t i = 0; cor_structure_words[i]; i++)
        if (strcmp(cor_structure_words[i], word) == 0) {
            const bool is_observed = i == COR_STRUCTURE_OBSERVED || corridor->kind == COR_STRUCTURE_OBSERVED;
            if (strcmp(meant, word) == 0)
                return COR_OK;
            return is_observed ? cor_json_fail(&kind, error, NULL,
                                               "the kind of the state is \"%s\", that of the corridor \"%s\"",
                                               word, meant)
                               : cor_json_fail(&kind, error, NULL,
                                               "the state is a %s, the corridor is of a %s", word, meant);
        }
    cor_known_names(word, cor_structure_words, remedy, sizeof remedy);
    return cor_json_fail(&kind, error, remedy, "unknown kind of structure \"%.200s\"", word);
}

enum cor_status judge_states_at(struct judge_states *states, size_t index, struct cor_corridor *corridor,
                                struct cor_snapshot *state, struct cor_error *error) {
    static const char *const keys[] = {
        "kind", "agents", "organizations", "organization_attributes", "parents", "parameters", NULL};
    static const char *const keys_observed[] = {"kind", "agents", "stable", "parameters", NULL};
    const bool is_observed = corridor->kind == COR_STRUCTURE_OBSERVED;
    const struct cor_json root = cor_json_root(states->documents[states->is_array ? 0 : index]);
    const struct cor_json json = states->is_array ? cor_json_at(&root, index) : root;
    struct judge_state *made = &states->kept[index % 2];
    struct cor_json agents, organizations;
    free_state(made);
    COR_TRY(cor_json_expect_kind(&json, COR_KIND_STATE, error));
    COR_TRY(cor_json_expect_object(&json, is_observed ? keys_observed : keys, error));
    COR_TRY(expect_kind(&json, corridor, error));
    COR_TRY(cor_json_need(&json, "agents", &agents, error));
    COR_TRY(cor_json_expect_array(&agents, 0, UINT32_MAX - 2, error));
    if (!is_observed)
        COR_TRY(cor_json_need(&json, "organizations", &organizations, error));
    COR_TRY(read_agents(made, &agents, corridor, error));
    if (states->note[0] == '\0')
        note_undeclared(&json, &agents, corridor, states->note, sizeof states->note);
    if (is_observed) {
        struct cor_json child;
        bool is_stable;
        states->stable = COR_TRUTH_UNKNOWN;
        if (cor_json_find(&json, "stable", &child) && !cor_json_is_null(&child)) {
            COR_TRY(cor_json_bool(&child, &is_stable, error));
            states->stable = is_stable ? COR_TRUTH_TRUE : COR_TRUTH_FALSE;
        }
    } else {
        cor_lists_clear(&made->organizations);
        COR_TRY(cor_json_expect_array(&organizations, 0, UINT32_MAX - 2, error));
        COR_JSON_CHILDREN(list, &organizations) {
            COR_TRY(cor_json_expect_array(&list, 0, UINT32_MAX - 2, error));
            const size_t size = cor_json_size(&list);
            COR_TRY(COR_RESERVE(&states->members, &states->member_capacity, size + 1, error));
            for (size_t i = 0; i < size; i++) {
                const struct cor_json item = cor_json_at(&list, i);
                int64_t member;
                COR_TRY(cor_json_integer(&item, 0, UINT32_MAX - 1, &member, error));
                states->members[i] = (uint32_t)member;
            }
            COR_TRY(cor_lists_put(&made->organizations, states->members, size, error));
        }
        COR_TRY(read_organization_attributes(made, &json, corridor, error));
        COR_TRY(read_parents(made, &json, corridor, error));
    }
    COR_TRY(read_parameters(made, &json, corridor, error));
    made->snapshot =
        (struct cor_snapshot){.agent_count = (uint32_t)cor_json_size(&agents),
                              .organizations = &made->organizations,
                              .parents = made->parents,
                              .columns = made->of_agents.columns,
                              .parameters = made->parameters,
                              .organization_columns = made->of_organizations.columns,
                              .before = index > 0 ? &states->kept[(index - 1) % 2].snapshot : NULL,
                              .sets = made->sets,
                              .told = made->told,
                              .told_count = made->told_count};
    *state = made->snapshot;
    return COR_OK;
}
