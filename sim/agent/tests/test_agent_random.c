/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random designs, executed twice: by the interpreter, from the texts that a design is filled with, and here,
 * naively, by recursion over the trees from which these texts were printed. The traces must be equal, event
 * by event. */
#include "../../expression/tests/value_trees.h"
#include "tests/designs.h"

enum {
    BELIEFS = 3,
    FIELDS = 9,
    EVENTS = 5,
    PARAMETERS = 3,
    PLANS = 7,
    RULES = 4,
    STATEMENTS = 60,
    OUTPUTS = 2
};

/* What a name in an expression reads: a field, or FIELDS + parameter. */
struct naive_field {
    char name[24], full_name[48];
    uint32_t belief;
    enum cor_value_type type;
    bool is_key;
};

struct naive_event {
    char name[24];
    uint32_t parameter_count;
    char parameters[PARAMETERS][16];
    enum cor_value_type types[PARAMETERS];
};

struct naive_statement {
    enum cor_statement_kind kind;
    uint32_t subject;
    bool optional;
    struct tree *value;                 /* SET, IF, WHILE */
    struct tree *arguments[PARAMETERS]; /* POST */
    struct naive_statement *inside, *otherwise, *next;
};

struct naive_plan {
    uint32_t trigger;
    bool absent;
    struct tree *context; /* NULL: none */
    struct naive_statement *body;
};

struct naive_rule {
    uint32_t belief, event;
    struct tree *when;
    uint32_t fields[PARAMETERS];
};

/* A design as trees, and everything they are made of. */
struct naive {
    struct cor_rng rng;
    uint32_t belief_count, field_count, event_count, plan_count, rule_count;
    struct naive_field fields[FIELDS];
    struct naive_event events[EVENTS];
    struct naive_plan plans[PLANS];
    struct naive_rule rules[RULES];
    struct naive_statement statements[PLANS * STATEMENTS];
    uint32_t statement_count;
    /* What expressions may read, in the scope of each event and, last, of the fields alone. */
    struct readable readable[EVENTS + 1][2 * FIELDS + PARAMETERS];
    uint32_t readable_count[EVENTS + 1];
    struct forest *forests[PLANS * STATEMENTS * 5];
    uint32_t forest_count;
};

static uint32_t below(struct naive *naive, uint32_t bound) {
    return cor_rng_below(&naive->rng, bound);
}

/* A tree over what is read in a scope; the forest lives as long as the design. */
static struct tree *grow(struct naive *naive, uint32_t scope, enum cor_value_type type, int depth) {
    struct forest *forest = calloc(1, sizeof *forest);
    assert_non_null(forest);
    naive->forests[naive->forest_count++] = forest;
    forest->names = naive->readable[scope];
    forest->name_count = naive->readable_count[scope];
    forest->rng = &naive->rng;
    return random_tree(forest, type, depth);
}

static void make_fields(struct naive *naive) {
    static const char *const names[] = {"A", "B", "Key", "Sum"};
    naive->belief_count = 1 + below(naive, BELIEFS);
    for (uint32_t b = 0; b < naive->belief_count; b++) {
        uint32_t count = 1 + below(naive, 3);
        uint32_t first = below(naive, 4);
        for (uint32_t i = 0; i < count; i++) {
            struct naive_field *field = &naive->fields[naive->field_count++];
            field->belief = b;
            field->type = (enum cor_value_type)below(naive, 5);
            field->is_key = below(naive, 3) == 0;
            const char *name = names[(first + i) % 4];
            strcpy(field->name, name);
            sprintf(field->full_name, "set%u.%s", b, name);
        }
    }
}

static void make_events(struct naive *naive) {
    static const char *const names[] = {"A", "Key", "Sum", "Other"};
    naive->event_count = 2 + below(naive, EVENTS - 1);
    for (uint32_t e = 0; e < naive->event_count; e++) {
        struct naive_event *event = &naive->events[e];
        sprintf(event->name, "event %u", e);
        event->parameter_count = below(naive, PARAMETERS + 1);
        uint32_t first = below(naive, 4);
        for (uint32_t p = 0; p < event->parameter_count; p++) {
            event->types[p] = (enum cor_value_type)below(naive, 5);
            strcpy(event->parameters[p], names[(first + p) % 4]);
        }
    }
}

static void add_readable(struct naive *naive, uint32_t scope, const char *spelling, enum cor_value_type type,
                         uint32_t index) {
    naive->readable[scope][naive->readable_count[scope]++] = (struct readable){spelling, type, index};
}

/* Fields by their full names always, by their own where no parameter and no other field is called so. */
static void make_scope(struct naive *naive, uint32_t scope) {
    const struct naive_event *event = scope < naive->event_count ? &naive->events[scope] : NULL;
    for (uint32_t p = 0; event && p < event->parameter_count; p++)
        add_readable(naive, scope, event->parameters[p], event->types[p], FIELDS + p);
    for (uint32_t f = 0; f < naive->field_count; f++) {
        const struct naive_field *field = &naive->fields[f];
        bool alone = true;
        for (uint32_t p = 0; event && p < event->parameter_count; p++)
            alone = alone && strcmp(event->parameters[p], field->name) != 0;
        for (uint32_t g = 0; g < naive->field_count; g++)
            alone = alone && (g == f || strcmp(naive->fields[g].name, field->name) != 0);
        add_readable(naive, scope, field->full_name, field->type, f);
        if (alone)
            add_readable(naive, scope, field->name, field->type, f);
    }
}

/* A rule can post what has all its parameters among the fields of the set. */
static void make_rule(struct naive *naive) {
    struct naive_rule *rule = &naive->rules[naive->rule_count];
    rule->belief = below(naive, naive->belief_count);
    rule->event = below(naive, naive->event_count);
    const struct naive_event *event = &naive->events[rule->event];
    for (uint32_t p = 0; p < event->parameter_count; p++) {
        rule->fields[p] = FIELDS;
        for (uint32_t f = 0; f < naive->field_count; f++)
            if (naive->fields[f].belief == rule->belief && naive->fields[f].type == event->types[p] &&
                strcmp(naive->fields[f].name, event->parameters[p]) == 0)
                rule->fields[p] = f;
        if (rule->fields[p] == FIELDS)
            return;
    }
    rule->when = grow(naive, EVENTS, COR_VALUE_TYPE_BOOLEAN, 2);
    naive->rule_count++;
}

static struct naive_statement *make_block(struct naive *naive, uint32_t scope, int depth);

static struct naive_statement *make_statement(struct naive *naive, uint32_t scope, int depth) {
    static const enum cor_statement_kind kinds[] = {
        COR_STATEMENT_SET,  COR_STATEMENT_SET, COR_STATEMENT_SEND, COR_STATEMENT_DO,   COR_STATEMENT_POST,
        COR_STATEMENT_POST, COR_STATEMENT_IF,  COR_STATEMENT_IF,   COR_STATEMENT_WHILE};
    struct naive_statement *statement = &naive->statements[naive->statement_count++];
    uint32_t drawn = below(naive, depth > 0 ? 9 : 6);
    statement->kind = below(naive, 15) == 0 ? COR_STATEMENT_FAIL : kinds[drawn];
    statement->optional = below(naive, 2);
    switch (statement->kind) {
    case COR_STATEMENT_SET:
        statement->subject = below(naive, naive->field_count);
        statement->value = grow(naive, scope, naive->fields[statement->subject].type, 2);
        break;
    case COR_STATEMENT_SEND:
    case COR_STATEMENT_DO:
        statement->subject = below(naive, OUTPUTS);
        break;
    case COR_STATEMENT_POST:
        statement->subject = below(naive, naive->event_count);
        for (uint32_t p = 0; p < naive->events[statement->subject].parameter_count; p++)
            statement->arguments[p] = grow(naive, scope, naive->events[statement->subject].types[p], 2);
        break;
    case COR_STATEMENT_IF:
        statement->value = grow(naive, scope, COR_VALUE_TYPE_BOOLEAN, 2);
        statement->inside = make_block(naive, scope, depth - 1);
        statement->otherwise = below(naive, 2) ? make_block(naive, scope, depth - 1) : NULL;
        break;
    case COR_STATEMENT_WHILE:
        statement->value = grow(naive, scope, COR_VALUE_TYPE_BOOLEAN, 2);
        statement->inside = make_block(naive, scope, depth - 1);
        break;
    case COR_STATEMENT_PARALLEL: /* agent_parallel */
    case COR_STATEMENT_STRAND:
    case COR_STATEMENT_INSERT: /* of relations */
    case COR_STATEMENT_REMOVE:
    case COR_STATEMENT_FAIL:
        break;
    }
    return statement;
}

static struct naive_statement *make_block(struct naive *naive, uint32_t scope, int depth) {
    struct naive_statement *first = NULL, **last = &first;
    for (uint32_t count = below(naive, 4); count > 0; count--) {
        *last = make_statement(naive, scope, depth);
        last = &(*last)->next;
    }
    return first;
}

static struct naive *make_naive(uint64_t seed) {
    struct naive *naive = calloc(1, sizeof *naive);
    assert_non_null(naive);
    naive->rng = cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_TEST});
    make_fields(naive);
    make_events(naive);
    for (uint32_t e = 0; e < naive->event_count; e++)
        make_scope(naive, e);
    make_scope(naive, EVENTS);
    for (uint32_t r = 0; r < RULES; r++)
        make_rule(naive);
    naive->plan_count = 1 + below(naive, PLANS);
    for (uint32_t p = 0; p < naive->plan_count; p++) {
        struct naive_plan *plan = &naive->plans[p];
        plan->trigger = below(naive, naive->event_count);
        plan->context = below(naive, 4) > 0 ? grow(naive, plan->trigger, COR_VALUE_TYPE_BOOLEAN, 2) : NULL;
        plan->body = make_block(naive, plan->trigger, 3);
    }
    return naive;
}

static void free_naive(struct naive *naive) {
    for (uint32_t i = 0; i < naive->forest_count; i++)
        free(naive->forests[i]);
    free(naive);
}

/* The same design, for the interpreter. */

static void write_tree(const struct tree *tree, char *text) {
    *text = '\0';
    print_tree(tree, text);
}

enum { TEXT = 40000 };

static void write_block(const struct naive *naive, const struct naive_statement *statement,
                        struct cor_body *body) {
    static char text[TEXT];
    for (; statement; statement = statement->next) {
        char name[32];
        switch (statement->kind) {
        case COR_STATEMENT_SET:
            write_tree(statement->value, text);
            MUST(cor_body_add(body, statement->kind, NULL, naive->fields[statement->subject].full_name, text,
                              false, error));
            break;
        case COR_STATEMENT_SEND:
        case COR_STATEMENT_DO:
            sprintf(name, "output %u", statement->subject);
            MUST(cor_body_add(body, statement->kind, NULL, name, NULL, false, error));
            break;
        case COR_STATEMENT_POST: {
            const struct naive_event *event = &naive->events[statement->subject];
            MUST(cor_body_add(body, statement->kind, NULL, event->name, NULL, statement->optional, error));
            for (uint32_t p = event->parameter_count; p-- > 0;) {
                write_tree(statement->arguments[p], text);
                MUST(cor_body_add_argument(body, event->parameters[p], text, error));
            }
            break;
        }
        case COR_STATEMENT_IF:
        case COR_STATEMENT_WHILE:
            write_tree(statement->value, text);
            MUST(cor_body_add(body, statement->kind, NULL, NULL, text, false, error));
            write_block(naive, statement->inside, body);
            if (statement->otherwise) {
                cor_body_else(body);
                write_block(naive, statement->otherwise, body);
            }
            cor_body_close(body);
            break;
        case COR_STATEMENT_PARALLEL: /* agent_parallel */
        case COR_STATEMENT_STRAND:
        case COR_STATEMENT_INSERT: /* of relations */
        case COR_STATEMENT_REMOVE:
        case COR_STATEMENT_FAIL:
            MUST(cor_body_add(body, statement->kind, NULL, NULL, NULL, false, error));
            break;
        }
    }
}

static void write_parts(const struct naive *naive, struct cor_design *design) {
    uint32_t domain = 0, word;
    for (int w = 0; w < POOL; w++)
        MUST(cor_words_intern(&design->words, pool[w], &word, error));
    MUST(cor_design_add_type(design, "Colour", pool, ENUMERATED, NULL, &domain, error));
    uint32_t f = 0;
    for (uint32_t b = 0; b < naive->belief_count; b++) {
        char name[24];
        sprintf(name, "set%u", b);
        MUST(cor_design_add_belief(design, name, NULL, NULL, error));
        for (; f < naive->field_count && naive->fields[f].belief == b; f++)
            MUST(cor_design_add_field(design, naive->fields[f].name, (uint32_t)naive->fields[f].type,
                                      naive->fields[f].is_key, NULL, NULL, error));
    }
    for (uint32_t e = 0; e < naive->event_count; e++) {
        const struct naive_event *event = &naive->events[e];
        MUST(cor_design_add_event(design, event->name, COR_EVENT_KIND_INTERNAL, NULL, NULL, error));
        for (uint32_t p = 0; p < event->parameter_count; p++)
            MUST(cor_design_add_parameter(design, event->parameters[p], (uint32_t)event->types[p], NULL, NULL,
                                          error));
    }
    for (uint32_t o = 0; o < OUTPUTS; o++) {
        char name[32];
        sprintf(name, "output %u", o);
        MUST(cor_design_add_message(design, name, NULL, NULL, error));
        MUST(cor_design_add_action(design, name, NULL, NULL, error));
    }
}

static struct cor_design *write_design(const struct naive *naive) {
    static char text[TEXT];
    struct cor_design *design = new_design();
    write_parts(naive, design);
    for (uint32_t r = 0; r < naive->rule_count; r++) {
        write_tree(naive->rules[r].when, text);
        MUST(cor_design_add_rule(design, naive->rules[r].belief, text, naive->rules[r].event, NULL, error));
    }
    for (uint32_t p = 0; p < naive->plan_count; p++) {
        struct cor_body body;
        char name[24];
        sprintf(name, "plan %u", p);
        cor_body_init(&body);
        write_block(naive, naive->plans[p].body, &body);
        if (naive->plans[p].context)
            write_tree(naive->plans[p].context, text);
        MUST(cor_design_add_plan(design, name, naive->plans[p].trigger, NULL, NULL, error));
        MUST(cor_design_set_code_take(design, p, naive->plans[p].context ? text : NULL, NULL, &body, error));
    }
    return design;
}

/* The naive interpreter. */

struct naive_run {
    const struct naive *naive;
    const struct cor_words *words;
    struct plain fields[FIELDS];
    uint32_t steps, step_limit, rounds, open[PLANS];
    struct cor_trace trace; /* its arrays are this test's own */
    struct cor_trace_event events[8000];
    struct cor_value values[8000];
};

enum result { DONE, FAILED, STOPPED };

static void note(struct naive_run *run, enum cor_trace_kind kind, uint8_t flag, uint32_t plan,
                 uint32_t subject, uint32_t parent, uint32_t value) {
    assert_true(run->trace.event_count < 8000);
    run->events[run->trace.event_count++] = (struct cor_trace_event){.kind = (uint8_t)kind,
                                                                     .flag = flag,
                                                                     .plan = plan,
                                                                     .subject = subject,
                                                                     .parent = parent,
                                                                     .value = value};
}

static void note_value(struct naive_run *run, const struct plain *value) {
    assert_true(run->trace.value_count < 8000);
    run->values[run->trace.value_count++] = real_value(value, run->words);
}

/* What all names mean now: a key that the event has a parameter for, by name and type, is that parameter. */
static void look(const struct naive_run *run, uint32_t event, const struct plain *arguments,
                 struct plain *seen) {
    const struct naive_event *of = &run->naive->events[event];
    for (uint32_t f = 0; f < run->naive->field_count; f++) {
        seen[f] = run->fields[f];
        for (uint32_t p = 0; p < of->parameter_count; p++)
            if (run->naive->fields[f].is_key && run->naive->fields[f].type == of->types[p] &&
                strcmp(run->naive->fields[f].name, of->parameters[p]) == 0)
                seen[f] = arguments[p];
    }
    for (uint32_t p = 0; p < of->parameter_count; p++)
        seen[FIELDS + p] = arguments[p];
}

/* The value of a tree now, of the type that is wanted. */
static bool value_now(const struct naive_run *run, const struct tree *tree, uint32_t event,
                      const struct plain *arguments, struct plain *value) {
    struct plain seen[FIELDS + PARAMETERS];
    look(run, event, arguments, seen);
    return tree_value(tree, seen, value);
}

static bool holds_now(const struct naive_run *run, const struct tree *tree, uint32_t event,
                      const struct plain *arguments) {
    struct plain value;
    return value_now(run, tree, event, arguments, &value) && value.integer;
}

static enum result run_post(struct naive_run *run, uint32_t event, const struct plain *arguments,
                            uint32_t plan, uint32_t parent);

/* A plan at work: which, for what, and where it started. */
struct at_work {
    uint32_t plan, event, started;
    const struct plain *arguments;
};

static bool step_taken(struct naive_run *run) {
    if (run->steps == run->step_limit) {
        run->trace.end = COR_TRACE_END_STEPS;
        return false;
    }
    run->steps++;
    return true;
}

static enum result run_set(struct naive_run *run, const struct naive_statement *statement,
                           const struct at_work *work) {
    struct plain value;
    if (!value_now(run, statement->value, work->event, work->arguments, &value))
        return FAILED;
    run->fields[statement->subject] = value;
    note(run, COR_TRACE_WROTE, 0, work->plan, statement->subject, work->started, run->trace.value_count);
    note_value(run, &value);
    struct plain seen[FIELDS + PARAMETERS];
    look(run, work->event, work->arguments, seen);
    for (uint32_t r = 0; r < run->naive->rule_count; r++) {
        const struct naive_rule *rule = &run->naive->rules[r];
        struct plain when;
        if (rule->belief != run->naive->fields[statement->subject].belief ||
            !tree_value(rule->when, seen, &when) || !when.integer)
            continue;
        note(run, COR_TRACE_POSTED, COR_POSTER_RULE, work->plan, rule->event, work->started,
             run->trace.value_count);
        for (uint32_t p = 0; p < run->naive->events[rule->event].parameter_count; p++)
            note_value(run, &seen[rule->fields[p]]);
    }
    return DONE;
}

static enum result run_posting(struct naive_run *run, const struct naive_statement *statement,
                               const struct at_work *work) {
    struct plain arguments[PARAMETERS];
    for (uint32_t p = 0; p < run->naive->events[statement->subject].parameter_count; p++)
        if (!value_now(run, statement->arguments[p], work->event, work->arguments, &arguments[p]))
            return FAILED;
    enum result result = run_post(run, statement->subject, arguments, work->plan, work->started);
    return result == FAILED && statement->optional ? DONE : result;
}

static enum result run_block(struct naive_run *run, const struct naive_statement *statement,
                             const struct at_work *work) {
    enum result result = DONE;
    for (; statement && result == DONE; statement = statement->next) {
        bool again = true;
        while (again && result == DONE) {
            again = false;
            if (!step_taken(run))
                return STOPPED;
            switch (statement->kind) {
            case COR_STATEMENT_SET:
                result = run_set(run, statement, work);
                break;
            case COR_STATEMENT_SEND:
            case COR_STATEMENT_DO:
                note(run, statement->kind == COR_STATEMENT_SEND ? COR_TRACE_SENT : COR_TRACE_DID, 0,
                     work->plan, statement->subject, work->started,
                     statement->kind == COR_STATEMENT_SEND ? run->trace.value_count : 0);
                break;
            case COR_STATEMENT_POST:
                result = run_posting(run, statement, work);
                break;
            case COR_STATEMENT_IF:
                result = run_block(run,
                                   holds_now(run, statement->value, work->event, work->arguments)
                                       ? statement->inside
                                       : statement->otherwise,
                                   work);
                break;
            case COR_STATEMENT_WHILE:
                again = holds_now(run, statement->value, work->event, work->arguments);
                if (again)
                    result = run_block(run, statement->inside, work);
                break;
            case COR_STATEMENT_PARALLEL: /* agent_parallel */
            case COR_STATEMENT_STRAND:
            case COR_STATEMENT_INSERT: /* of relations */
            case COR_STATEMENT_REMOVE:
            case COR_STATEMENT_FAIL:
                result = FAILED;
                break;
            }
        }
    }
    return result;
}

static enum result run_plan(struct naive_run *run, uint32_t plan, uint32_t event, uint32_t posted,
                            const struct plain *arguments, uint32_t parent) {
    if (run->open[plan] > run->rounds) {
        run->trace.end = COR_TRACE_END_ROUNDS;
        return STOPPED;
    }
    if (!step_taken(run))
        return STOPPED;
    const struct at_work work = {plan, event, run->trace.event_count, arguments};
    note(run, COR_TRACE_STARTED, 0, plan, event, parent, posted);
    run->open[plan]++;
    enum result result = run_block(run, run->naive->plans[plan].body, &work);
    run->open[plan]--;
    if (result != STOPPED)
        note(run, COR_TRACE_ENDED, result == DONE, plan, event, work.started, 0);
    return result;
}

static enum result run_post(struct naive_run *run, uint32_t event, const struct plain *arguments,
                            uint32_t plan, uint32_t parent) {
    bool applicable[PLANS];
    uint32_t posted = run->trace.event_count;
    note(run, COR_TRACE_POSTED, plan == COR_NONE ? COR_POSTER_CASE : COR_POSTER_PLAN, plan, event, parent,
         run->trace.value_count);
    for (uint32_t p = 0; p < run->naive->events[event].parameter_count; p++)
        note_value(run, &arguments[p]);
    for (uint32_t p = 0; p < run->naive->plan_count; p++) {
        const struct naive_plan *handler = &run->naive->plans[p];
        applicable[p] = handler->trigger == event && !handler->absent &&
                        (!handler->context || holds_now(run, handler->context, event, arguments));
        if (handler->trigger == event && !handler->absent)
            note(run, COR_TRACE_CONTEXT, applicable[p], p, event, parent, posted);
    }
    for (uint32_t p = 0; p < run->naive->plan_count; p++) {
        enum result result = applicable[p] ? run_plan(run, p, event, posted, arguments, parent) : FAILED;
        if (result != FAILED)
            return result;
    }
    return FAILED;
}

/* A case drawn for the design: both must make the same of it. */
static void compare_case(const struct naive *naive, const struct cor_design *design,
                         struct cor_interpreter *interpreter, struct cor_rng *rng, struct cor_trace *trace,
                         uint32_t ends[COR_TRACE_END_CODES], uint64_t *events) {
    static struct naive_run run;
    struct plain arguments[PARAMETERS];
    struct cor_value argument_values[PARAMETERS], beliefs[FIELDS];
    uint32_t event = cor_rng_below(rng, naive->event_count);
    memset(&run, 0, offsetof(struct naive_run, events));
    run.naive = naive;
    run.words = &design->words;
    run.trace.events = run.events;
    run.trace.values = run.values;
    run.step_limit = cor_rng_below(rng, 4) > 0 ? 80 : cor_rng_below(rng, 12);
    run.rounds = cor_rng_below(rng, 4);
    for (uint32_t f = 0; f < naive->field_count; f++) {
        run.fields[f] = random_plain(rng, naive->fields[f].type);
        beliefs[f] = real_value(&run.fields[f], run.words);
    }
    for (uint32_t p = 0; p < naive->events[event].parameter_count; p++) {
        arguments[p] = random_plain(rng, naive->events[event].types[p]);
        argument_values[p] = real_value(&arguments[p], run.words);
    }
    const struct cor_agent_case unit_case = {.event = event,
                                             .arguments = argument_values,
                                             .beliefs = beliefs,
                                             .steps = run.step_limit,
                                             .rounds = run.rounds};
    MUST(cor_interpreter_run(interpreter, &unit_case, trace, error));
    run.trace.end = COR_TRACE_END_QUIET;
    run_post(&run, event, arguments, COR_NONE, COR_NONE);
    run.trace.steps = run.steps;
    ends[trace->end]++;
    *events += trace->event_count;
    if (!cor_trace_equal(trace, &run.trace)) {
        char *found = cor_trace_print(design, trace), *expected = cor_trace_print(design, &run.trace);
        fail_msg("expected\n%s\nfound\n%s", expected, found);
    }
}

static uint32_t design_count = 10000;

static void traces_are_those_of_a_naive_interpreter(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 77, .purpose = COR_PURPOSE_TEST});
    struct cor_trace trace;
    uint32_t ends[COR_TRACE_END_CODES] = {0};
    uint64_t events = 0;
    cor_trace_init(&trace);
    for (uint64_t seed = 1; seed <= design_count; seed++) {
        struct naive *naive = make_naive(seed);
        struct cor_design *design = write_design(naive);
        struct cor_agent_code *code = cor_agent_code_create(design);
        assert_non_null(code);
        for (uint32_t absent = 0; absent < 2; absent++) {
            if (absent) {
                uint32_t plan = cor_rng_below(&rng, naive->plan_count);
                naive->plans[plan].absent = true;
                const struct cor_plan_change change = {.plan = plan, .absent = true};
                MUST(cor_agent_code_change(code, &change, error));
            }
            struct cor_interpreter *interpreter = cor_interpreter_create(code);
            assert_non_null(interpreter);
            for (int i = 0; i < 10; i++)
                compare_case(naive, design, interpreter, &rng, &trace, ends, &events);
            cor_interpreter_destroy(interpreter);
        }
        cor_agent_code_destroy(code);
        cor_design_destroy(design);
        free_naive(naive);
    }
    cor_trace_fini(&trace);
    assert_true(ends[COR_TRACE_END_QUIET] > 10 * design_count &&
                ends[COR_TRACE_END_STEPS] > 0.8 * design_count &&
                ends[COR_TRACE_END_ROUNDS] > 0.8 * design_count && events > 80 * design_count);
}

/* Designs of garbage: texts that are now and then an expression, names that are now and then there. */

static const char *garbage(struct cor_rng *rng, char *text) {
    static const char *const pieces[] = {"A",     "B",    "set0.A", "N",   "1",    "0.5", "+",
                                         "<",     "=",    "and",    "or",  "(",    ")",   "null",
                                         "'red'", "true", "not ",   "/ 0", "max(", ","};
    uint32_t count = cor_rng_below(rng, 6);
    *text = '\0';
    for (uint32_t i = 0; i < count; i++) {
        uint32_t piece = cor_rng_below(rng, sizeof pieces / sizeof *pieces);
        strcat(text, pieces[piece]);
        strcat(text, " ");
    }
    return count > 0 ? text : "N > A";
}

static const char *some_name(struct cor_rng *rng) {
    static const char *const names[] = {"A",  "B", "N",   "set0",   "set0.A", "e0",
                                        "e1", "P", "int", "Colour", "",       "not"};
    return names[cor_rng_below(rng, sizeof names / sizeof *names)];
}

/* COR_OK, or what went wrong with the input. */
static enum cor_status add_garbage(struct cor_design *design, struct cor_rng *rng, struct cor_error *error) {
    char text[200];
    const char *name = some_name(rng);
    uint32_t plan;
    COR_TRY(cor_design_add_plan(design, name, 0, NULL, &plan, error));
    struct cor_body body;
    cor_body_init(&body);
    enum cor_status status = COR_OK;
    for (uint32_t i = cor_rng_below(rng, 5); i > 0 && status == COR_OK; i--) {
        enum cor_statement_kind kind = (enum cor_statement_kind)cor_rng_below(rng, 7);
        const char *subject = some_name(rng), *value = garbage(rng, text);
        bool has_value = kind == COR_STATEMENT_SET || kind == COR_STATEMENT_IF || kind == COR_STATEMENT_WHILE;
        status = cor_body_add(&body, kind, NULL, kind <= COR_STATEMENT_POST ? subject : NULL,
                              has_value ? value : NULL, false, error);
        if (status == COR_OK && kind == COR_STATEMENT_POST)
            status = cor_body_add_argument(&body, "N", garbage(rng, text), error);
    }
    while (body.open.count > 0)
        cor_body_close(&body);
    if (status == COR_OK) {
        bool has_context = cor_rng_below(rng, 2);
        const char *context = garbage(rng, text);
        status = cor_design_set_code_take(design, plan, has_context ? context : NULL, NULL, &body, error);
    }
    cor_body_fini(&body);
    return status;
}

static enum cor_status add_parts(struct cor_design *design, struct cor_rng *rng, struct cor_error *error) {
    char text[200];
    static const char *const fields[] = {"A", "B"};
    COR_TRY(cor_design_add_belief(design, "set0", NULL, NULL, error));
    for (int f = 0; f < 2; f++) {
        uint32_t domain = cor_rng_below(rng, COR_DOMAIN_BUILT_IN);
        COR_TRY(cor_design_add_field(design, fields[f], domain, false, NULL, NULL, error));
    }
    for (int e = 0; e < 2; e++) {
        COR_TRY(cor_design_add_event(design, e ? "e1" : "e0", COR_EVENT_KIND_BELIEF, NULL, NULL, error));
        uint32_t domain = cor_rng_below(rng, COR_DOMAIN_BUILT_IN);
        COR_TRY(cor_design_add_parameter(design, "N", domain, NULL, NULL, error));
        struct cor_condition condition;
        char relation[300];
        snprintf(relation, sizeof relation, "<= %s", garbage(rng, text));
        enum cor_status status =
            cor_design_parse_condition(design, relation, (uint32_t)e, 2, NULL, &condition, NULL);
        assert_true(status == COR_OK || status == COR_STATUS_INPUT);
    }
    return cor_rng_below(rng, 4) > 0 ? COR_OK
                                     : cor_design_add_rule(design, 0, garbage(rng, text), 1, NULL, error);
}

static void run_garbage(struct cor_design *design) {
    struct cor_agent_code *code = cor_agent_code_create(design);
    struct cor_interpreter *interpreter = cor_interpreter_create(code);
    struct cor_trace trace;
    cor_trace_init(&trace);
    static const struct cor_value values[] = {{COR_VALUE_INTEGER, {1}},
                                              {COR_VALUE_REAL, {.real = 0.5}},
                                              {COR_VALUE_INTEGER, {0}},
                                              {COR_VALUE_NULL, {0}}};
    for (uint32_t e = 0; e < design->event_count; e++) {
        const struct cor_value argument = values[design->events[e].parameters[0].domain];
        const struct cor_agent_case unit_case = {
            .event = e, .arguments = &argument, .beliefs = code->start, .steps = 50, .rounds = 3};
        MUST(cor_interpreter_run(interpreter, &unit_case, &trace, error));
        char *text = cor_trace_print(design, &trace);
        assert_non_null(text);
        free(text);
    }
    cor_trace_fini(&trace);
    cor_interpreter_destroy(interpreter);
    cor_agent_code_destroy(code);
}

static void any_design_is_refused_or_executed(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 78, .purpose = COR_PURPOSE_TEST});
    uint32_t executed = 0, refused = 0;
    for (uint32_t round = 0; round < 3 * design_count; round++) {
        struct cor_design *design = new_design();
        struct cor_error error = COR_NO_ERROR;
        enum cor_status status = add_parts(design, &rng, &error);
        for (uint32_t p = cor_rng_below(&rng, 3); p > 0 && status == COR_OK; p--)
            status = add_garbage(design, &rng, &error);
        if (status == COR_OK) {
            run_garbage(design);
            executed++;
        } else {
            assert_int_equal(status, COR_STATUS_INPUT);
            assert_true(strlen(error.cause) > 0);
            refused++;
        }
        cor_design_destroy(design);
    }
    assert_true(executed > design_count / 2 && refused > design_count / 2);
}

int main(int argc, char **argv) {
    if (argc > 1)
        design_count = (uint32_t)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(traces_are_those_of_a_naive_interpreter),
                                       cmocka_unit_test(any_design_is_refused_or_executed)};
    return cmocka_run_group_tests_name("agent_random", tests, NULL, NULL);
}
