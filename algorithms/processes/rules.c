/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module is asked in a cell, a program in another language by lines. What is said comes as numbers, the
 * same from both: views one after the other, up or down; of each the choices, and of each choice its local
 * states. */
#include "internal.h"

#include <corridor/rules.h>

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/guarantees.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTCOMES_MOST 4096u            /* that are equally likely */
#define DESK_BYTES ((size_t)512 << 20) /* addresses alone, until they are written */
#define CPU_SECONDS 60.                /* for all that a module is asked at a time */
#define DOMAIN_MOST (UINT64_C(1) << 32)
#define MAIL_MOST 4096u /* messages of a kind that are declared */

static const char *name_of(const struct cor_process_rules *rules) {
    return cor_process_description(rules->definition.program)->name;
}

static enum cor_status refuse(const struct cor_process_rules *rules, const char *remedy,
                              struct cor_error *error, const char *format, ...) COR_PRINTF(4, 5);
static enum cor_status refuse(const struct cor_process_rules *rules, const char *remedy,
                              struct cor_error *error, const char *format, ...) {
    char cause[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    return cor_fail(error, COR_STATUS_INPUT, name_of(rules), remedy, "%s", cause);
}

uint32_t cor_rules_value(const struct cor_rules_process *process, uint32_t local, uint32_t variable) {
    for (uint32_t v = 0; v < variable; v++)
        local /= process->domains[v].count;
    return local % process->domains[variable].count;
}

void cor_rules_text(const struct cor_rules_domain *domain, uint32_t value, char *text, size_t size) {
    if (domain->words)
        snprintf(text, size, "%s", domain->words[value]);
    else
        snprintf(text, size, "%" PRId64, domain->numbers ? domain->numbers[value] : domain->from + value);
}

/* ---- what is declared, once it was said */

static enum cor_status check_declared(struct cor_process_rules *rules, struct cor_error *error) {
    const uint32_t count = rules->definition.process_count;
    if (rules->variable_count == 0)
        return refuse(rules, "def variables(self): return {\"x\": range(5)}", error,
                      "it has no variable: nothing could be wrong after a fault");
    for (uint32_t p = 0; p < count; p++) {
        struct cor_rules_process *process = &rules->processes[p];
        uint64_t locals = 1, seen = 0;
        for (uint32_t v = 0; v < rules->variable_count; v++) {
            if (process->domains[v].count == 0)
                return refuse(rules, "each variable has one value at least", error,
                              "variable %s of process %" PRIu32 " has an empty domain", rules->variables[v],
                              p);
            locals *= process->domains[v].count;
            if (locals > UINT32_MAX / 2)
                return refuse(rules, "at most 2^31", error, "process %" PRIu32 " has more than 2^31 states",
                              p);
        }
        process->local_count = (uint32_t)locals;
        for (uint32_t r = 0; r < process->read_count; r++) {
            const uint32_t q = process->reads[r];
            if (q >= count)
                return refuse(rules, "processes are numbered from 0", error,
                              "process %" PRIu32 " reads process %" PRIu32 ", and there are %" PRIu32, p, q,
                              count);
            if (q == p || seen >> q & 1)
                return refuse(rules, "name others, each once", error,
                              q == p ? "process %" PRIu32 " reads itself: its own variables it has anyway"
                                     : "process %" PRIu32 " reads process %" PRIu32 " twice",
                              p, q);
            seen |= UINT64_C(1) << q;
        }
    }
    for (uint32_t p = 0; p < count; p++) {
        struct cor_rules_process *process = &rules->processes[p];
        process->view_count = process->local_count;
        for (uint32_t r = 0; r < process->read_count; r++) {
            const uint64_t locals = rules->processes[process->reads[r]].local_count;
            process->view_count =
                process->view_count > UINT64_MAX / locals ? UINT64_MAX : process->view_count * locals;
        }
    }
    return COR_OK;
}

/* ---- a program in another language: lines */

static enum cor_status take_domain(const struct cor_json *json, struct cor_rules_domain *domain,
                                   struct cor_error *said) {
    static const char *const keys[] = {"from", "below", NULL};
    struct cor_json member;
    int64_t below;
    const int64_t most = INT64_C(1) << 53;
    if (cor_json_is_object(json)) {
        COR_TRY(cor_json_expect_object(json, keys, said));
        COR_TRY(cor_json_need(json, "from", &member, said));
        COR_TRY(cor_json_integer(&member, -most, most, &domain->from, said));
        COR_TRY(cor_json_need(json, "below", &member, said));
        COR_TRY(cor_json_integer(&member, -most, most, &below, said));
        if (below - domain->from >= (int64_t)DOMAIN_MOST)
            return cor_json_fail(json, said, "at most 2^32 - 1 of them", "has %" PRId64 " values",
                                 below - domain->from);
        domain->count = below > domain->from ? (uint32_t)(below - domain->from) : 0;
        return COR_OK;
    }
    COR_TRY(cor_json_expect_array(json, 0, 1u << 20, said));
    const uint32_t count = (uint32_t)cor_json_size(json);
    const struct cor_json first = count > 0 ? cor_json_at(json, 0) : *json;
    if (count > 0 && cor_json_is_string(&first))
        COR_TRY(cor_made(domain->words = cor_calloc(count + 1, sizeof *domain->words), said));
    else
        COR_TRY(cor_made(domain->numbers = cor_calloc(count + 1, sizeof *domain->numbers), said));
    for (; domain->count < count; domain->count++) {
        const struct cor_json item = cor_json_at(json, domain->count);
        const char *word;
        bool is_double = false;
        if (domain->words) {
            COR_TRY(cor_json_string(&item, &word, said));
            COR_TRY(cor_made(domain->words[domain->count] = cor_strdup(word), said));
        } else
            COR_TRY(cor_json_integer(&item, -most, most, &domain->numbers[domain->count], said));
        for (uint32_t before = 0; before < domain->count && !is_double; before++)
            is_double = domain->words ? strcmp(domain->words[before], word) == 0
                                      : domain->numbers[before] == domain->numbers[domain->count];
        if (is_double)
            return cor_json_fail(&item, said, "each value once", "stands there twice");
    }
    return COR_OK;
}

struct taking {
    struct cor_process_rules *rules;
    uint32_t process;
    struct cor_bytes *said; /* of views */
};

enum cor_status processes__add_mail(struct cor_process_rules *rules, uint32_t kind, const void *bytes,
                                    uint32_t size, struct cor_error *error) {
    struct cor_rules_message *message;
    COR_TRY(COR_RESERVE(&rules->mail, &rules->mail_capacity, rules->mail_count + 1, error));
    message = &rules->mail[rules->mail_count];
    *message = (struct cor_rules_message){.kind = kind, .size = size};
    COR_TRY(cor_made(message->bytes = cor_calloc((size_t)size + 1, 1), error));
    if (size > 0)
        memcpy(message->bytes, bytes, size);
    rules->mail_count++;
    return COR_OK;
}

/* {"token": [0, 1]}: values of messages of each kind. */
static enum cor_status take_mail(const struct cor_json *mail, struct cor_process_rules *rules,
                                 struct cor_error *said) {
    const struct cor_process *program = cor_process_description(rules->definition.program);
    const char *kinds[COR_PROCESS_ATTRIBUTES_MAX + 1] = {NULL};
    for (uint32_t k = 0; k < program->message_count; k++)
        kinds[k] = program->messages[k].name;
    COR_TRY(cor_json_expect_object(mail, kinds, said));
    for (uint32_t k = 0; k < program->message_count; k++) {
        struct cor_json list;
        if (!cor_json_find(mail, kinds[k], &list))
            continue;
        COR_TRY(cor_json_expect_array(&list, 0, MAIL_MOST, said));
        COR_JSON_CHILDREN(item, &list) {
            COR_FREED char *text = cor_json_is_null(&item) ? cor_strdup("") : cor_json_text(&item);
            COR_TRY(cor_made(text, said));
            COR_TRY(processes__add_mail(rules, k, text, (uint32_t)strlen(text), said));
        }
    }
    return COR_OK;
}

static enum cor_status take_declared(const struct cor_json *answer, void *into, struct cor_error *said) {
    static const char *const keys[] = {"id", "variables", "reads", "mail", NULL};
    struct taking *taking = into;
    struct cor_process_rules *rules = taking->rules;
    struct cor_rules_process *process = &rules->processes[taking->process];
    struct cor_json list;
    COR_TRY(cor_json_expect_object(answer, keys, said));
    COR_TRY(cor_json_need(answer, "variables", &list, said));
    COR_TRY(cor_json_expect_object(&list, NULL, said));
    const uint32_t count = (uint32_t)cor_json_size(&list);
    if (count > COR_PROCESS_ATTRIBUTES_MAX)
        return cor_json_fail(&list, said, NULL, "has %" PRIu32 " variables, and can have %u", count,
                             COR_PROCESS_ATTRIBUTES_MAX);
    if (taking->process == 0) {
        COR_TRY(cor_made(rules->variables = cor_calloc(count + 1, sizeof *rules->variables), said));
        for (; rules->variable_count < count; rules->variable_count++)
            COR_TRY(cor_made(rules->variables[rules->variable_count] =
                                 cor_strdup(cor_json_at(&list, rules->variable_count).key),
                             said));
    }
    COR_TRY(
        cor_made(process->domains = cor_calloc(rules->variable_count + 1, sizeof *process->domains), said));
    COR_TRY(cor_json_expect_object(&list, (const char *const *)rules->variables, said));
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        struct cor_json item;
        COR_TRY(cor_json_need(&list, rules->variables[v], &item, said));
        COR_TRY(take_domain(&item, &process->domains[v], said));
        if ((process->domains[v].words != NULL) != (rules->processes[0].domains[v].words != NULL))
            return cor_json_fail(&item, said, "words in all of them, or numbers",
                                 "has words in one process and numbers in another");
    }
    if (cor_json_find(answer, "mail", &list))
        COR_TRY(take_mail(&list, rules, said));
    if (!cor_process_description(rules->definition.program)->rule)
        return COR_OK;
    COR_TRY(cor_json_need(answer, "reads", &list, said));
    COR_TRY(cor_json_expect_array(&list, 0, COR_RULES_PROCESSES_MAX, said));
    for (; process->read_count < cor_json_size(&list); process->read_count++) {
        const struct cor_json item = cor_json_at(&list, process->read_count);
        int64_t number;
        COR_TRY(cor_json_integer(&item, 0, UINT32_MAX, &number, said));
        process->reads[process->read_count] = (uint32_t)number;
    }
    return COR_OK;
}

static enum cor_status ignore_answer(const struct cor_json *answer, void *into, struct cor_error *said) {
    (void)answer, (void)into, (void)said;
    return COR_OK;
}

enum cor_status processes__ask_declared(struct cor_process_rules *rules, struct processes__talk *talk,
                                        bool is_first, struct cor_error *error) {
    const bool has_rule = cor_process_description(rules->definition.program)->rule != NULL;
    COR_TRY(processes__talk_start(talk, error));
    for (uint32_t p = 0; p < rules->definition.process_count; p++) {
        struct cor_bytes *line = processes__talk_begin(talk, has_rule ? "start" : "declare");
        const char *between = "";
        cor_bytes_print(line, "%" PRIu32 ",\"neighbours\":[", p);
        for (uint64_t left = rules->definition.neighbours ? rules->definition.neighbours[p] : 0; left != 0;
             left &= left - 1) {
            cor_bytes_print(line, "%s%d", between, __builtin_ctzll(left));
            between = ",";
        }
        cor_bytes_print(line, "]");
        struct taking taking = {.rules = rules, .process = p};
        COR_TRY(processes__talk_ask(talk, is_first ? take_declared : ignore_answer, &taking, error));
    }
    return COR_OK;
}

void processes__put_values(struct cor_bytes *line, const struct cor_process_rules *rules, uint32_t p,
                           uint32_t local) {
    const struct cor_rules_process *process = &rules->processes[p];
    char text[32];
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        const struct cor_rules_domain *domain = &process->domains[v];
        const uint32_t value = cor_rules_value(process, local, v);
        cor_bytes_print(line, v > 0 ? "," : "{");
        cor_json_print_string(line, rules->variables[v]);
        cor_bytes_print(line, ":");
        if (domain->words)
            cor_json_print_string(line, domain->words[value]);
        else {
            cor_rules_text(domain, value, text, sizeof text);
            cor_bytes_print(line, "%s", text);
        }
    }
    cor_bytes_print(line, "}");
}

enum cor_status cor_rules_value_read(const struct cor_process_rules *rules, uint32_t process,
                                     uint32_t variable, const struct cor_json *json, uint32_t *value,
                                     struct cor_error *error) {
    const struct cor_rules_domain *domain = &rules->processes[process].domains[variable];
    int64_t number = 0;
    const char *word = NULL;
    *value = 0;
    if (domain->words)
        COR_TRY(cor_json_string(json, &word, error));
    else
        COR_TRY(cor_json_integer(json, INT64_MIN, INT64_MAX, &number, error));
    if (!domain->words && !domain->numbers && number >= domain->from)
        *value = number - domain->from < domain->count ? (uint32_t)(number - domain->from) : domain->count;
    else if (!domain->words && !domain->numbers)
        *value = domain->count;
    else
        while (*value < domain->count &&
               (word ? strcmp(domain->words[*value], word) != 0 : domain->numbers[*value] != number))
            ++*value;
    if (*value < domain->count)
        return COR_OK;
    char first[40], last[40], text[64];
    cor_rules_text(domain, 0, first, sizeof first);
    cor_rules_text(domain, domain->count - 1, last, sizeof last);
    snprintf(text, sizeof text, "%" PRId64, number);
    return cor_json_fail(json, error, NULL, "%s is no value of %s of process %" PRIu32 ", which has %s .. %s",
                         word ? word : text, rules->variables[variable], process, first, last);
}

/* A row that a rule returned: a local state. */
static enum cor_status take_row(const struct cor_json *row, const struct taking *taking, uint32_t *local,
                                struct cor_error *said) {
    const struct cor_process_rules *rules = taking->rules;
    uint32_t stride = 1;
    *local = 0;
    COR_TRY(cor_json_expect_object(row, (const char *const *)rules->variables, said));
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        struct cor_json item;
        uint32_t value;
        COR_TRY(cor_json_need(row, rules->variables[v], &item, said));
        COR_TRY(cor_rules_value_read(rules, taking->process, v, &item, &value, said));
        *local += value * stride;
        stride *= rules->processes[taking->process].domains[v].count;
    }
    return COR_OK;
}

enum cor_status processes__take_values(struct cor_process_rules *rules, uint32_t p,
                                       const struct cor_json *json, uint32_t *local, struct cor_error *said) {
    return take_row(json, &(struct taking){.rules = rules, .process = p}, local, said);
}

static enum cor_status take_choice(const struct cor_json *item, const struct taking *taking,
                                   struct cor_error *said) {
    static const char *const keys[] = {"chance", NULL};
    struct cor_json list;
    uint32_t local;
    if (!cor_json_find(item, "chance", &list)) {
        COR_TRY(take_row(item, taking, &local, said));
        cor_bytes_put_number(taking->said, 1, 4);
        cor_bytes_put_number(taking->said, local, 4);
        return COR_OK;
    }
    COR_TRY(cor_json_expect_object(item, keys, said));
    COR_TRY(cor_json_expect_array(&list, 1, OUTCOMES_MOST, said));
    cor_bytes_put_number(taking->said, cor_json_size(&list), 4);
    COR_JSON_CHILDREN(row, &list) {
        COR_TRY(take_row(&row, taking, &local, said));
        cor_bytes_put_number(taking->said, local, 4);
    }
    return COR_OK;
}

static enum cor_status take_view(const struct cor_json *answer, void *into, struct cor_error *said) {
    static const char *const keys[] = {"id", "next", NULL};
    const struct taking *taking = into;
    struct cor_json list;
    COR_TRY(cor_json_expect_object(answer, keys, said));
    COR_TRY(cor_json_need(answer, "next", &list, said));
    COR_TRY(cor_json_expect_array(&list, 0, COR_PROCESS_ROWS_MAX, said));
    cor_bytes_put_number(taking->said, cor_json_size(&list), 4);
    COR_JSON_CHILDREN(item, &list)
        COR_TRY(take_choice(&item, taking, said));
    return taking->said->status == COR_OK ? COR_OK : cor_fail_memory(said);
}

/* The order in which views of all processes are asked: one after the other, or, `again`, by leaps of about
 * two fifths of their number, which has no divisor in common with it: so what counts calls, or keeps what it
 * was asked before, comes to each view another way. Then some once more, of a small system all, each at a
 * place that is even if that before was odd: a rule that counts calls by twos has answered alike so far
 * perhaps. */
struct order {
    const struct cor_process_rules *rules;
    uint64_t count, leap, more, at;
    bool again;
};

#define ALL_MORE 4096u /* so many views are all asked once more, of others a sixteenth */

static struct order begin_order(const struct cor_process_rules *rules, bool again) {
    struct order order = {.rules = rules, .again = again};
    for (uint32_t p = 0; p < rules->definition.process_count; p++)
        order.count += rules->processes[p].view_count;
    if (again)
        order.more = order.count <= ALL_MORE ? order.count : ALL_MORE + (order.count - ALL_MORE) / 16;
    order.leap = order.count * 2 / 5 + 1;
    for (uint64_t a = order.count, b = order.leap; b != 1;) { /* until their greatest common divisor is 1 */
        const uint64_t rest = a % b;
        a = rest == 0 ? order.count : b;
        b = rest == 0 ? ++order.leap : rest;
    }
    return order;
}

/* The next view; false: these were all. */
static bool next_view(struct order *order, uint32_t *p, uint64_t *view) {
    if (order->at == order->count + order->more)
        return false;
    uint64_t place = order->at;
    if (place >= order->count) {
        place = order->count <= ALL_MORE ? place - order->count
                                         : cor_hash_word(COR_HASH_SEED, place) % order->count;
        place = (place + (place % 2 == order->at % 2)) % order->count;
    }
    /* Products stay below 2^64: there are at most 64 million views. */
    *view = order->again ? (order->count - 1 + place * order->leap) % order->count : place;
    order->at++;
    for (*p = 0; *view >= order->rules->processes[*p].view_count; ++*p)
        *view -= order->rules->processes[*p].view_count;
    return true;
}

static enum cor_status ask_lines(struct cor_process_rules *rules, bool again, struct cor_bytes *said,
                                 struct cor_error *error) {
    struct order order = begin_order(rules, again);
    struct processes__talk *talk = rules->talk;
    /* Again: of another process of the same program. */
    enum cor_status status = again ? processes__ask_declared(rules, talk, false, error) : COR_OK;
    uint64_t view;
    uint32_t p;
    while (status == COR_OK && next_view(&order, &p, &view)) {
        const struct cor_rules_process *process = &rules->processes[p];
        struct cor_bytes *line = processes__talk_begin(talk, "rule");
        cor_bytes_print(line, "%" PRIu32 ",\"own\":", p);
        processes__put_values(line, rules, p, (uint32_t)(view % process->local_count));
        view /= process->local_count;
        cor_bytes_print(line, ",\"near\":[");
        for (uint32_t r = 0; r < process->read_count; r++) {
            const uint32_t q = process->reads[r], locals = rules->processes[q].local_count;
            cor_bytes_print(line, r > 0 ? "," : "");
            processes__put_values(line, rules, q, (uint32_t)(view % locals));
            view /= locals;
        }
        cor_bytes_print(line, "]");
        struct taking taking = {.rules = rules, .process = p, .said = said};
        status = processes__talk_ask(talk, take_view, &taking, error);
    }
    processes__talk_forget(talk);
    return status;
}

/* ---- a module: in a cell, on a desk that it shares with whoever asks */

struct asked {
    struct cor_process_rules *rules;
    bool of_views, again;
};

/* What a rule did that it may not, and what it chose: each time it is called again with the next. */
struct trial {
    const char *wrong;
    uint32_t chosen[16], of[16], count, at;
    bool may_choose;
};

static struct trial *trial_of(const struct cor_process_host *host) {
    return host->data;
}

static uint64_t wrong_now(const struct cor_process_host *host) {
    trial_of(host)->wrong = "looks at now()";
    return 0;
}

static uint64_t wrong_random(const struct cor_process_host *host) {
    trial_of(host)->wrong = "draws by random(): choose() is for that";
    return 0;
}

static void wrong_send(const struct cor_process_host *host, uint32_t to, uint32_t kind, const void *bytes,
                       uint32_t size) {
    (void)to, (void)kind, (void)bytes, (void)size;
    trial_of(host)->wrong = "sends a message";
}

static void wrong_alarm(const struct cor_process_host *host, uint32_t which, uint64_t ticks) {
    (void)which, (void)ticks;
    trial_of(host)->wrong = "sets an alarm";
}

static void wrong_cell(const struct cor_process_host *host, uint32_t which, const void *bytes,
                       uint32_t size) {
    (void)which, (void)bytes, (void)size;
    trial_of(host)->wrong = "writes to a cell";
}

static void wrong_write(const struct cor_process_host *host, uint64_t ticket, uint32_t operation,
                        const void *bytes, uint32_t size) {
    (void)ticket, (void)operation, (void)bytes, (void)size;
    trial_of(host)->wrong = "begins a write";
}

static void *wrong_alloc(const struct cor_process_host *host, size_t size) {
    (void)size;
    trial_of(host)->wrong = "asks for memory";
    return NULL;
}

static void *wrong_resize(const struct cor_process_host *host, void *memory, size_t size) {
    (void)memory;
    return wrong_alloc(host, size);
}

static void wrong_release(const struct cor_process_host *host, void *memory) {
    (void)memory;
    trial_of(host)->wrong = "releases memory";
}

static void wrong_tell(const struct cor_process_host *host, uint32_t channel, uint64_t index,
                       uint64_t digest) {
    (void)channel, (void)index, (void)digest;
    trial_of(host)->wrong = "tells something";
}

static void wrong_call(const struct cor_process_host *host, uint32_t channel, uint64_t ticket,
                       const char *operation, const char *key, const char *value) {
    (void)channel, (void)ticket, (void)operation, (void)key, (void)value;
    trial_of(host)->wrong = "calls an operation";
}

static void wrong_answer(const struct cor_process_host *host, uint64_t ticket, uint32_t status,
                         const char *value) {
    (void)ticket, (void)status, (void)value;
    trial_of(host)->wrong = "answers a call";
}

static void wrong_word(const struct cor_process_host *host, const char *sentence) {
    (void)sentence;
    trial_of(host)->wrong = "says something";
}

static void wrong_complaint(const struct cor_process_host *host, const char *sentence) {
    (void)sentence;
    trial_of(host)->wrong = "complains";
}

static uint32_t choose(const struct cor_process_host *host, uint32_t count) {
    struct trial *trial = trial_of(host);
    if (!trial->may_choose || count == 0 || count > OUTCOMES_MOST || trial->at == 16) {
        trial->wrong = !trial->may_choose ? "chooses outside of a rule" : "chooses more than it may";
        return 0;
    }
    if (trial->at == trial->count) {
        trial->chosen[trial->at] = 0;
        trial->of[trial->at] = count;
        trial->count++;
    }
    if (trial->of[trial->at] != count) /* it is asked again with the same before */
        trial->wrong = "chooses otherwise when it is asked again";
    return trial->chosen[trial->at++];
}

/* The next outcome of what was chosen; false: these were all. */
static bool choose_next(struct trial *trial) {
    trial->count = trial->at;
    while (trial->count > 0 && trial->chosen[trial->count - 1] + 1 == trial->of[trial->count - 1])
        trial->count--;
    if (trial->count > 0)
        trial->chosen[trial->count - 1]++;
    trial->at = 0;
    return trial->count > 0;
}

static enum cor_status fail_wrong(const struct cor_process_rules *rules, uint32_t p, const char *what,
                                  struct cor_error *error) {
    return refuse(rules,
                  "a rule is a function of what it sees: choose() alone may be asked; all else is of "
                  "programs with messages",
                  error, "the rule of process %" PRIu32 " %s", p, what);
}

struct caller {
    const struct cor_process *program;
    struct cor_process_host host;
    struct trial trial;
    uint32_t neighbours[COR_RULES_PROCESSES_MAX];
};

static void prepare(struct caller *caller, const struct cor_process_rules *rules, uint32_t p) {
    const struct cor_rules_definition *definition = &rules->definition;
    caller->program = cor_process_description(definition->program);
    caller->trial = (struct trial){.wrong = NULL};
    caller->host = (struct cor_process_host){.struct_size = sizeof caller->host,
                                             .minor = COR_PROCESS_MINOR,
                                             .self = p,
                                             .count = definition->process_count,
                                             .fault = definition->fault,
                                             .data = &caller->trial,
                                             .now = wrong_now,
                                             .random = wrong_random,
                                             .send = wrong_send,
                                             .set_alarm = wrong_alarm,
                                             .cell = wrong_cell,
                                             .write = wrong_write,
                                             .alloc = wrong_alloc,
                                             .resize = wrong_resize,
                                             .release = wrong_release,
                                             .tell = wrong_tell,
                                             .complain = wrong_complaint,
                                             .choose = choose,
                                             .call = wrong_call,
                                             .answered = wrong_answer,
                                             .say = wrong_word,
                                             .neighbours = caller->neighbours};
    for (uint64_t left = definition->neighbours ? definition->neighbours[p] : 0; left != 0; left &= left - 1)
        caller->neighbours[caller->host.neighbour_count++] = (uint32_t)__builtin_ctzll(left);
}

/* Puts domains and whom it reads. */
static enum cor_status call_declared(const struct cor_process_rules *rules, uint32_t p,
                                     struct cor_bytes *said, struct cor_error *error) {
    struct caller caller;
    uint32_t reads[COR_RULES_PROCESSES_MAX] = {0};
    prepare(&caller, rules, p);
    for (uint32_t v = 0; v < rules->variable_count; v++)
        cor_bytes_put_number(said, caller.program->domain(&caller.host, v), 4);
    const uint32_t count = caller.program->rule ? caller.program->reads(&caller.host, reads) : 0;
    if (caller.trial.wrong)
        return fail_wrong(rules, p, caller.trial.wrong, error);
    if (count >= rules->definition.process_count)
        return refuse(rules, "at most all others", error,
                      "process %" PRIu32 " says that it reads %" PRIu32 " others", p, count);
    cor_bytes_put_number(said, count, 4);
    for (uint32_t r = 0; r < count; r++)
        cor_bytes_put_number(said, reads[r], 4);
    return COR_OK;
}

/* Puts what mail() may be under way, of all kinds; a size of UINT32_MAX ends a kind. */
static enum cor_status call_mail(const struct cor_process_rules *rules, uint32_t p, struct cor_bytes *said,
                                 struct cor_error *error) {
    struct caller caller;
    unsigned char bytes[COR_PROCESS_MAIL_BYTES_MAX];
    prepare(&caller, rules, p);
    for (uint32_t k = 0; k < caller.program->message_count && caller.program->mail; k++)
        for (uint32_t number = 0, size = 0; size != UINT32_MAX; number++) {
            size = caller.program->mail(&caller.host, k, number, bytes);
            if (caller.trial.wrong)
                return fail_wrong(rules, p, caller.trial.wrong, error);
            if (size != UINT32_MAX && (size > sizeof bytes || number == MAIL_MOST))
                return refuse(rules, "at most 4096 of each kind, of 4096 bytes", error,
                              "mail() of process %" PRIu32 " fills in too much", p);
            cor_bytes_put_number(said, size, 4);
            if (size != UINT32_MAX)
                cor_bytes_put(said, bytes, size);
        }
    return COR_OK;
}

uint32_t processes__local_of(const struct cor_process_rules *rules, uint32_t p, const uint32_t *values,
                             uint32_t *local) {
    const struct cor_rules_process *process = &rules->processes[p];
    uint32_t stride = 1;
    *local = 0;
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        if (values[v] >= process->domains[v].count)
            return v;
        *local += values[v] * stride;
        stride *= process->domains[v].count;
    }
    return rules->variable_count;
}

static enum cor_status take_rows(const struct cor_process_rules *rules, uint32_t p, const uint32_t *next,
                                 uint32_t count, uint32_t *locals, struct cor_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *values = next + i * rules->variable_count;
        const uint32_t v = processes__local_of(rules, p, values, &locals[i]);
        if (v < rules->variable_count)
            return refuse(rules, NULL, error,
                          "%" PRIu32 " is no value of %s of process %" PRIu32 ", which has 0 .. %" PRIu32,
                          values[v], rules->variables[v], p, rules->processes[p].domains[v].count - 1);
    }
    return COR_OK;
}

/* Puts the choices of a view. */
static enum cor_status call_rule(const struct cor_process_rules *rules, uint32_t p, uint64_t view,
                                 struct cor_bytes *said, struct cor_error *error) {
    const struct cor_rules_process *process = &rules->processes[p];
    uint32_t values[COR_RULES_PROCESSES_MAX][COR_PROCESS_ATTRIBUTES_MAX];
    const uint32_t *views[COR_RULES_PROCESSES_MAX + 1];
    uint32_t next[COR_PROCESS_ROWS_MAX * COR_PROCESS_ATTRIBUTES_MAX], rows[COR_PROCESS_ROWS_MAX];
    uint32_t outcomes[OUTCOMES_MOST], outcome_count = 0;
    uint64_t likely = 0;
    struct caller caller;
    prepare(&caller, rules, p);
    caller.trial.may_choose = true;
    for (uint32_t r = 0; r <= process->read_count; r++) {
        const struct cor_rules_process *seen = r == 0 ? process : &rules->processes[process->reads[r - 1]];
        for (uint32_t v = 0; v < rules->variable_count; v++)
            values[r][v] = cor_rules_value(seen, (uint32_t)(view % seen->local_count), v);
        view /= seen->local_count;
        views[r] = values[r];
    }
    do {
        const uint32_t count = caller.program->rule(&caller.host, views, next);
        struct trial *trial = &caller.trial;
        if (trial->wrong)
            return fail_wrong(rules, p, trial->wrong, error);
        if (count > COR_PROCESS_ROWS_MAX)
            return refuse(rules, NULL, error,
                          "the rule of process %" PRIu32 " returns %" PRIu32 " rows, of %u at most", p, count,
                          COR_PROCESS_ROWS_MAX);
        COR_TRY(take_rows(rules, p, next, count, rows, error));
        if (trial->at == 0) {
            cor_bytes_put_number(said, count, 4);
            for (uint32_t i = 0; i < count; i++) {
                cor_bytes_put_number(said, 1, 4);
                cor_bytes_put_number(said, rows[i], 4);
            }
            return COR_OK;
        }
        uint64_t product = 1;
        for (uint32_t c = 0; c < trial->at; c++)
            product *= trial->of[c];
        if (count != 1 || (likely != 0 && product != likely) || product > OUTCOMES_MOST ||
            outcome_count == OUTCOMES_MOST)
            return fail_wrong(
                rules, p,
                count != 1 ? "chooses, and returns not one row"
                           : "chooses so that not all of its rows are equally likely, or of more than 4096",
                error);
        likely = product;
        outcomes[outcome_count++] = rows[0];
    } while (choose_next(&caller.trial));
    cor_bytes_put_number(said, 1, 4);
    cor_bytes_put_number(said, outcome_count, 4);
    for (uint32_t o = 0; o < outcome_count; o++)
        cor_bytes_put_number(said, outcomes[o], 4);
    return COR_OK;
}

static enum cor_status call_all(const struct asked *asked, struct cor_bytes *said, struct cor_error *error) {
    const struct cor_process_rules *rules = asked->rules;
    uint64_t view;
    uint32_t p;
    for (p = 0; p < rules->definition.process_count && !asked->of_views; p++)
        COR_TRY(call_declared(rules, p, said, error));
    for (p = 0; p < rules->definition.process_count && !asked->of_views; p++)
        COR_TRY(call_mail(rules, p, said, error));
    if (asked->of_views)
        for (struct order order = begin_order(rules, asked->again); next_view(&order, &p, &view);)
            COR_TRY(call_rule(rules, p, view, said, error));
    return said->status == COR_OK ? COR_OK
                                  : cor_fail(error, COR_STATUS_MEMORY, name_of(rules), NULL,
                                             "its rules return more than %zu MiB", DESK_BYTES >> 20);
}

static void say_rules(void *argument, struct processes__desk *desk) {
    const struct asked *asked = argument;
    struct cor_bytes said = cor_bytes_into(desk->bytes, desk->capacity);
    desk->status = cor_process_load(asked->rules->definition.program, &desk->error);
    if (desk->status == COR_OK)
        desk->status = call_all(asked, &said, &desk->error);
    desk->size = said.size;
}

/* A question about rules: `answer` writes on the desk, `said` gets what lies there then. */
struct asking {
    const struct cor_process_rules *rules;
    void (*answer)(void *argument, struct processes__desk *desk);
    void *argument;
    struct cor_bytes *said;
};

static void answer_asking(void *argument, struct processes__desk *desk) {
    const struct asking *asking = argument;
    asking->answer(asking->argument, desk);
}

static enum cor_status take_desk(void *argument, const struct processes__desk *desk,
                                 struct cor_error *error) {
    const struct asking *asking = argument;
    if (desk->status != COR_OK) {
        struct cor_error is = desk->error;
        is.place[sizeof is.place - 1] = is.cause[sizeof is.cause - 1] = is.remedy[sizeof is.remedy - 1] =
            '\0';
        cor_make_printable(is.cause);
        return cor_fail(error, desk->status == COR_STATUS_MEMORY ? COR_STATUS_MEMORY : COR_STATUS_INPUT,
                        name_of(asking->rules), is.remedy[0] ? is.remedy : NULL, "%s", is.cause);
    }
    const size_t size = desk->size;
    if (size > DESK_BYTES)
        return processes__fail_ruined(asking->rules, error);
    cor_bytes_put(asking->said, desk->bytes, size);
    return asking->said->status == COR_OK ? COR_OK : cor_fail_memory(error);
}

enum cor_status processes__ask_of_rules(const struct cor_process_rules *rules, const char *through,
                                        void (*answer)(void *argument, struct processes__desk *desk),
                                        void *argument, struct cor_bytes *said, struct cor_error *error) {
    const struct cor_rules_definition *definition = &rules->definition;
    const uint64_t memory = definition->memory_bytes ? definition->memory_bytes : COR_GUEST_MEMORY;
    return processes__ask_module(
        &(struct processes__question){.path = definition->program->path,
                                      .name = name_of(rules),
                                      .through = through,
                                      .capacity = DESK_BYTES,
                                      .cpu_seconds = CPU_SECONDS,
                                      .memory_bytes = definition->is_free ? 0 : memory + DESK_BYTES,
                                      .is_free = definition->is_free,
                                      .is_full = definition->is_full,
                                      .answer = answer_asking,
                                      .take = take_desk,
                                      .argument = &(struct asking){rules, answer, argument, said}},
        error);
}

static enum cor_status ask_module(struct asked *asked, struct cor_bytes *said, struct cor_error *error) {
    return processes__ask_of_rules(asked->rules, "being asked for its rules", say_rules, asked, said, error);
}

/* ---- what both said */

enum cor_status processes__fail_ruined(const struct cor_process_rules *rules, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_PLUGIN, name_of(rules), NULL, "the module ruined what was asked of it");
}

static enum cor_status read_declared(struct cor_process_rules *rules, const struct cor_bytes *said,
                                     struct cor_error *error) {
    struct cor_bytes_reader reader = cor_bytes_reader(said->bytes, said->size);
    for (uint32_t p = 0; p < rules->definition.process_count; p++) {
        struct cor_rules_process *process = &rules->processes[p];
        COR_TRY(cor_made(process->domains = cor_calloc(rules->variable_count + 1, sizeof *process->domains),
                         error));
        for (uint32_t v = 0; v < rules->variable_count; v++)
            process->domains[v].count = (uint32_t)cor_bytes_take_number(&reader, 4);
        process->read_count = (uint32_t)cor_bytes_take_number(&reader, 4);
        if (process->read_count > COR_RULES_PROCESSES_MAX || reader.failed)
            return processes__fail_ruined(rules, error);
        for (uint32_t r = 0; r < process->read_count; r++)
            process->reads[r] = (uint32_t)cor_bytes_take_number(&reader, 4);
    }
    const struct cor_process *program = cor_process_description(rules->definition.program);
    for (uint32_t k = 0; k < rules->definition.process_count * program->message_count && program->mail; k++)
        for (uint32_t size;
             !reader.failed && (size = (uint32_t)cor_bytes_take_number(&reader, 4)) != UINT32_MAX;) {
            const void *bytes = cor_bytes_take(&reader, size);
            if (!reader.failed)
                COR_TRY(processes__add_mail(rules, k % program->message_count, bytes, size, error));
        }
    return reader.failed ? processes__fail_ruined(rules, error) : COR_OK;
}

/* A view's choices, in order; the same local state is one choice, however often it is said, also by a coin.
 */
static enum cor_status read_view(const struct cor_process_rules *rules, struct cor_bytes_reader *reader,
                                 uint32_t p, struct cor_rules_process *into, struct cor_error *error) {
    const uint32_t choices = (uint32_t)cor_bytes_take_number(reader, 4);
    const size_t first = into->choice_count;
    for (uint32_t c = 0; c < choices && !reader->failed; c++) {
        uint32_t count = (uint32_t)cor_bytes_take_number(reader, 4);
        if (choices > COR_PROCESS_ROWS_MAX || count == 0 || count > OUTCOMES_MOST)
            return processes__fail_ruined(rules, error);
        COR_TRY(COR_RESERVE(&into->outcomes, &into->outcome_capacity, into->outcome_count + count, error));
        COR_TRY(COR_RESERVE(&into->choices, &into->choice_capacity, into->choice_count + 1, error));
        uint32_t *outcomes = into->outcomes + into->outcome_count;
        bool is_double = false;
        for (uint32_t o = 0; o < count; o++) {
            outcomes[o] = (uint32_t)cor_bytes_take_number(reader, 4);
            if (outcomes[o] >= rules->processes[p].local_count)
                return processes__fail_ruined(rules, error);
        }
        uint32_t same = 1;
        while (same < count && outcomes[same] == outcomes[0])
            same++;
        count = same == count ? 1 : count; /* such a coin draws nothing */
        for (size_t before = first; before < into->choice_count && !is_double; before++)
            is_double =
                into->choices[before].count == count &&
                memcmp(into->outcomes + into->choices[before].first, outcomes, count * sizeof *outcomes) == 0;
        if (is_double)
            continue;
        into->choices[into->choice_count++] = (struct cor_rules_choice){(uint32_t)into->outcome_count, count};
        into->outcome_count += count;
    }
    return reader->failed ? processes__fail_ruined(rules, error) : COR_OK;
}

/* Tells of a view how the rule answered twice. */
static enum cor_status tell_hidden(struct cor_process_rules *rules, uint32_t p, uint64_t view,
                                   struct cor_error *error) {
    const struct cor_rules_process *process = &rules->processes[p];
    char *text = cor_format("process %" PRIu32 " keeps something that it does not declare: for ", p);
    const char *between = "";
    for (uint32_t r = 0; r <= process->read_count; r++) {
        const uint32_t q = r == 0 ? p : process->reads[r - 1];
        const struct cor_rules_process *seen = &rules->processes[q];
        const uint32_t local = (uint32_t)(view % seen->local_count);
        view /= seen->local_count;
        for (uint32_t v = 0; v < rules->variable_count; v++) {
            char value[64];
            cor_rules_text(&seen->domains[v], cor_rules_value(seen, local, v), value, sizeof value);
            text = cor_join_take(
                text, "", cor_format("%s%s of %" PRIu32 " = %s", between, rules->variables[v], q, value));
            between = ", ";
        }
    }
    rules->hidden =
        cor_join_take(text, "", cor_format(" its rule answered otherwise when it was asked again"));
    return cor_made(rules->hidden, error);
}

/* Reads views that were asked again, and compares. */
static enum cor_status compare(struct cor_process_rules *rules, const struct cor_bytes *said,
                               struct cor_error *error) {
    struct cor_bytes_reader reader = cor_bytes_reader(said->bytes, said->size);
    struct order order = begin_order(rules, true);
    struct cor_rules_process again = {0};
    enum cor_status status = COR_OK;
    uint64_t view;
    uint32_t p;
    while (status == COR_OK && !rules->hidden && next_view(&order, &p, &view)) {
        const struct cor_rules_process *process = &rules->processes[p];
        again.choice_count = again.outcome_count = 0;
        status = read_view(rules, &reader, p, &again, error);
        if (status != COR_OK)
            break;
        const uint32_t first = process->first[view], count = process->first[view + 1] - first;
        bool is_same = again.choice_count == count;
        for (uint32_t c = 0; c < count && is_same; c++) {
            const struct cor_rules_choice one = process->choices[first + c], other = again.choices[c];
            is_same = one.count == other.count &&
                      memcmp(process->outcomes + one.first, again.outcomes + other.first,
                             one.count * sizeof *again.outcomes) == 0;
        }
        if (!is_same)
            status = tell_hidden(rules, p, view, error);
    }
    free(again.choices);
    free(again.outcomes);
    return status;
}

static enum cor_status ask_views(struct cor_process_rules *rules, bool again, struct cor_bytes *said,
                                 struct cor_error *error) {
    if (rules->definition.program->command)
        return ask_lines(rules, again, said, error);
    return ask_module(&(struct asked){.rules = rules, .of_views = true, .again = again}, said, error);
}

enum cor_status cor_rules_ask(struct cor_process_rules *rules, struct cor_error *error) {
    COR_FINISHED(cor_bytes) struct cor_bytes said = {0};
    COR_TRY(ask_views(rules, false, &said, error));
    struct cor_bytes_reader reader = cor_bytes_reader(said.bytes, said.size);
    for (uint32_t p = 0; p < rules->definition.process_count; p++) {
        struct cor_rules_process *process = &rules->processes[p];
        process->first = cor_calloc(process->view_count + 1, sizeof *process->first);
        COR_TRY(cor_made(process->first, error));
        for (uint64_t view = 0; view < process->view_count; view++) {
            COR_TRY(read_view(rules, &reader, p, process, error));
            process->first[view + 1] = (uint32_t)process->choice_count;
        }
    }
    cor_bytes_clear(&said);
    COR_TRY(ask_views(rules, true, &said, error));
    return compare(rules, &said, error);
}

static enum cor_status declare(struct cor_process_rules *rules, struct cor_error *error) {
    const struct cor_process *program = cor_process_description(rules->definition.program);
    const uint32_t count = rules->definition.process_count;
    enum cor_status status;
    if (rules->definition.program->command) {
        COR_TRY(processes__talk_create(rules->definition.program, count, rules->definition.fault,
                                       &rules->talk, error));
        return processes__ask_declared(rules, rules->talk, true, error);
    }
    COR_FINISHED(cor_bytes) struct cor_bytes said = {0};
    rules->variable_count = program->variable_count;
    COR_TRY(
        cor_made(rules->variables = cor_calloc(rules->variable_count + 1, sizeof *rules->variables), error));
    for (uint32_t v = 0; v < rules->variable_count; v++)
        COR_TRY(cor_made(rules->variables[v] = cor_strdup(program->variables[v].name), error));
    status = ask_module(&(struct asked){.rules = rules}, &said, error);
    if (status == COR_OK)
        status = read_declared(rules, &said, error);
    return status;
}

enum cor_status cor_rules_create(const struct cor_rules_definition *definition,
                                 struct cor_process_rules **rules, struct cor_error *error) {
    COR_ASSERT(definition->process_count > 0 && definition->process_count <= COR_RULES_PROCESSES_MAX);
    struct cor_process_rules *made = cor_calloc(1, sizeof *made);
    *rules = made;
    COR_TRY(cor_made(made, error));
    made->definition = *definition;
    made->processes = cor_calloc(definition->process_count, sizeof *made->processes);
    enum cor_status status = cor_made(made->processes, error);
    if (status == COR_OK)
        status = declare(made, error);
    if (status == COR_OK)
        status = check_declared(made, error);
    if (status == COR_OK)
        return COR_OK;
    cor_rules_destroy(made);
    *rules = NULL;
    return status;
}

void cor_rules_destroy(struct cor_process_rules *rules) {
    if (!rules)
        return;
    for (uint32_t p = 0; p < rules->definition.process_count && rules->processes; p++) {
        struct cor_rules_process *process = &rules->processes[p];
        for (uint32_t v = 0; v < rules->variable_count && process->domains; v++) {
            for (uint32_t w = 0; w < process->domains[v].count && process->domains[v].words; w++)
                free(process->domains[v].words[w]);
            free(process->domains[v].words);
            free(process->domains[v].numbers);
        }
        free(process->domains);
        free(process->first);
        free(process->choices);
        free(process->outcomes);
    }
    for (uint32_t v = 0; v < rules->variable_count && rules->variables; v++)
        free(rules->variables[v]);
    free(rules->variables);
    free(rules->processes);
    for (size_t m = 0; m < rules->mail_count; m++)
        free(rules->mail[m].bytes);
    free(rules->mail);
    processes__talk_destroy(rules->talk);
    free(rules->hidden);
    free(rules);
}
