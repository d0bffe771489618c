/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a choice is worth to a policy that learns. In all of them 1 when the goal is solved. A new state: 1
 * for each that was not known. A condition: by how much nearer to it the choice led, as a difference of
 * potentials (Ng, Harada, Russell 1999, theorem 1), which leaves the best policy the best one. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/conversation.h>
#include <corridor/hash.h>
#include <corridor/json_names.h>
#include <corridor/trouble.h>
#include <corridor/world.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What is known of an action in a state. */
struct system_layer__value {
    uint64_t state;
    uint32_t action; /* a word of the table: the command as text */
    uint64_t count;  /* times it was picked, or learnt from */
    double value;
};

/* States and actions with their values. Begins as zeros. */
struct system_layer__table {
    struct cor_words actions;
    struct system_layer__value *values; /* owned; in the order in which they came */
    size_t count, capacity;
    uint32_t *slots; /* owned; hash table of 1 + index */
    size_t slot_count;
};

/* What a policy that learns is paid for its choices. Begins as zeros: 1 when the goal is solved. */
struct system_layer__reward {
    enum {
        SYSTEM_LAYER__SOLVED,    /* nothing else */
        SYSTEM_LAYER__NEW_STATE, /* and 1 for a state that is not in `known` */
        SYSTEM_LAYER__NEARER     /* and by how much nearer the condition is */
    } kind;
    struct cor_expression condition;  /* owned */
    struct system_layer__table known; /* states, of "" */
    double paid;                      /* nearness that was paid for already, */
    bool has_paid;                    /* in this run */
};

/* Numbers of learning by Q (Watkins 1989), all from 0 to 1, and what it learns from. */
struct system_layer__learning {
    double rate;        /* of what is new against what is known */
    double discount;    /* of what comes a pick later */
    double explore;     /* share of picks at random */
    char *reward;       /* owned; as the file says it; NULL: "solved" */
    char *reward_place; /* owned; where it stands */
};

/* ---- A table of values by state and action, in memory and as JSON:
 *
 *   {"policy": "q", "version": 1, "rate": 0.1, "discount": 0.95, "explore": 0, "reward": "new state",
 *    "by": ["t"], "values": [["0x0123456789abcdef", "press b1", 0.5, 12], ..]}
 *
 * A value is a state, an action, what it is worth, and how often that was learnt */

#define BY_MOST 64
#define VALUES_MOST 4000000
#define VALUE_MOST 1e15
#define PLACE 512

static void table_fini(struct system_layer__table *table) {
    cor_words_fini(&table->actions);
    COR_FREE(table->values, table->slots);
    *table = (struct system_layer__table){0};
}

static void table_clear(struct system_layer__table *table) {
    table->count = 0;
    if (table->slot_count > 0)
        memset(table->slots, 0, table->slot_count * sizeof *table->slots);
}

static size_t slot_of(const struct system_layer__table *table, uint64_t state, uint32_t action) {
    size_t at = (size_t)cor_hash_word(cor_hash_word(COR_HASH_SEED, state), action) & (table->slot_count - 1);
    while (table->slots[at] > 0 && (table->values[table->slots[at] - 1].state != state ||
                                    table->values[table->slots[at] - 1].action != action))
        at = (at + 1) & (table->slot_count - 1);
    return at;
}

static enum cor_status grow_slots(struct system_layer__table *table, struct cor_error *error) {
    const size_t count = table->slot_count > 0 ? 2 * table->slot_count : 64;
    uint32_t *slots = cor_calloc(count, sizeof *slots);
    COR_TRY(cor_made(slots, error));
    free(table->slots);
    table->slots = slots;
    table->slot_count = count;
    for (uint32_t v = 0; v < table->count; v++)
        table->slots[slot_of(table, table->values[v].state, table->values[v].action)] = v + 1;
    return COR_OK;
}

/* The action of that text in the state, made if there is none; the index. */
static enum cor_status table_at(struct system_layer__table *table, uint64_t state, const char *action,
                                uint32_t *index, struct cor_error *error) {
    uint32_t word;
    COR_TRY(cor_words_intern(&table->actions, action, &word, error));
    if (2 * (table->count + 1) > table->slot_count)
        COR_TRY(grow_slots(table, error));
    const size_t slot = slot_of(table, state, word);
    if (table->slots[slot] == 0) {
        COR_TRY(COR_RESERVE(&table->values, &table->capacity, table->count + 1, error));
        table->values[table->count++] = (struct system_layer__value){state, word, 0, 0};
        table->slots[slot] = (uint32_t)table->count;
    }
    *index = table->slots[slot] - 1;
    return COR_OK;
}

/* ---- what a choice is worth */

static const char *const reward_words[] = {"solved", "new state", NULL};

/* Letters and gaps alone: somebody meant one of the words. */
static bool looks_like_word(const char *text) {
    for (; *text; text++)
        if (!isalpha((unsigned char)*text) && *text != ' ' && *text != '_')
            return false;
    return true;
}

static bool names_something(const struct cor_expression *expression) {
    for (uint32_t n = 0; n < expression->node_count; n++)
        if (expression->nodes[n].operator== COR_OPERATOR_VARIABLE || expression->nodes[n].operator>=
            COR_OPERATOR_BIND)
            return true;
    return false;
}

/* As the file says it; NULL: "solved". `place`: where it stands. COR_STATUS_INPUT: neither a word nor a
 * condition of the scope, or one that no choice can change. `reward` is to be freed after an error, too. */
static enum cor_status reward_init(struct system_layer__reward *reward, const char *text, const char *place,
                                   const struct cor_scope *scope, struct cor_error *error) {
    *reward = (struct system_layer__reward){.kind = SYSTEM_LAYER__SOLVED};
    if (!text || strcmp(text, reward_words[0]) == 0)
        return COR_OK;
    if (strcmp(text, reward_words[1]) == 0) {
        reward->kind = SYSTEM_LAYER__NEW_STATE;
        return COR_OK;
    }
    char known[300];
    struct cor_error said = COR_NO_ERROR;
    const uint32_t own = cor_scope_find(scope, "reward");
    const enum cor_status status =
        cor_expression_parse_condition(text, scope, place, &reward->condition, &said);
    if (status == COR_STATUS_INPUT && looks_like_word(text)) {
        cor_known_names(text, reward_words, known, sizeof known);
        strncat(known, ", or a condition", sizeof known - strlen(known) - 1);
        return cor_fail(error, COR_STATUS_INPUT, place, known,
                        "there is no reward \"%.200s\", and no condition is written so", text);
    }
    if (status != COR_OK)
        return cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
    reward->kind = SYSTEM_LAYER__NEARER;
    if (own != COR_NONE && cor_expression_reads(&reward->condition, own))
        return cor_fail(error, COR_STATUS_INPUT, place, "name what the world shows",
                        "a reward cannot depend on \"reward\"");
    if (!names_something(&reward->condition))
        return cor_fail(error, COR_STATUS_INPUT, place, "name what the world shows",
                        "the condition names nothing that a choice could change");
    return COR_OK;
}

/* Whether the state was not known; it is from now on. */
static enum cor_status note_state(struct system_layer__reward *reward, uint64_t state, bool *is_new,
                                  struct cor_error *error) {
    const size_t before = reward->known.count;
    uint32_t index;
    COR_TRY(table_at(&reward->known, state, "", &index, error));
    *is_new = reward->known.count > before;
    return COR_OK;
}

/* From 0 to 1, where it holds; 0 where it is unknown. */
static double nearness(const struct system_layer__reward *reward, const struct cor_beliefs *beliefs) {
    const uint64_t degree =
        cor_expression_degree_in(&reward->condition, cor_beliefs_values(beliefs), cor_beliefs_world(beliefs));
    return degree == COR_DEGREE_INFINITE ? 0 : 1 / (1 + (double)degree);
}

/* ---- JSON */

/* The list "by" of identities; *by is owned by the caller, also after an error. */
static enum cor_status read_learnt(const struct cor_json *json, char ***by, uint32_t *by_count,
                                   struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, BY_MOST, error));
    char **list = cor_calloc(cor_json_size(json), sizeof *list);
    COR_TRY(cor_made((void *)list, error));
    *by = list;
    COR_JSON_CHILDREN(item, json) {
        const char *text;
        COR_TRY(cor_json_string(&item, &text, error));
        COR_TRY(cor_made(list[item.index] = cor_strdup(text), error));
        *by_count = (uint32_t)item.index + 1;
    }
    return COR_OK;
}

static enum cor_status read_share(const struct cor_json *json, const char *key, double *share,
                                  struct cor_error *error) {
    struct cor_json member;
    return cor_json_find(json, key, &member) ? cor_json_real(&member, 0, 1, share, error) : COR_OK;
}

static void learning_fini(struct system_layer__learning *learning) {
    COR_FREE(learning->reward, learning->reward_place);
    learning->reward = learning->reward_place = NULL;
}

/* The key "reward" of what is read, if it is there; what was said before is replaced. */
static enum cor_status read_reward(const struct cor_json *json, struct system_layer__learning *learning,
                                   struct cor_error *error) {
    struct cor_json member;
    const char *text;
    char place[PLACE];
    if (!cor_json_find(json, "reward", &member))
        return COR_OK;
    COR_TRY(cor_json_string(&member, &text, error));
    cor_json_place(&member, place, sizeof place);
    learning_fini(learning);
    learning->reward = cor_strdup(text);
    learning->reward_place = cor_strdup(place);
    return learning->reward && learning->reward_place ? COR_OK : cor_fail_memory(error);
}

static enum cor_status read_settings(const struct cor_json *json, struct system_layer__learning *learning,
                                     char ***by, uint32_t *by_count, struct cor_error *error) {
    struct cor_json member;
    COR_TRY(read_share(json, "rate", &learning->rate, error));
    COR_TRY(read_share(json, "discount", &learning->discount, error));
    COR_TRY(read_share(json, "explore", &learning->explore, error));
    COR_TRY(read_reward(json, learning, error));
    if (!cor_json_find(json, "by", &member))
        return COR_OK;
    if (*by)
        return cor_json_fail(&member, error, "leave it out",
                             "the table says already what states are told by");
    return read_learnt(&member, by, by_count, error);
}

static enum cor_status read_table(const struct cor_json *root, struct system_layer__learning *learning,
                                  struct system_layer__table *table, char ***by, uint32_t *by_count,
                                  struct cor_error *error) {
    static const char *const keys[] = {"policy", "version", "rate",   "discount", "explore",
                                       "reward", "by",      "values", NULL};
    struct cor_json member;
    const char *policy;
    int64_t version;
    COR_TRY(cor_json_expect_object(root, keys, error));
    COR_TRY(cor_json_need(root, "policy", &member, error));
    COR_TRY(cor_json_string(&member, &policy, error));
    if (strcmp(policy, "q") != 0)
        return cor_json_fail(&member, error, "a table that corridor system train wrote",
                             "is \"%.100s\", and a table of learnt values is \"q\"", policy);
    COR_TRY(cor_json_need(root, "version", &member, error));
    COR_TRY(cor_json_integer(&member, 0, INT64_MAX, &version, error));
    if (version != 1)
        return cor_json_fail(&member, error, "a table that this corridor's system train wrote",
                             "is version %lld, and 1 is read", (long long)version);
    COR_TRY(read_settings(root, learning, by, by_count, error));
    COR_TRY(cor_json_need(root, "values", &member, error));
    COR_TRY(cor_json_expect_array(&member, 0, VALUES_MOST, error));
    COR_JSON_CHILDREN(item, &member) {
        COR_TRY(cor_json_expect_array(&item, 4, 4, error));
        const struct cor_json state = cor_json_at(&item, 0), action = cor_json_at(&item, 1);
        const struct cor_json value = cor_json_at(&item, 2), count = cor_json_at(&item, 3);
        uint64_t number = 0;
        int64_t times = 0;
        double worth = 0;
        const char *text;
        const size_t before = table->count;
        uint32_t index;
        COR_TRY(cor_json_word(&state, &number, error));
        COR_TRY(cor_json_string(&action, &text, error));
        COR_TRY(cor_json_real(&value, -VALUE_MOST, VALUE_MOST, &worth, error));
        COR_TRY(cor_json_integer(&count, 0, INT64_MAX, &times, error));
        COR_TRY(table_at(table, number, text, &index, error));
        if (table->count == before)
            return cor_json_fail(&item, error, "each action of a state stands in the table once",
                                 "action \"%.200s\" of this state stands there already", text);
        table->values[index].value = worth;
        table->values[index].count = (uint64_t)times;
    }
    return COR_OK;
}

/* The table itself: a file, or the object that stands in it. */
static enum cor_status q_read_table(const struct cor_json *json, struct system_layer__learning *learning,
                                    struct system_layer__table *table, char ***by, uint32_t *by_count,
                                    struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    if (cor_json_is_object(json))
        return read_table(json, learning, table, by, by_count, error);
    enum cor_status status = cor_json_read_named(json, &document, error);
    if (status == COR_OK) {
        const struct cor_json root = cor_json_root(document);
        status = read_table(&root, learning, table, by, by_count, error);
    }
    return status;
}

/* Reads a table, or the settings of one: "rate", "discount", "explore", "reward", "by", "table". `by` gets
 * the list, if there is one. */
static enum cor_status q_read(const struct cor_json *json, struct system_layer__learning *learning,
                              struct system_layer__table *table, char ***by, uint32_t *by_count,
                              struct cor_error *error) {
    static const char *const keys[] = {"rate", "discount", "explore", "reward", "by", "table", NULL};
    struct cor_json member;
    COR_TRY(cor_json_expect_object(json, keys, error));
    if (cor_json_find(json, "table", &member))
        COR_TRY(q_read_table(&member, learning, table, by, by_count, error));
    return read_settings(json, learning, by, by_count, error);
}

/* By state, then by action. */
struct line {
    const struct system_layer__value *value;
    const char *action;
};

static int compare_lines(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    if (x->value->state != y->value->state)
        return x->value->state < y->value->state ? -1 : 1;
    return strcmp(x->action, y->action);
}

/* ---- how a test agent chooses among the actions that a tactic offers. What a program is asked and answers:
 *
 *   > {"id":1,"hello":{"protocol":1,"world":"rooms"}}
 *   < {"id":1,"policy":"mine","version":"1"}
 *   > {"id":2,"pick":{"first":true,"draw":"0x..","cycle":1,"state":"0x..","reward":0,
 *                     "among":["press b1","move east"]}}
 *   < {"id":2,"picked":1}
 *
 * "draw" comes with the first pick of a run, and of a process: chance that hangs on it alone repeats */

#define LINE_MOST ((size_t)1 << 20)
#define ANSWER_SECONDS 10.
#define MEMORY_BYTES (UINT64_C(2) << 30)
#define PROTOCOL 1

enum kind { IN_ORDER, RANDOM, LEAST_DONE, Q, PROGRAM };

struct cor_policy {
    enum kind kind;
    const struct cor_world_declaration *declaration; /* borrowed */
    struct system_layer__table table;
    struct system_layer__learning learning;
    struct system_layer__reward gain;
    struct system_layer__value *given; /* owned; values that it was made with, of a policy that learns */
    size_t given_count;
    char **by; /* owned; identities that tell states apart */
    uint32_t by_count;
    struct cor_bytes text; /* of a command */
    uint32_t *candidates;  /* owned; values of the commands that are offered */
    size_t candidate_capacity;
    bool learns;
    bool has_pick, has_reward; /* something was picked; and what came of it was said */
    uint32_t picked;           /* its value */
    double reward;             /* since then */
    bool is_paid;              /* it is told a reward */
    bool is_first;             /* of a run */
    bool talks;                /* `talk` is to be ended */
    struct cor_conversation talk;
    char words[512];
};

/* ---- what a policy is told by */

static enum cor_status read_table_policies(const struct cor_json *json, struct cor_policy *policy,
                                           struct cor_error *error) {
    policy->kind = Q;
    COR_TRY(q_read_table(json, &policy->learning, &policy->table, &policy->by, &policy->by_count, error));
    policy->learning.explore = 0;
    return COR_OK;
}

static enum cor_status read_word(const struct cor_json *json, struct cor_policy *policy,
                                 struct cor_error *error) {
    static const char *const words[] = {"in order", "random", "least_done", NULL};
    const char *text;
    char known[300];
    COR_TRY(cor_json_string(json, &text, error));
    for (int w = 0; words[w]; w++)
        if (strcmp(text, words[w]) == 0) {
            policy->kind = w == 0 ? IN_ORDER : w == 1 ? RANDOM : LEAST_DONE;
            return COR_OK;
        }
    if (!strchr(text, '.') && !strchr(text, '/')) {
        cor_known_names(text, words, known, sizeof known);
        return cor_json_fail(json, error, known, "there is no policy \"%.200s\"", text);
    }
    return read_table_policies(json, policy, error);
}

static enum cor_status read_object(const struct cor_json *json, const struct cor_policy_setting *setting,
                                   struct cor_policy *policy, struct cor_error *error) {
    static const char *const keys[] = {"least_done", "q", "program", "answer_seconds", "reward", NULL};
    static const char *const least_keys[] = {"by", NULL};
    struct cor_json member, by;
    if (cor_json_find(json, "policy", &member))
        return read_table_policies(json, policy, error);
    COR_TRY(cor_json_expect_object(json, keys, error));
    const bool asks = cor_json_find(json, "program", &member);
    const size_t beside =
        (size_t)cor_json_find(json, "answer_seconds", &member) + cor_json_find(json, "reward", &member);
    if (cor_json_size(json) != 1 + beside || (!asks && beside > 0))
        return cor_json_fail(json, error,
                             "{\"least_done\": ..}, {\"q\": ..}, or {\"program\": ..} with "
                             "\"answer_seconds\" and \"reward\"; of q the reward stands in {\"q\": {..}}",
                             "a policy has one kind");
    if (asks) {
        struct cor_json program, seconds;
        const char *command;
        double answer_seconds = ANSWER_SECONDS;
        COR_TRY(cor_json_need(json, "program", &program, error));
        COR_TRY(cor_json_string(&program, &command, error));
        if (!command[0] || !cor_is_printable(command))
            return cor_json_fail(&program, error, "one line for sh", "this is no command");
        if (cor_json_find(json, "answer_seconds", &seconds))
            COR_TRY(cor_json_real(&seconds, .001, 86400, &answer_seconds, error));
        const struct cor_lines_definition lines =
            cor_lines_guest(command, LINE_MOST, setting && setting->is_free, setting && setting->is_full,
                            MEMORY_BYTES, setting ? setting->traffic : NULL);
        COR_TRY(read_reward(json, &policy->learning, error));
        policy->kind = PROGRAM;
        policy->learning.discount = 1; /* it has its own */
        policy->talks = policy->is_paid = true;
        COR_TRY(cor_conversation_init(&policy->talk, &lines, answer_seconds, error));
        return cor_lines_check(&policy->talk.lines, error);
    }
    member = cor_json_at(json, 0);
    if (strcmp(member.key, "q") == 0) {
        policy->kind = Q;
        policy->learns = policy->is_paid = true;
        policy->learning.explore = .1;
        COR_TRY(q_read(&member, &policy->learning, &policy->table, &policy->by, &policy->by_count, error));
        policy->given_count = policy->table.count;
        COR_TRY(cor_made(policy->given = cor_calloc(policy->given_count, sizeof *policy->given), error));
        if (policy->given_count > 0)
            memcpy(policy->given, policy->table.values, policy->given_count * sizeof *policy->given);
        return COR_OK;
    }
    policy->kind = LEAST_DONE;
    COR_TRY(cor_json_expect_object(&member, least_keys, error));
    return cor_json_find(&member, "by", &by) ? read_learnt(&by, &policy->by, &policy->by_count, error)
                                             : COR_OK;
}

enum cor_status cor_policy_create(const struct cor_world_declaration *declaration,
                                  const struct cor_scope *scope, const struct cor_json *json,
                                  const struct cor_policy_setting *setting, struct cor_policy **made,
                                  struct cor_error *error) {
    COR_DESTROYED(cor_policy) struct cor_policy *policy = cor_calloc(1, sizeof *policy);
    *made = NULL;
    COR_TRY(cor_made(policy, error));
    policy->declaration = declaration;
    policy->learning = (struct system_layer__learning){.rate = .1, .discount = .95};
    policy->is_first = true;
    if (json)
        COR_TRY(cor_json_is_object(json) ? read_object(json, setting, policy, error)
                                         : read_word(json, policy, error));
    if (policy->is_paid)
        COR_TRY(
            reward_init(&policy->gain, policy->learning.reward, policy->learning.reward_place, scope, error));
    COR_TRY(cor_policy_forget(policy, error));
    *made = cor_taken(&policy);
    return COR_OK;
}

void cor_policy_destroy(struct cor_policy *policy) {
    if (!policy)
        return;
    if (policy->talks) {
        cor_conversation_part(&policy->talk);
        cor_conversation_fini(&policy->talk);
    }
    for (uint32_t i = 0; i < policy->by_count; i++)
        free(policy->by[i]);
    COR_FREE((void *)policy->by, policy->candidates, policy->given);
    cor_bytes_fini(&policy->text);
    table_fini(&policy->table);
    struct system_layer__reward *reward = &policy->gain;
    cor_expression_fini(&reward->condition);
    table_fini(&reward->known);
    *reward = (struct system_layer__reward){0};
    learning_fini(&policy->learning);
    free(policy);
}

enum cor_status cor_policy_forget(struct cor_policy *policy, struct cor_error *error) {
    /* Only the states of these values are known. */
    const struct system_layer__value *values = policy->given;
    const size_t count = policy->given_count;
    bool is_new;
    table_clear(&policy->gain.known);
    for (size_t v = 0; policy->gain.kind == SYSTEM_LAYER__NEW_STATE && v < count; v++)
        COR_TRY(note_state(&policy->gain, values[v].state, &is_new, error));
    if (!policy->learns)
        return COR_OK;
    /* It has these values and no others, by words that it has. */
    struct system_layer__table *table = &policy->table;
    table_clear(table);
    COR_TRY(COR_RESERVE(&table->values, &table->capacity, count, error));
    for (size_t v = 0; v < count; v++) {
        if (2 * (table->count + 1) > table->slot_count)
            COR_TRY(grow_slots(table, error));
        table->slots[slot_of(table, values[v].state, values[v].action)] = (uint32_t)v + 1;
        table->values[table->count++] = values[v];
    }
    return COR_OK;
}

void cor_policy_restart(struct cor_policy *policy) {
    if (policy->kind == LEAST_DONE)
        table_clear(&policy->table);
    policy->has_pick = policy->has_reward = false;
    policy->reward = 0;
    policy->gain.has_paid = false;
    policy->is_first = true;
}

const char *cor_policy_words(const struct cor_policy *policy) {
    return policy->words;
}

/* ---- states and commands */

static uint64_t hash_value(uint64_t hash, struct cor_value value, const struct cor_words *words) {
    hash = cor_hash_word(hash, value.kind);
    if (value.kind == COR_VALUE_INTEGER)
        return cor_hash_word(hash, (uint64_t)value.as.integer);
    if (value.kind == COR_VALUE_REAL)
        return cor_hash_bytes(hash, &value.as.real, sizeof value.as.real);
    if (value.kind == COR_VALUE_WORD) {
        const char *text = cor_words_text(words, value.as.word);
        return cor_hash_bytes(hash, text, strlen(text));
    }
    return hash;
}

static uint64_t state_of(const struct cor_policy *policy, const struct cor_beliefs *beliefs) {
    const struct cor_world_declaration *declaration = policy->declaration;
    uint64_t state = cor_beliefs_abstract_state(beliefs);
    for (uint32_t i = 0; i < policy->by_count; i++) {
        struct cor_believed entity;
        const uint32_t identity = cor_words_find(declaration->words, policy->by[i]);
        state = cor_hash_word(state, i);
        if (identity == COR_NONE || !cor_beliefs_find(beliefs, identity, &entity))
            continue;
        for (uint32_t p = 0; p < declaration->types[entity.type].property_count; p++)
            state = hash_value(state, cor_beliefs_value(beliefs, entity.type, entity.element, p),
                               declaration->words);
    }
    return state;
}

void system_layer__print_command(struct cor_bytes *text, const struct cor_world_declaration *declaration,
                                 const struct cor_world_command *command) {
    const struct cor_action *action = &declaration->actions[command->action];
    char value[512];
    cor_bytes_print(text, "%s", action->name);
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        const struct cor_value argument = command->arguments[p];
        const struct cor_domain *domain = action->parameters[p].domain;
        if (argument.kind == COR_VALUE_WORD && (!domain || domain->type == COR_VALUE_TYPE_ENUMERATION)) {
            cor_bytes_print(text, " %s", cor_words_text(declaration->words, argument.as.word));
            continue;
        }
        cor_value_text(argument, domain, declaration->words, value, sizeof value);
        cor_bytes_print(text, " %s", value);
    }
}

/* The command as policies name it, into policy->text. */
static enum cor_status write_command(struct cor_policy *policy, const struct cor_world_command *command,
                                     struct cor_error *error) {
    cor_bytes_clear(&policy->text);
    system_layer__print_command(&policy->text, policy->declaration, command);
    return policy->text.status == COR_OK ? COR_OK : cor_fail_memory(error);
}

/* The values of all commands that are offered. */
static enum cor_status find_candidates(struct cor_policy *policy, const struct cor_beliefs *beliefs,
                                       const struct cor_world_command *commands, uint32_t count,
                                       struct cor_error *error) {
    const uint64_t state = state_of(policy, beliefs);
    COR_TRY(COR_RESERVE(&policy->candidates, &policy->candidate_capacity, count, error));
    for (uint32_t c = 0; c < count; c++) {
        COR_TRY(write_command(policy, &commands[c], error));
        COR_TRY(
            table_at(&policy->table, state, cor_bytes_text(&policy->text), &policy->candidates[c], error));
    }
    return COR_OK;
}

/* ---- picks */

static uint32_t pick_least_done(struct cor_policy *policy, uint32_t count, struct cor_rng *rng) {
    const struct system_layer__value *values = policy->table.values;
    uint64_t least = UINT64_MAX;
    uint32_t ties = 0, picked = 0;
    for (uint32_t c = 0; c < count; c++) {
        const uint64_t done = values[policy->candidates[c]].count;
        ties = done < least ? 1 : ties + (done == least);
        least = done < least ? done : least;
    }
    uint32_t skipped = cor_rng_below(rng, ties);
    for (; values[policy->candidates[picked]].count != least || skipped-- > 0; picked++)
        continue;
    policy->table.values[policy->candidates[picked]].count++;
    return picked;
}

/* Q(s, a) goes a share nearer to the reward and what the best action is worth then (Watkins 1989). */
static void learn(struct cor_policy *policy, double best) {
    struct system_layer__value *value = &policy->table.values[policy->picked];
    const double target = policy->reward + policy->learning.discount * best;
    value->value += policy->learning.rate * (target - value->value);
    value->count++;
    policy->has_pick = policy->has_reward = false;
    policy->reward = 0;
}

/* The command that is worth the most, the first of these. */
static uint32_t best_of(const struct cor_policy *policy, uint32_t count) {
    uint32_t best = 0;
    for (uint32_t c = 1; c < count; c++)
        if (policy->table.values[policy->candidates[c]].value >
            policy->table.values[policy->candidates[best]].value)
            best = c;
    return best;
}

static uint32_t pick_by_value(struct cor_policy *policy, uint32_t count, struct cor_rng *rng) {
    if (policy->has_reward)
        learn(policy, policy->table.values[policy->candidates[best_of(policy, count)]].value);
    uint32_t picked = best_of(policy, count);
    if (policy->learns) {
        /* Ties at random: where nothing is known yet, a walk gets further than by the first of all. */
        const double best = policy->table.values[policy->candidates[picked]].value;
        uint32_t ties = 0;
        for (uint32_t c = 0; c < count; c++)
            ties += policy->table.values[policy->candidates[c]].value == best;
        uint32_t skipped = cor_rng_below(rng, ties);
        for (picked = 0; policy->table.values[policy->candidates[picked]].value != best || skipped-- > 0;
             picked++)
            continue;
    }
    if (policy->learning.explore > 0) {
        const double chance = cor_rng_unit(rng);
        if (chance < policy->learning.explore)
            picked = cor_rng_below(rng, count);
    }
    policy->picked = policy->candidates[picked];
    policy->has_pick = policy->learns;
    return picked;
}

/* ---- a program */

static enum cor_status understand_pick(const struct cor_json *answer, uint32_t count, uint32_t *picked,
                                       struct cor_error *said) {
    static const char *const keys[] = {"id", "picked", NULL};
    struct cor_json member;
    int64_t number = 0;
    COR_TRY(cor_json_expect_object(answer, keys, said));
    COR_TRY(cor_json_need(answer, "picked", &member, said));
    COR_TRY(cor_json_integer(&member, 0, (int64_t)count - 1, &number, said));
    *picked = (uint32_t)number;
    return COR_OK;
}

static enum cor_status understand_hello(const struct cor_json *answer, struct cor_error *said) {
    static const char *const keys[] = {"id", "policy", "version", NULL};
    struct cor_json member;
    const char *text;
    COR_TRY(cor_json_expect_object(answer, keys, said));
    COR_TRY(cor_json_need(answer, "policy", &member, said));
    COR_TRY(cor_json_string(&member, &text, said));
    return cor_json_find(answer, "version", &member) ? cor_json_string(&member, &text, said) : COR_OK;
}

/* Asks what was put together; picked: NULL of a hello. */
static enum cor_status ask(struct cor_policy *policy, struct cor_json_writer *writer, const char *called,
                           uint32_t count, uint32_t *picked, enum cor_system_trouble *trouble,
                           struct cor_error *error) {
    struct cor_conversation *talk = &policy->talk;
    struct cor_error said = COR_NO_ERROR;
    (void)cor_conversation_begin(talk, called);
    COR_TRY(cor_conversation_put_take(talk, writer, error));
    COR_TRY(cor_conversation_ask(talk, 0, error));
    if (talk->exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(talk->answer);
        const enum cor_status status =
            picked ? understand_pick(&answer, count, picked, &said) : understand_hello(&answer, &said);
        if (status != COR_OK)
            COR_TRY(cor_conversation_garble(talk, status, &said, error));
        cor_conversation_expect_silence(talk);
    }
    if (talk->exchange != COR_EXCHANGE_WELL) {
        *trouble = cor_exchange_trouble(talk, policy->words, sizeof policy->words);
        if (picked)
            *picked = 0;
    }
    return COR_OK;
}

static enum cor_status pick_by_program(struct cor_policy *policy, const struct cor_beliefs *beliefs,
                                       const struct cor_world_command *commands, uint32_t count,
                                       struct cor_rng *rng, uint32_t *picked,
                                       enum cor_system_trouble *trouble, struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = COR_OK;
    const uint64_t draw = cor_rng_word(rng);
    const bool is_new = policy->is_first || !cor_lines_started(&policy->talk.lines);
    if (!cor_lines_started(&policy->talk.lines)) {
        COR_TRY(cor_conversation_start(&policy->talk, error));
        COR_TRY(cor_json_writer_create(&writer, error));
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "protocol", PROTOCOL);
        cor_json_put_string(writer, "world", policy->declaration->name);
        cor_json_close(writer);
        COR_TRY(ask(policy, writer, "hello", 0, NULL, trouble, error));
    }
    if (*trouble != (enum cor_system_trouble)0)
        return COR_OK;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_bool(writer, "first", policy->is_first);
    if (is_new)
        cor_json_put_word(writer, "draw", draw);
    cor_json_put_integer(writer, "cycle", (int64_t)cor_beliefs_cycle(beliefs));
    cor_json_put_word(writer, "state", state_of(policy, beliefs));
    cor_json_put_real(writer, "reward", policy->reward);
    cor_json_open_array(writer, "among");
    for (uint32_t c = 0; c < count; c++) {
        COR_TRY_OUT(write_command(policy, &commands[c], error));
        cor_json_put_string(writer, NULL, cor_bytes_text(&policy->text));
    }
    cor_json_close(writer);
    cor_json_close(writer);
    policy->reward = 0;
    return ask(policy, writer, "pick", count, picked, trouble, error);
out:
    cor_json_writer_destroy(writer);
    return status;
}

enum cor_status cor_policy_pick(struct cor_policy *policy, const struct cor_beliefs *beliefs,
                                const struct cor_world_command *commands, uint32_t count, struct cor_rng *rng,
                                uint32_t *picked, enum cor_system_trouble *trouble, struct cor_error *error) {
    COR_ASSERT(count > 0);
    *picked = 0;
    *trouble = (enum cor_system_trouble)0;
    policy->words[0] = 0;
    /* Before a choice, in that state. */
    bool is_new;
    if (policy->gain.kind == SYSTEM_LAYER__NEARER) {
        policy->gain.paid = nearness(&policy->gain, beliefs);
        policy->gain.has_paid = true;
    }
    if (policy->gain.kind == SYSTEM_LAYER__NEW_STATE)
        COR_TRY(note_state(&policy->gain, state_of(policy, beliefs), &is_new, error));
    switch (policy->kind) {
    case IN_ORDER:
        break;
    case RANDOM:
        *picked = cor_rng_below(rng, count);
        break;
    case LEAST_DONE:
        COR_TRY(find_candidates(policy, beliefs, commands, count, error));
        *picked = pick_least_done(policy, count, rng);
        break;
    case Q:
        COR_TRY(find_candidates(policy, beliefs, commands, count, error));
        *picked = pick_by_value(policy, count, rng);
        break;
    case PROGRAM:
        COR_TRY(pick_by_program(policy, beliefs, commands, count, rng, picked, trouble, error));
        break;
    }
    policy->is_first = false;
    return COR_OK;
}

enum cor_status cor_policy_reward(struct cor_policy *policy, const struct cor_beliefs *after, bool is_solved,
                                  bool is_end, double *reward, struct cor_error *error) {
    struct system_layer__reward *gain = &policy->gain;
    bool is_new = false;
    *reward = 0;
    if (!policy->is_paid)
        return COR_OK;
    *reward = is_solved ? 1 : 0;
    if (gain->kind == SYSTEM_LAYER__NEW_STATE) {
        COR_TRY(note_state(gain, state_of(policy, after), &is_new, error));
        *reward += is_new;
    }
    if (gain->kind == SYSTEM_LAYER__NEARER) {
        /* Several turns between two choices add up to discount * N' - N. */
        const double now = is_end ? 0 : policy->learning.discount * nearness(gain, after);
        *reward += gain->has_paid ? now - gain->paid : 0;
        gain->paid = now;
        gain->has_paid = true;
    }
    return COR_OK;
}

/* What a choice that does not end is worth is seen when actions are offered behind it. */
void cor_policy_learn(struct cor_policy *policy, double reward, bool is_end) {
    if (policy->kind == Q && !policy->has_pick) /* it comes of no choice */
        return;
    policy->reward += reward;
    if (policy->kind != Q)
        return;
    policy->has_reward = true;
    if (is_end)
        learn(policy, 0);
}

bool cor_policy_learns(const struct cor_policy *policy) {
    return policy->learns;
}

enum cor_status cor_policy_write(const struct cor_policy *policy, struct cor_json_writer *writer,
                                 struct cor_error *error) {
    if (policy->kind != Q)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "{\"q\": {}} is a policy that learns",
                        "the policy learns nothing that could be written");
    COR_FREED struct line *lines = cor_calloc(policy->table.count, sizeof *lines);
    COR_TRY(cor_made(lines, error));
    for (size_t v = 0; v < policy->table.count; v++)
        lines[v] = (struct line){&policy->table.values[v],
                                 cor_words_text(&policy->table.actions, policy->table.values[v].action)};
    if (policy->table.count > 0)
        qsort(lines, policy->table.count, sizeof *lines, compare_lines);
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "policy", "q");
    cor_json_put_integer(writer, "version", 1);
    cor_json_put_real(writer, "rate", policy->learning.rate);
    cor_json_put_real(writer, "discount", policy->learning.discount);
    cor_json_put_real(writer, "explore", policy->learning.explore);
    if (policy->learning.reward)
        cor_json_put_string(writer, "reward", policy->learning.reward);
    cor_json_open_array(writer, "by");
    for (uint32_t i = 0; i < policy->by_count; i++)
        cor_json_put_string(writer, NULL, policy->by[i]);
    cor_json_close(writer);
    cor_json_open_array(writer, "values");
    for (size_t v = 0; v < policy->table.count; v++) {
        cor_json_open_array(writer, NULL);
        cor_json_put_word(writer, NULL, lines[v].value->state);
        cor_json_put_string(writer, NULL, lines[v].action);
        cor_json_put_real(writer, NULL, lines[v].value->value);
        cor_json_put_integer(writer, NULL, (int64_t)lines[v].value->count);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
    return COR_OK;
}
