/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a test agent chooses among the actions that a tactic offers. What a program is asked and answers:
 *
 *   > {"id":1,"hello":{"protocol":1,"world":"rooms"}}
 *   < {"id":1,"policy":"mine","version":"1"}
 *   > {"id":2,"pick":{"first":true,"draw":"0x..","cycle":1,"state":"0x..","reward":0,
 *                     "among":["press b1","move east"]}}
 *   < {"id":2,"picked":1}
 *
 * "draw" comes with the first pick of a run, and of a process: chance that hangs on it alone repeats. */
#include "policy.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/trouble.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static enum cor_status read_program(const struct cor_json *json, const struct cor_policy_setting *setting,
                                    struct cor_policy *policy, struct cor_error *error) {
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
    COR_TRY(system_layer__read_reward(json, &policy->learning, error));
    policy->kind = PROGRAM;
    policy->learning.discount = 1; /* it has its own */
    policy->talks = policy->is_paid = true;
    COR_TRY(cor_conversation_init(&policy->talk, &lines, answer_seconds, error));
    return cor_lines_check(&policy->talk.lines, error);
}

static enum cor_status read_table(const struct cor_json *json, struct cor_policy *policy,
                                  struct cor_error *error) {
    policy->kind = Q;
    COR_TRY(system_layer__q_read_table(json, &policy->learning, &policy->table, &policy->by,
                                       &policy->by_count, error));
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
    return read_table(json, policy, error);
}

static enum cor_status read_object(const struct cor_json *json, const struct cor_policy_setting *setting,
                                   struct cor_policy *policy, struct cor_error *error) {
    static const char *const keys[] = {"least_done", "q", "program", "answer_seconds", "reward", NULL};
    static const char *const least_keys[] = {"by", NULL};
    struct cor_json member, by;
    if (cor_json_find(json, "policy", &member))
        return read_table(json, policy, error);
    COR_TRY(cor_json_expect_object(json, keys, error));
    const bool asks = cor_json_find(json, "program", &member);
    const size_t beside =
        (size_t)cor_json_find(json, "answer_seconds", &member) + cor_json_find(json, "reward", &member);
    if (cor_json_size(json) != 1 + beside || (!asks && beside > 0))
        return cor_json_fail(json, error,
                             "{\"least_done\": ..}, {\"q\": ..}, or {\"program\": ..} with "
                             "\"answer_seconds\" and \"reward\"; of q the reward stands in {\"q\": {..}}",
                             "a policy has one kind");
    if (asks)
        return read_program(json, setting, policy, error);
    member = cor_json_at(json, 0);
    if (strcmp(member.key, "q") == 0) {
        policy->kind = Q;
        policy->learns = policy->is_paid = true;
        policy->learning.explore = .1;
        COR_TRY(system_layer__q_read(&member, &policy->learning, &policy->table, &policy->by,
                                     &policy->by_count, error));
        policy->given_count = policy->table.count;
        COR_TRY(cor_made(policy->given = cor_calloc(policy->given_count, sizeof *policy->given), error));
        if (policy->given_count > 0)
            memcpy(policy->given, policy->table.values, policy->given_count * sizeof *policy->given);
        return COR_OK;
    }
    policy->kind = LEAST_DONE;
    COR_TRY(cor_json_expect_object(&member, least_keys, error));
    return cor_json_find(&member, "by", &by)
               ? system_layer__read_learnt(&by, &policy->by, &policy->by_count, error)
               : COR_OK;
}

enum cor_status cor_policy_create(const struct cor_world_declaration *declaration,
                                  const struct cor_scope *scope, const struct cor_json *json,
                                  const struct cor_policy_setting *setting, struct cor_policy **made,
                                  struct cor_error *error) {
    struct cor_policy *policy = cor_calloc(1, sizeof *policy);
    enum cor_status status = COR_OK;
    *made = NULL;
    COR_TRY(cor_made(policy, error));
    policy->declaration = declaration;
    policy->learning = (struct system_layer__learning){.rate = .1, .discount = .95};
    policy->is_first = true;
    if (json)
        COR_TRY_OUT(cor_json_is_object(json) ? read_object(json, setting, policy, error)
                                             : read_word(json, policy, error));
    if (policy->is_paid)
        COR_TRY_OUT(system_layer__reward_init(&policy->gain, policy->learning.reward,
                                              policy->learning.reward_place, scope, error));
    COR_TRY_OUT(cor_policy_forget(policy, error));
    *made = policy;
    policy = NULL;
out:
    cor_policy_destroy(policy);
    return status;
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
    free((void *)policy->by);
    free(policy->candidates);
    free(policy->given);
    cor_bytes_fini(&policy->text);
    system_layer__table_fini(&policy->table);
    system_layer__reward_fini(&policy->gain);
    system_layer__learning_fini(&policy->learning);
    free(policy);
}

enum cor_status cor_policy_forget(struct cor_policy *policy, struct cor_error *error) {
    COR_TRY(system_layer__reward_forget(&policy->gain, policy->given, policy->given_count, error));
    return policy->learns ? system_layer__table_set(&policy->table, policy->given, policy->given_count, error)
                          : COR_OK;
}

void cor_policy_restart(struct cor_policy *policy) {
    if (policy->kind == LEAST_DONE)
        system_layer__table_clear(&policy->table);
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

/* Where the reward asks for it. */
static uint64_t state_for_reward(const struct cor_policy *policy, const struct cor_beliefs *beliefs) {
    return policy->gain.kind == SYSTEM_LAYER__NEW_STATE ? state_of(policy, beliefs) : 0;
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
        COR_TRY(system_layer__table_at(&policy->table, state, cor_bytes_text(&policy->text),
                                       &policy->candidates[c], error));
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

static enum cor_status greet(struct cor_policy *policy, enum cor_system_trouble *trouble,
                             struct cor_error *error) {
    struct cor_json_writer *writer;
    if (cor_lines_started(&policy->talk.lines))
        return COR_OK;
    COR_TRY(cor_conversation_start(&policy->talk, error));
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "protocol", PROTOCOL);
    cor_json_put_string(writer, "world", policy->declaration->name);
    cor_json_close(writer);
    return ask(policy, writer, "hello", 0, NULL, trouble, error);
}

static enum cor_status pick_by_program(struct cor_policy *policy, const struct cor_beliefs *beliefs,
                                       const struct cor_world_command *commands, uint32_t count,
                                       struct cor_rng *rng, uint32_t *picked,
                                       enum cor_system_trouble *trouble, struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = COR_OK;
    const uint64_t draw = cor_rng_word(rng);
    const bool is_new = policy->is_first || !cor_lines_started(&policy->talk.lines);
    COR_TRY(greet(policy, trouble, error));
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
    COR_TRY(system_layer__reward_before(&policy->gain, beliefs, state_for_reward(policy, beliefs), error));
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
    *reward = 0;
    return policy->is_paid
               ? system_layer__reward_after(&policy->gain, after, state_for_reward(policy, after),
                                            policy->learning.discount, is_solved, is_end, reward, error)
               : COR_OK;
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
    return system_layer__q_write(&policy->learning, &policy->table, policy->by, policy->by_count, writer,
                                 error);
}
