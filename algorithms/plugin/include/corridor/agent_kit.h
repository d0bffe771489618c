/* SPDX-License-Identifier: MIT
 *
 * corridor/agent_kit.h - what an agent in C would otherwise write itself around its plans: the first
 * applicable plan handles an event, and when it fails the next; what plans do is reported as aut.h wants it.
 * `corridor new agent DESIGN.json --lang c` writes an agent over it; nobody has to use it.
 *
 * A context is a function that says whether it holds, a body one that does its steps, each in AGENT_DO(), and
 * gives AGENT_DONE. Arguments are read by their names, fields as "set.Field". What has no value - whole
 * numbers beyond 64 bits, a division by zero - makes a context false and a plan fail, as in a design: numbers
 * are reckoned with by the functions below, conditions joined by & and |, which look at both sides. */
#ifndef CORRIDOR_AGENT_KIT_H
#define CORRIDOR_AGENT_KIT_H

#include <corridor/aut.h>

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

enum agent_outcome { AGENT_DONE, AGENT_FAILED, AGENT_STOPPED }; /* STOPPED: the case is over for the host */

struct agent;

/* A plan; `event` NULL: it is not built yet; `context` NULL: it always holds. Lists end with a zeroed entry.
 */
struct agent_plan {
    const char *name, *event;
    int (*context)(struct agent *me);
    enum agent_outcome (*body)(struct agent *me);
};

/* While a plan for `event` is at work, the key `field` is that argument. */
struct agent_key {
    const char *event, *field, *argument;
};

/* After each write to a field of `set`, where `when` holds, `event` is posted, with arguments from fields. */
struct agent_rule {
    const char *set;
    int (*when)(struct agent *me);
    const char *event;
    const char *const *fields; /* argument, field, argument, field, .., NULL */
};

/* What the agent is made of. */
struct agent_parts {
    const struct agent_plan *plans;
    const struct agent_key *keys;
    const struct agent_rule *rules;
};

enum { AGENT_BELIEFS_MOST = 256, AGENT_ARGUMENTS_MOST = 64, AGENT_PLANS_MOST = 1024 };

struct agent {
    const struct agent_parts *parts;
    const struct cor_aut_host *host;
    const struct agent_plan *at_work;
    const char *event; /* in hand, with its arguments */
    const struct cor_aut_value *arguments;
    uint32_t argument_count, belief_count, fault;
    int undefined; /* something that was reckoned since this was last asked had no value */
    struct cor_aut_value beliefs[AGENT_BELIEFS_MOST];
};

/* A step: the body goes on if it is done. */
#define AGENT_DO(call)                          \
    do {                                        \
        const enum agent_outcome did_ = (call); \
        if (did_ != AGENT_DONE)                 \
            return did_;                        \
    } while (0)

static inline const struct cor_aut_value *agent_find(struct agent *me, const char *name) {
    static const struct cor_aut_value nothing = {NULL, COR_AUT_NULL, 0, {0}};
    const struct cor_aut_value *found = NULL;
    for (const struct agent_key *key = me->parts->keys; key && key->event; key++)
        if (strcmp(key->event, me->event) == 0 && strcmp(key->field, name) == 0)
            found = cor_aut_find(me->arguments, me->argument_count, key->argument);
    if (!found)
        found = cor_aut_find(me->arguments, me->argument_count, name);
    if (!found)
        found = cor_aut_find(me->beliefs, me->belief_count, name);
    if (!found)
        me->undefined = 1;
    return found ? found : &nothing;
}

/* The argument or field of that name: a whole number or truth value, a real, a word (NULL: null). */
static inline int64_t agent_integer(struct agent *me, const char *name) {
    return agent_find(me, name)->as.integer;
}
static inline double agent_real(struct agent *me, const char *name) {
    const struct cor_aut_value *value = agent_find(me, name);
    return value->kind == COR_AUT_INTEGER ? (double)value->as.integer : value->as.real;
}
static inline const char *agent_word(struct agent *me, const char *name) {
    const struct cor_aut_value *value = agent_find(me, name);
    return value->kind == COR_AUT_WORD ? value->as.word : NULL;
}
static inline int agent_same(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whole numbers; "/" rounds down, its remainder has the sign of the divisor. */
static inline int64_t agent_whole(struct agent *me, int overflows, int64_t value) {
    me->undefined |= overflows;
    return value;
}
static inline int64_t agent_add(struct agent *me, int64_t a, int64_t b) {
    int64_t sum = 0;
    const int overflows = __builtin_add_overflow(a, b, &sum);
    return agent_whole(me, overflows, sum);
}
static inline int64_t agent_subtract(struct agent *me, int64_t a, int64_t b) {
    int64_t difference = 0;
    const int overflows = __builtin_sub_overflow(a, b, &difference);
    return agent_whole(me, overflows, difference);
}
static inline int64_t agent_multiply(struct agent *me, int64_t a, int64_t b) {
    int64_t product = 0;
    const int overflows = __builtin_mul_overflow(a, b, &product);
    return agent_whole(me, overflows, product);
}
static inline int64_t agent_divide(struct agent *me, int64_t a, int64_t b) {
    if (b == 0 || (a == INT64_MIN && b == -1))
        return agent_whole(me, 1, 0);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline int64_t agent_remainder(struct agent *me, int64_t a, int64_t b) {
    if (b == 0)
        return agent_whole(me, 1, 0);
    if (b == -1)
        return 0;
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}
static inline int64_t agent_ceil_divide(struct agent *me, int64_t a, int64_t b) {
    const int64_t down = agent_divide(me, a, b);
    return down + (b != 0 && b != -1 && a % b != 0);
}
static inline int64_t agent_negate(struct agent *me, int64_t a) {
    return agent_subtract(me, 0, a);
}
static inline int64_t agent_abs(struct agent *me, int64_t a) {
    return a < 0 ? agent_negate(me, a) : a;
}
static inline int64_t agent_min(int64_t a, int64_t b) {
    return a < b ? a : b;
}
static inline int64_t agent_max(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Reals. */
static inline double agent_finite(struct agent *me, double value) {
    me->undefined |= !isfinite(value);
    return value;
}
static inline double agent_least(double a, double b) {
    return b < a ? b : a;
}
static inline double agent_greatest(double a, double b) {
    return b > a ? b : a;
}
static inline double agent_quotient(struct agent *me, double a, double b) {
    if (!(b < 0 || b > 0))
        return agent_finite(me, INFINITY);
    return agent_finite(me, a / b);
}

/* Did something have no value? Asks once. */
static inline int agent_take_undefined(struct agent *me) {
    const int undefined = me->undefined;
    me->undefined = 0;
    return undefined;
}

static inline int agent_holds(struct agent *me, int (*condition)(struct agent *me)) {
    int holds;
    me->undefined = 0;
    holds = !condition || condition(me);
    return !agent_take_undefined(me) && holds;
}

static inline enum agent_outcome agent_said(int goes_on) {
    return goes_on ? AGENT_DONE : AGENT_STOPPED;
}

/* Has the first applicable plan of the event handle it, and when it fails the next. */
static inline enum agent_outcome agent_handle(struct agent *me, const char *event,
                                              const struct cor_aut_value *arguments, uint32_t count) {
    const char *event_before = me->event;
    const struct cor_aut_value *arguments_before = me->arguments;
    const struct agent_plan *at_work_before = me->at_work;
    const uint32_t count_before = me->argument_count;
    enum agent_outcome outcome = AGENT_FAILED;
    uint64_t holds[AGENT_PLANS_MOST / 64] = {0};
    uint32_t i;
    me->event = event;
    me->arguments = arguments;
    me->argument_count = count;
    for (i = 0; me->parts->plans[i].name && i < AGENT_PLANS_MOST; i++) {
        const struct agent_plan *plan = &me->parts->plans[i];
        if (!plan->event || strcmp(plan->event, event) != 0)
            continue;
        const int held = agent_holds(me, plan->context);
        holds[i / 64] |= (uint64_t)held << i % 64;
        if (!me->host->context(me->host, plan->name, held))
            return AGENT_STOPPED;
    }
    for (i = 0; me->parts->plans[i].name && i < AGENT_PLANS_MOST && outcome == AGENT_FAILED; i++) {
        const struct agent_plan *plan = &me->parts->plans[i];
        if (!(holds[i / 64] >> i % 64 & 1))
            continue;
        me->at_work = plan;
        if (!me->host->started(me->host, plan->name))
            return AGENT_STOPPED;
        outcome = plan->body(me);
        me->undefined = 0;
        if (outcome == AGENT_STOPPED || !me->host->ended(me->host, plan->name, outcome == AGENT_DONE))
            return AGENT_STOPPED;
    }
    me->event = event_before;
    me->arguments = arguments_before;
    me->argument_count = count_before;
    me->at_work = at_work_before;
    return outcome;
}

/* The rules of the set, after a write to it. */
static inline enum agent_outcome agent_follow_rules(struct agent *me, const char *set, size_t length) {
    for (const struct agent_rule *rule = me->parts->rules; rule && rule->set; rule++) {
        struct cor_aut_value arguments[AGENT_ARGUMENTS_MOST];
        uint32_t count = 0;
        if (strncmp(rule->set, set, length) != 0 || rule->set[length] || !agent_holds(me, rule->when))
            continue;
        for (const char *const *field = rule->fields; *field && count < AGENT_ARGUMENTS_MOST; field += 2) {
            arguments[count] = *agent_find(me, field[1]);
            arguments[count++].name = field[0];
        }
        if (!me->host->posted(me->host, NULL, rule->event, arguments, count))
            return AGENT_STOPPED;
    }
    return AGENT_DONE;
}

/* Writes a field: "set.Field". */
static inline enum agent_outcome agent_set(struct agent *me, const char *name, struct cor_aut_value value) {
    const char *point = strchr(name, '.');
    char set[256];
    const size_t length = point ? (size_t)(point - name) : 0;
    if (!me->host->step(me->host))
        return AGENT_STOPPED;
    if (agent_take_undefined(me) || !point || length >= sizeof set)
        return AGENT_FAILED;
    memcpy(set, name, length);
    set[length] = 0;
    for (uint32_t i = 0; i < me->belief_count; i++)
        if (strcmp(me->beliefs[i].name, name) == 0) {
            value.name = me->beliefs[i].name;
            me->beliefs[i] = value;
        }
    if (!me->host->wrote(me->host, me->at_work->name, set, point + 1, &value))
        return AGENT_STOPPED;
    return agent_follow_rules(me, set, length);
}

static inline enum agent_outcome agent_send(struct agent *me, const char *message) {
    return agent_said(me->host->step(me->host) && me->host->sent(me->host, me->at_work->name, message));
}

/* Of a message with parameters; the plan fails if an argument has no value. */
static inline enum agent_outcome agent_send_with(struct agent *me, const char *message,
                                                 const struct cor_aut_value *arguments, uint32_t count) {
    if (!me->host->step(me->host))
        return AGENT_STOPPED;
    if (agent_take_undefined(me))
        return AGENT_FAILED;
    return agent_said(me->host->sent_with(me->host, me->at_work->name, message, arguments, count));
}

static inline enum agent_outcome agent_do(struct agent *me, const char *action) {
    return agent_said(me->host->step(me->host) && me->host->did(me->host, me->at_work->name, action));
}

/* Posts an event and waits until it is handled; the plan fails if no plan completes, unless it is optional.
 */
static inline enum agent_outcome agent_post(struct agent *me, const char *event, int optional,
                                            const struct cor_aut_value *arguments, uint32_t count) {
    enum agent_outcome outcome;
    if (!me->host->step(me->host))
        return AGENT_STOPPED;
    if (agent_take_undefined(me))
        return AGENT_FAILED;
    if (!me->host->posted(me->host, me->at_work->name, event, arguments, count))
        return AGENT_STOPPED;
    outcome = agent_handle(me, event, arguments, count);
    return outcome == AGENT_FAILED && optional ? AGENT_DONE : outcome;
}

/* Whether a condition holds, for "if" and "while". */
static inline enum agent_outcome agent_test(struct agent *me, int condition, int *holds) {
    *holds = !agent_take_undefined(me) && condition;
    return agent_said(me->host->step(me->host));
}

static inline enum agent_outcome agent_fail(struct agent *me) {
    return me->host->step(me->host) ? AGENT_FAILED : AGENT_STOPPED;
}

/* The run function of the module: its state is a struct agent. */
static inline int agent_run(void *state, const struct agent_parts *parts, const struct cor_aut_case *asked,
                            const struct cor_aut_host *host) {
    struct agent *me = (struct agent *)state;
    me->parts = parts;
    me->host = host;
    me->fault = asked->fault;
    me->belief_count = asked->belief_count < AGENT_BELIEFS_MOST ? asked->belief_count : AGENT_BELIEFS_MOST;
    if (me->belief_count > 0)
        memcpy(me->beliefs, asked->beliefs, me->belief_count * sizeof *me->beliefs);
    return agent_handle(me, asked->event, asked->arguments, asked->argument_count) == AGENT_STOPPED;
}

#ifdef __cplusplus
}
#endif
#endif
