/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of rules: a run under a daemon, from any state. A choice is the move of a process; those of one step
 * have the same time, which is the number of the step. The file is that of other tests of the layer, with
 *   "process_test": {"expected": "loops", "daemon": "central", "start": {"x": [0, 3, 2]}, "loop": 0}
 *   "schedule": [["move", 1, 0, 0, 2], ..]      process, which of its moves, what comes of it, step
 * Of messages a step is an event, and a state is more than variables:
 *   "start": {"values": {"x": [0, 3]}, "alarms": [[0], []], "mail": [{"from": 0, "to": 1, "kind": "m",
 * "value": 2}]} "schedule": [["deliver", 1, 0, 0, 0, 2], ["lose", 1, 0, 0, 0, 3], ["time-out", 0, 0, 0, 0,
 * 4], ..] to, from (of an alarm: whose, which), which of its moves, what comes of it, step What it fails by
 * is the word of a verdict. It is executed in stabilize_bench.c. Of a program that does not say
 * what it keeps the start is what processes were told, stabilize_mixed.c, and events are those of other
 * tests. */
#include "internal.h"
#include "stabilize_messages.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/process_stabilize.h>
#include <corridor/subject_file.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cor_stabilize_scene_destroy(struct cor_stabilize_scene *scene) {
    if (!scene)
        return;
    cor_json_destroy(scene->values);
    free(scene->graph);
    free(scene);
}

/* ---- a test as a file */

static const char *const daemons[] = {
#define WORD(NAME, word, meaning) word,
    COR_DAEMONS(WORD) "any", NULL};
static const char *const fairnesses[] = {COR_FAIRNESSES(WORD) NULL};
static const char *const verdicts[] = {COR_STABILIZE_VERDICTS(WORD) COR_NO_FAILURE, NULL};
#undef WORD

struct reading {
    struct cor_stabilize_scene scene; /* fairness of it */
    int expected, daemon;
    int64_t loop;
};

static const struct cor_field fields[] = {
    {"expected", COR_REQUIRED, COR_ONE_OF_FIELD(struct reading, expected, verdicts, 0, "verdict")},
    {"daemon", COR_REQUIRED, COR_ONE_OF_FIELD(struct reading, daemon, daemons, 0, "daemon")},
    {"fair", COR_OPTIONAL, COR_ONE_OF_FIELD(struct reading, scene.fairness, fairnesses, 0, "fairness")},
    {"loop", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, loop, 0, 1000000000)},
    {"start", COR_REQUIRED, COR_KNOWN_FIELD},
    {0}};

static const char *const happenings[] = {[PROCESS_LAYER__MOVES] = "move",
                                         [PROCESS_LAYER__HEARS] = "deliver",
                                         [PROCESS_LAYER__LOSES] = "lose",
                                         [PROCESS_LAYER__ALARM] = "time-out",
                                         NULL};

static enum cor_status read_move(const struct cor_json *json, const struct cor_stabilize_scene *scene,
                                 const struct cor_choices *before, struct cor_choice *move,
                                 struct cor_error *error) {
    static const char *const words[] = {"move", NULL};
    const bool has_mail = scene->mail > 0;
    const size_t count = has_mail ? 5 : 4;
    int64_t most[] = {scene->process_count - 1, scene->process_count - 1, COR_PROCESS_ROWS_MAX - 1,
                      UINT32_MAX, UINT32_MAX},
            numbers[5] = {0};
    struct cor_json item;
    int word;
    COR_TRY(cor_json_expect_array(json, count + 1, count + 1, error));
    item = cor_json_at(json, 0);
    COR_TRY(has_mail ? cor_json_one_of(&item, happenings + 1, "event", &word, error)
                     : cor_json_one_of(&item, words, "event of rules", &word, error));
    *move = (struct cor_choice){.kind = (uint16_t)(word + has_mail)};
    if (move->kind == PROCESS_LAYER__ALARM)
        most[1] = COR_PROCESS_ALARMS_MAX - 1;
    for (size_t n = 0; n < count; n++) {
        const size_t into = n > 0 && !has_mail ? n + 1 : n; /* a move has nobody else in it */
        item = cor_json_at(json, n + 1);
        COR_TRY(cor_json_integer(&item, 0, most[into], &numbers[into], error));
    }
    move->who = (uint16_t)numbers[0];
    move->of = (uint16_t)numbers[1];
    move->what = (uint32_t)numbers[2];
    move->nth = (uint32_t)numbers[3];
    move->at = (uint64_t)numbers[4];
    if (before->count == 0)
        return COR_OK;
    const struct cor_choice *last = &before->items[before->count - 1];
    if (move->at < last->at)
        return cor_json_fail(&item, error, "moves stand in the order in which they happen",
                             "step %" PRIu64 " lies before %" PRIu64 ", that of the move before", move->at,
                             last->at);
    if (move->at == last->at && has_mail)
        return cor_json_fail(&item, error, "give each event a step of its own",
                             "two events happen in step %" PRIu64 ", and of daemon any one does", move->at);
    if (move->at == last->at && scene->daemon == COR_DAEMON_CENTRAL)
        return cor_json_fail(&item, error, "give each move a step of its own",
                             "two processes move in step %" PRIu64 ", and of daemon central one does",
                             move->at);
    for (size_t c = before->count; c-- > 0 && before->items[c].at == move->at;)
        if (before->items[c].who == move->who)
            return cor_json_fail(&item, error, "once in a step", "process %u moves twice in step %" PRIu64,
                                 move->who, move->at);
    return COR_OK;
}

/* The one system of the file. */
static enum cor_status take_size(const struct cor_subject_file *file,
                                 const struct cor_process_experiment *experiment,
                                 struct cor_stabilize_scene *scene, struct cor_error *error) {
    struct cor_stabilize_size sizes[COR_STABILIZE_SIZES_MAX];
    uint32_t count;
    enum cor_status status = cor_stabilize_sizes(experiment, 0, sizes, &count, error);
    if (status == COR_OK && count != 1)
        status = cor_json_fail(&file->root, error, "leave one in \"counts\", and one graph",
                               "a test has one system, this one %" PRIu32, count);
    if (status == COR_OK) {
        scene->process_count = sizes[0].process_count;
        scene->graph = sizes[0].graph;
        sizes[0].graph = NULL;
    }
    cor_stabilize_sizes_fini(sizes, count);
    return status;
}

/* By some verdicts no run fails. */
static enum cor_status check_expected(const struct cor_subject_file *file, int expected,
                                      struct cor_error *error) {
    struct cor_json json;
    if ((expected >= COR_STABILIZE_LOOPS && expected <= COR_STABILIZE_LATE) ||
        expected == COR_STABILIZE_VERDICT_COUNT)
        return COR_OK;
    COR_TRY(cor_json_need(&file->own, "expected", &json, error));
    return cor_json_fail(&json, error, "loops, rests, trapped, leaves, idles or late",
                         "is \"%s\", by which no run fails", verdicts[expected]);
}

/* A daemon of what the program is; any chooses one event, as central one process. */
static enum cor_status take_daemon(const struct cor_subject_file *file,
                                   const struct cor_process_experiment *experiment, int daemon,
                                   struct cor_stabilize_scene *scene, struct cor_error *error) {
    struct cor_stabilize_asked asked;
    struct cor_json json, told;
    COR_TRY(cor_stabilize_asked_read(experiment, &asked, error));
    const bool has_mail = cor_stabilize_has_messages(&asked, &experiment->arms[0]);
    const struct cor_process *program = cor_process_description(experiment->arms[0].program);
    scene->is_mixed = !program->rule && !program->save;
    if (scene->is_mixed &&
        (!cor_json_find(&file->own, "start", &json) || !cor_json_find(&json, "told", &told)))
        return cor_json_fail(&file->own, error, "write variables()",
                             "program \"%.80s\" does not say what it keeps: no state of it is known",
                             program->name);
    scene->mail = has_mail ? asked.mail : 0;
    scene->within = process_layer__mixed_within(&asked);
    scene->daemon = has_mail ? COR_DAEMON_CENTRAL : (enum cor_daemon)daemon;
    if (has_mail == (daemon == (int)COR_STABILIZE_ANY))
        return COR_OK;
    COR_TRY(cor_json_need(&file->own, "daemon", &json, error));
    return cor_json_fail(&json, error, has_mail ? "write \"any\"" : "central, distributed or synchronous",
                         has_mail
                             ? "%s is a daemon of rules that read each other: of messages any may come next"
                             : "the daemon %s is of programs with messages, and rules have none",
                         daemons[daemon]);
}

enum cor_status process_layer__rules_test_read(const struct cor_subject_file *file, const char *path,
                                               const struct cor_layer_options *options,
                                               struct cor_process_experiment **experiment,
                                               struct cor_subject_test *test, struct cor_error *error) {
    struct reading reading = {.loop = -1};
    struct cor_choices *choices = &test->choices;
    struct cor_json loop;
    COR_TRY(cor_json_fields(&file->own, fields, &reading, error));
    COR_TRY(check_expected(file, reading.expected, error));
    COR_TRY(cor_process_rules_parse(file->experiment, path, options, experiment, error));
    COR_TRY(cor_subject_file_check_arms(file, &(*experiment)->head, error));
    struct cor_stabilize_scene *scene = cor_calloc(1, sizeof *scene);
    COR_TRY(cor_made((*experiment)->scene = scene, error));
    *scene = reading.scene;
    COR_TRY(take_daemon(file, *experiment, reading.daemon, scene, error));
    COR_TRY(take_size(file, *experiment, scene, error));
    const bool has_word = reading.expected == COR_STABILIZE_LATE || reading.expected == COR_STABILIZE_RESTS ||
                          reading.expected == COR_STABILIZE_VERDICT_COUNT;
    if (scene->is_mixed && (!has_word || reading.loop >= 0 || scene->fairness != COR_FAIRNESS_UNFAIR))
        return cor_json_fail(&file->own, error,
                             "\"expected\": late or rests; and leave out \"fair\" and \"loop\"",
                             "nothing but that it is late, or rests, is known of a program that does not say "
                             "what it keeps");
    char *whole = cor_json_text(&file->root);
    enum cor_status status = cor_made(whole, error);
    if (status == COR_OK)
        status = cor_json_parse(whole, path, &scene->values, error);
    free(whole);
    COR_TRY(status);
    test->expected = verdicts[reading.expected];
    COR_TRY(cor_json_expect_array(&file->schedule, 0, COR_PROCESS_EVENTS_MAX, error));
    COR_TRY(COR_RESERVE(&choices->items, &choices->capacity, cor_json_size(&file->schedule), error));
    for (; choices->count < cor_json_size(&file->schedule); choices->count++) {
        const struct cor_json item = cor_json_at(&file->schedule, choices->count);
        struct cor_choice *choice = &choices->items[choices->count];
        if (!scene->is_mixed)
            COR_TRY(read_move(&item, scene, choices, choice, error));
        else
            COR_TRY(process_layer__event_read(&item, cor_process_description((*experiment)->arms[0].program),
                                              scene->process_count, choices->count > 0 ? choice[-1].at : 0,
                                              choice, error));
    }
    scene->loop = reading.loop < 0 ? COR_UNBOUNDED : (uint32_t)reading.loop;
    if (scene->loop != COR_UNBOUNDED &&
        (choices->count == 0 || choices->items[choices->count - 1].at < scene->loop)) {
        COR_TRY(cor_json_need(&file->own, "loop", &loop, error));
        return cor_json_fail(&loop, error, "the number of the loop's first step",
                             "is step %" PRIu32 ", and no move is in it or behind it", scene->loop);
    }
    test->scene = scene;
    return COR_OK;
}

static char *move_line(const struct cor_subject_test *test, const struct cor_choice *move) {
    const struct cor_stabilize_scene *scene = test->scene;
    return scene->is_mixed ? process_layer__event_line(test, move)
           : move->kind == PROCESS_LAYER__MOVES
               ? cor_format("[\"move\", %u, %" PRIu32 ", %" PRIu32 ", %" PRIu64 "]", move->who, move->what,
                            move->nth, move->at)
               : cor_format("[\"%s\", %u, %u, %" PRIu32 ", %" PRIu32 ", %" PRIu64 "]", happenings[move->kind],
                            move->who, move->of, move->what, move->nth, move->at);
}

/* With what it stands in, which its place is made of. */
struct start {
    struct cor_json root, own, all, values;
};

static bool find_start(const struct cor_stabilize_scene *scene, struct start *start) {
    start->root = cor_json_root(scene->values);
    if (!cor_json_find(&start->root, "process_test", &start->own) ||
        !cor_json_find(&start->own, "start", &start->all))
        return false;
    start->values = start->all;
    return scene->mail == 0 || scene->is_mixed || cor_json_find(&start->all, "values", &start->values);
}

static void put(const struct cor_subject_test *test, struct cor_json_writer *writer) {
    const struct cor_stabilize_scene *scene = test->scene;
    struct start start;
    cor_json_put_string(writer, "expected", test->expected);
    cor_json_put_string(writer, "daemon", scene->mail > 0 ? "any" : cor_daemon_word(scene->daemon));
    if (scene->fairness != COR_FAIRNESS_UNFAIR)
        cor_json_put_string(writer, "fair", cor_fairness_word(scene->fairness));
    if (scene->loop != COR_UNBOUNDED)
        cor_json_put_integer(writer, "loop", scene->loop);
    if (find_start(scene, &start))
        cor_json_put_value(writer, "start", &start.all);
}

/* Of "stabilize" the one system of the test; it stands behind "process", which each file has. */
static bool put_member(const struct cor_subject_test *test, const char *key, struct cor_json_writer *writer) {
    static const char *const left_out[] = {"daemons", "counts", "graph", "graphs", "sample", "mail", NULL},
                             *const own_within[] = {"within", NULL};
    const struct cor_process_experiment *experiment = (const void *)test->experiment;
    const struct cor_json root = cor_json_root(experiment->document);
    const struct cor_stabilize_scene *scene = test->scene;
    struct cor_json process, stabilize;
    if (strcmp(key, "process") != 0 || !cor_json_find(&root, key, &process))
        return false;
    cor_json_put_value(writer, key, &process);
    cor_json_open_object(writer, "stabilize");
    cor_json_open_array(writer, "counts");
    cor_json_put_integer(writer, NULL, scene->process_count);
    cor_json_close(writer);
    if (scene->graph)
        cor_json_put_text(writer, "graph", scene->graph);
    if (scene->is_mixed) {
        cor_json_open_object(writer, "within");
        cor_json_put_integer(writer, "steps", scene->within);
        cor_json_close(writer);
    } else if (scene->mail > 0)
        cor_json_put_integer(writer, "mail", scene->mail);
    for (size_t m = 0; cor_json_find(&root, "stabilize", &stabilize) && m < cor_json_size(&stabilize); m++) {
        const struct cor_json member = cor_json_at(&stabilize, m);
        if (!cor_is_among(left_out, member.key) && !(scene->is_mixed && cor_is_among(own_within, member.key)))
            cor_json_put_value(writer, member.key, &member);
    }
    cor_json_close(writer);
    return true;
}

enum cor_status process_layer__rules_test_write(const struct cor_subject_test *test, char **text,
                                                struct cor_error *error) {
    static const char *const left_out[] = {"suites", "sequences",   "log",       "stop",
                                           "name",   "description", "stabilize", NULL};
    static const struct cor_subject_file_form form = {COR_KIND_PROCESS_TEST, left_out, put, move_line,
                                                      put_member};
    return cor_subject_file_text(&form, test, text, error);
}

/* ---- where a test begins */

/* A value of each variable for each process, as local states of rules. */
static enum cor_status read_values(const struct cor_process_rules *rules, const struct cor_json *values,
                                   uint32_t *locals, struct cor_error *error) {
    uint32_t strides[COR_RULES_PROCESSES_MAX];
    const uint32_t count = rules->definition.process_count;
    struct cor_json list;
    COR_TRY(cor_json_expect_object(values, (const char *const *)rules->variables, error));
    for (uint32_t p = 0; p < count; p++)
        locals[p] = 0, strides[p] = 1;
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        COR_TRY(cor_json_need(values, rules->variables[v], &list, error));
        COR_TRY(cor_json_expect_array(&list, count, count, error));
        for (uint32_t p = 0; p < count; p++) {
            const struct cor_json item = cor_json_at(&list, p);
            uint32_t value;
            COR_TRY(cor_rules_value_read(rules, p, v, &item, &value, error));
            locals[p] += value * strides[p];
            strides[p] *= rules->processes[p].domains[v].count;
        }
    }
    return COR_OK;
}

/* The values of one process, {"x": 3}: a message or a copy of rules. */
static enum cor_status read_local(const struct cor_process_rules *rules, uint32_t p,
                                  const struct cor_json *json, uint32_t *local, struct cor_error *error) {
    struct cor_json item;
    uint32_t value, stride = 1;
    COR_TRY(cor_json_expect_object(json, (const char *const *)rules->variables, error));
    *local = 0;
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        COR_TRY(cor_json_need(json, rules->variables[v], &item, error));
        COR_TRY(cor_rules_value_read(rules, p, v, &item, &value, error));
        *local += value * stride;
        stride *= rules->processes[p].domains[v].count;
    }
    return COR_OK;
}

/* From what a process has in variables to all that it has: its copies of others, or which alarms are set. */
static enum cor_status read_rest(const struct process_layer__mail *mail, const struct cor_json *lists,
                                 uint32_t p, uint32_t *local, struct cor_error *error) {
    const struct cor_rules_process *rules = &mail->rules->processes[p];
    const struct cor_acts_process *process = &mail->acts->processes[p];
    const struct cor_json list = cor_json_at(lists, p);
    uint32_t stride = rules->local_count, set = 0, copy;
    if (!process->set) {
        const uint32_t copies = rules->read_count > 1 ? rules->read_count : 0;
        COR_TRY(cor_json_expect_array(&list, copies, copies, error));
        COR_JSON_CHILDREN(item, &list) {
            COR_TRY(read_local(mail->rules, rules->reads[item.index], &item, &copy, error));
            *local += copy * stride;
            stride *= mail->rules->processes[rules->reads[item.index]].local_count;
        }
        return COR_OK;
    }
    COR_TRY(cor_json_expect_array(&list, 0, COR_PROCESS_ALARMS_MAX, error));
    COR_JSON_CHILDREN(item, &list) {
        int64_t which;
        COR_TRY(cor_json_integer(&item, 0, COR_PROCESS_ALARMS_MAX - 1, &which, error));
        set |= 1u << which;
    }
    for (uint32_t at = 0; at < process->local_count; at++)
        if (process->values[at] == *local && process->set[at] == set) {
            *local = at;
            return COR_OK;
        }
    return cor_json_fail(&list, error, "those that start() and restore() set, or what comes of these",
                         "process %" PRIu32 " never has these alarms set with these values", p);
}

enum cor_status process_layer__message_read(const struct cor_json *json, const struct cor_process *program,
                                            struct cor_rules_message *message, struct cor_error *error) {
    const char *word, *digits;
    struct cor_json member;
    *message = (struct cor_rules_message){.kind = 0};
    COR_TRY(cor_json_need(json, "kind", &member, error));
    COR_TRY(cor_json_string(&member, &word, error));
    while (message->kind < program->message_count && strcmp(program->messages[message->kind].name, word) != 0)
        message->kind++;
    if (cor_json_find(json, "value", &member)) {
        COR_TRY(cor_made(message->bytes = cor_json_text(&member), error));
        message->size = (uint32_t)strlen(message->bytes);
    } else if (cor_json_find(json, "bytes", &member)) {
        COR_TRY(cor_json_string(&member, &digits, error));
        const size_t count = strlen(digits);
        if (count % 2 != 0 || strspn(digits, "0123456789abcdef") != count)
            return cor_json_fail(&member, error, "write each byte as two digits, 0 to 9 and a to f",
                                 "\"%.80s\" is no list of bytes", digits);
        COR_TRY(cor_made(message->bytes = cor_calloc(1, count / 2 + 1), error));
        for (; message->size < count / 2; message->size++) {
            const char two[] = {digits[2 * message->size], digits[2 * message->size + 1], '\0'};
            message->bytes[message->size] = (char)strtoul(two, NULL, 16);
        }
    }
    return COR_OK;
}

void process_layer__message_put(struct cor_json_writer *writer, const struct cor_process *program,
                                const struct cor_rules_message *message, bool has_values) {
    cor_json_put_string(writer, "kind", program->messages[message->kind].name);
    if (message->size > 0 && has_values) {
        cor_json_put_text(writer, "value", message->bytes);
        return;
    }
    char *digits = cor_calloc(1, 2 * (size_t)message->size + 1);
    for (uint32_t b = 0; digits && b < message->size; b++)
        snprintf(digits + 2 * (size_t)b, 3, "%02x", (unsigned char)message->bytes[b]);
    if (message->size > 0)
        cor_json_put_string(writer, "bytes", digits ? digits : "");
    free(digits);
}

/* A message that is sent, or declared: of a program in another language by its value, of a module by bytes.
 */
static enum cor_status find_message(const struct process_layer__mail *mail, const struct cor_json *json,
                                    uint32_t *number, struct cor_error *error) {
    struct cor_rules_message message;
    struct cor_json kind;
    const char *word;
    enum cor_status status = process_layer__message_read(
        json, cor_process_description(mail->rules->definition.program), &message, error);
    for (*number = 0; status == COR_OK && *number < mail->acts->message_count; ++*number) {
        const struct cor_rules_message *known = &mail->acts->messages[*number];
        if (known->kind == message.kind && known->size == message.size &&
            (known->size == 0 || memcmp(known->bytes, message.bytes, known->size) == 0))
            break;
    }
    free(message.bytes);
    if (status != COR_OK || *number < mail->acts->message_count)
        return status;
    COR_TRY(cor_json_need(json, "kind", &kind, error));
    COR_TRY(cor_json_string(&kind, &word, error));
    return cor_json_fail(json, error, "a message that somebody sends, or that mail() has",
                         "no message `%.80s` of that content is sent, or declared", word);
}

static enum cor_status read_mail(const struct process_layer__mail *mail, const struct cor_json *list,
                                 uint32_t *digits, struct cor_error *error) {
    static const char *const keys[] = {"from", "to", "kind", "value", "bytes", "values", NULL};
    const struct cor_acts *acts = mail->acts;
    COR_TRY(cor_json_expect_array(list, 0, COR_ACTS_LINKS_MAX * PROCESS_LAYER__MAIL_MOST, error));
    COR_JSON_CHILDREN(item, list) {
        struct cor_choice link_of = {.kind = PROCESS_LAYER__HEARS};
        struct cor_json member;
        int64_t from, to;
        uint32_t messages[PROCESS_LAYER__MAIL_MOST + 1], link;
        COR_TRY(cor_json_expect_object(&item, keys, error));
        COR_TRY(cor_json_need(&item, "from", &member, error));
        COR_TRY(cor_json_integer(&member, 0, acts->process_count - 1, &from, error));
        COR_TRY(cor_json_need(&item, "to", &member, error));
        COR_TRY(cor_json_integer(&member, 0, acts->process_count - 1, &to, error));
        link_of.who = (uint16_t)to;
        link_of.of = (uint16_t)from;
        if (process_layer__mail_actor_of(mail, &link_of, &link) == COR_NONE)
            return cor_json_fail(&item, error, "a link on which something is sent",
                                 "nothing is ever sent from %" PRId64 " to %" PRId64, from, to);
        const uint32_t count = process_layer__mail_on(mail, digits, link, messages);
        if (count == mail->capacity)
            return cor_json_fail(&item, error, "fewer, or more as \"mail\" in \"stabilize\"",
                                 "more than %" PRIu32 " messages are on one link", mail->capacity);
        if (!acts->messages) {
            COR_TRY(cor_json_need(&item, "values", &member, error));
            COR_TRY(read_local(mail->rules, (uint32_t)from, &member, &messages[count], error));
        } else
            COR_TRY(find_message(mail, &item, &messages[count], error));
        process_layer__mail_put_on(mail, digits, link, messages, count + 1);
    }
    return COR_OK;
}

enum cor_status process_layer__rules_start(const struct cor_process_rules *rules,
                                           const struct process_layer__mail *mail,
                                           const struct cor_stabilize_scene *scene, uint32_t *locals,
                                           struct cor_error *error) {
    static const char *const keys[] = {"values", "copies", "alarms", "mail", NULL};
    struct start start;
    struct cor_json list;
    if (!find_start(scene, &start)) /* of messages it has no values */
        return cor_json_need(&start.all, "values", &start.values, error);
    COR_TRY(read_values(rules, &start.values, locals, error));
    if (!mail)
        return COR_OK;
    const uint32_t count = mail->acts->process_count;
    bool has_rest = mail->acts->messages != NULL;
    for (uint32_t p = 0; p < count; p++)
        has_rest = has_rest || rules->processes[p].read_count > 1;
    memset(locals + count, 0, mail->acts->link_count * sizeof *locals);
    COR_TRY(cor_json_expect_object(&start.all, keys, error));
    if (has_rest) {
        COR_TRY(cor_json_need(&start.all, mail->acts->messages ? "alarms" : "copies", &list, error));
        COR_TRY(cor_json_expect_array(&list, count, count, error));
        for (uint32_t p = 0; p < count; p++)
            COR_TRY(read_rest(mail, &list, p, &locals[p], error));
    }
    return cor_json_find(&start.all, "mail", &list) ? read_mail(mail, &list, locals, error) : COR_OK;
}

/* ---- a test made of what was found */

static void put_value(struct cor_json_writer *writer, const char *key, const struct cor_process_rules *rules,
                      uint32_t p, uint32_t local, uint32_t v) {
    const struct cor_rules_domain *domain = &rules->processes[p].domains[v];
    const uint32_t value = cor_rules_value(&rules->processes[p], local, v);
    if (domain->words)
        cor_json_put_string(writer, key, domain->words[value]);
    else
        cor_json_put_integer(writer, key, domain->numbers ? domain->numbers[value] : domain->from + value);
}

static void put_local(struct cor_json_writer *writer, const char *key, const struct cor_process_rules *rules,
                      uint32_t p, uint32_t local) {
    cor_json_open_object(writer, key);
    for (uint32_t v = 0; v < rules->variable_count; v++)
        put_value(writer, rules->variables[v], rules, p, local, v);
    cor_json_close(writer);
}

/* What a state has beside variables. */
static void put_rest(struct cor_json_writer *writer, const struct process_layer__mail *mail, bool has_values,
                     const uint32_t *digits) {
    const struct cor_process *program = cor_process_description(mail->rules->definition.program);
    const struct cor_acts *acts = mail->acts;
    uint32_t messages[PROCESS_LAYER__MAIL_MOST];
    cor_json_open_array(writer, acts->messages ? "alarms" : "copies");
    for (uint32_t p = 0; p < acts->process_count; p++) {
        const struct cor_rules_process *process = &mail->rules->processes[p];
        cor_json_open_array(writer, NULL);
        for (uint32_t left = acts->messages ? acts->processes[p].set[digits[p]] : 0; left != 0;
             left &= left - 1)
            cor_json_put_integer(writer, NULL, __builtin_ctz(left));
        for (uint32_t r = 0; r < process->read_count && process->read_count > 1; r++)
            put_local(writer, NULL, mail->rules, process->reads[r],
                      cor_acts_copy(mail->rules, p, digits[p], r));
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_open_array(writer, "mail");
    for (uint32_t l = 0; l < acts->link_count; l++) {
        const uint32_t count = process_layer__mail_on(mail, digits, l, messages);
        for (uint32_t m = 0; m < count; m++) {
            cor_json_open_object(writer, NULL);
            cor_json_put_integer(writer, "from", acts->links[l].from);
            cor_json_put_integer(writer, "to", acts->links[l].to);
            if (!acts->messages)
                put_local(writer, "values", mail->rules, acts->links[l].from, messages[m]);
            else {
                process_layer__message_put(writer, program, &acts->messages[messages[m]], has_values);
            }
            cor_json_close(writer);
        }
    }
    cor_json_close(writer);
}

enum cor_status process_layer__rules_start_put(const struct cor_process_rules *rules,
                                               const struct process_layer__mail *mail, bool has_values,
                                               const uint32_t *locals, struct cor_json_document **values,
                                               struct cor_error *error) {
    struct cor_json_writer *writer;
    char *text;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_open_object(writer, "process_test");
    cor_json_open_object(writer, "start");
    if (mail)
        cor_json_open_object(writer, "values");
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        cor_json_open_array(writer, rules->variables[v]);
        for (uint32_t p = 0; p < rules->definition.process_count; p++)
            put_value(writer, NULL, rules, p, mail ? mail->acts->processes[p].values[locals[p]] : locals[p],
                      v);
        cor_json_close(writer);
    }
    if (mail) {
        cor_json_close(writer);
        put_rest(writer, mail, has_values, locals);
    }
    for (int open = 0; open < 3; open++)
        cor_json_close(writer);
    COR_TRY(cor_json_text_take(writer, 0, &text, error));
    const enum cor_status status = cor_json_parse(text, "start", values, error);
    free(text);
    return status;
}

bool process_layer__has_values(const struct cor_process_arm *arm) {
    return cor_process_way_of(arm->command) == COR_PROCESS_COMMAND;
}

/* The moves of a step between two states: of each who moves the first that leads from one to the other. */
static enum cor_status add_moves(const struct cor_space_moves *moves, const struct process_layer__mail *mail,
                                 const uint32_t *locals, const uint32_t *next, const uint32_t *strides,
                                 uint64_t movers, uint32_t step, struct cor_choices *choices,
                                 struct cor_error *error) {
    uint32_t what = 0;
    for (uint32_t m = 0; m < moves->count; m++) {
        const struct cor_space_move *move = &moves->items[m];
        const uint32_t p = move->actor;
        what = m > 0 && moves->items[m - 1].actor == p ? what + 1 : 0;
        for (uint32_t o = 0; o < move->outcome_count && movers >> p & 1; o++) {
            const uint32_t by =
                mail ? process_layer__mail_number(mail, next) - process_layer__mail_number(mail, locals)
                     : (next[p] - locals[p]) * strides[p];
            if ((uint32_t)move->by[o] != by)
                continue;
            struct cor_choice choice = {.at = step, .who = (uint16_t)p, .what = what, .nth = o};
            if (mail)
                process_layer__mail_name(mail, p, locals, next, &choice);
            if (choice.kind == PROCESS_LAYER__LOSES)
                choice.what = 0; /* its link says which */
            COR_TRY(COR_RESERVE(&choices->items, &choices->capacity, choices->count + 1, error));
            choices->items[choices->count++] = choice;
            movers &= ~(UINT64_C(1) << p);
        }
    }
    COR_ASSERT(movers == 0);
    return COR_OK;
}

void process_layer__rules_moves(const struct cor_stabilize_system *system,
                                const struct process_layer__mail *mail, const uint32_t *locals,
                                struct cor_space_moves *moves) {
    const struct cor_space *space = cor_stabilize_system_space(system);
    moves->count = 0;
    if (mail)
        space->moves(space->self, process_layer__mail_number(mail, locals), moves);
    else
        cor_stabilize_system_moves(system, locals, moves);
}

enum cor_status cor_stabilize_test_of(struct cor_stabilize_system *system,
                                      const struct cor_stabilize_way *way, uint32_t from,
                                      const struct cor_stabilize_scene *asked, const char *expected,
                                      struct cor_subject_test *test, struct cor_error *error) {
    const uint32_t processes = way->process_count, steps = way->count - (way->loop == COR_UNBOUNDED);
    struct cor_stabilize_scene *scene = cor_calloc(1, sizeof *scene);
    struct cor_space_moves *moves = cor_calloc(1, sizeof *moves);
    const struct cor_process_experiment *experiment = (const void *)test->experiment;
    struct process_layer__mail view, *mail = asked->mail > 0 ? &view : NULL;
    uint32_t strides[COR_RULES_PROCESSES_MAX];
    enum cor_status status = COR_OK;
    test->choices.count = 0;
    test->scene = scene;
    test->expected = expected;
    COR_TRY_OUT(scene && moves ? COR_OK : cor_fail_memory(error));
    *scene = *asked;
    scene->loop = way->loop == COR_UNBOUNDED ? COR_UNBOUNDED : way->loop - from;
    scene->values = NULL;
    scene->graph = NULL;
    if (asked->graph)
        COR_TRY_OUT(cor_made(scene->graph = cor_strdup(asked->graph), error));
    if (mail)
        COR_TRY_OUT(process_layer__mail_view(system, asked->mail, mail, error));
    else
        cor_stabilize_system_strides(system, strides);
    COR_TRY_OUT(process_layer__rules_start_put(
        cor_stabilize_system_rules(system), mail, process_layer__has_values(&experiment->arms[test->arm]),
        way->locals + (size_t)from * processes, &scene->values, error));
    for (uint32_t i = from; i < steps; i++) {
        const uint32_t next = i + 1 < way->count ? i + 1 : way->loop;
        moves->count = 0;
        process_layer__rules_moves(system, mail, way->locals + (size_t)i * processes, moves);
        COR_TRY_OUT(add_moves(moves, mail, way->locals + (size_t)i * processes,
                              way->locals + (size_t)next * processes, strides, way->movers[i], i - from,
                              &test->choices, error));
    }
out:
    free(moves);
    return status;
}

/* Of a run that is late the end that is so by one step. */
static uint32_t late_from(const struct cor_space_run *run, bool by_moves, uint32_t within) {
    uint32_t from = run->count - 1, more = 0;
    while (from > 0 && more <= within) {
        from--;
        more += by_moves ? (uint32_t)__builtin_popcountll(run->items[from].movers) : 1;
    }
    return from;
}

/* A loop all of whose states are inside is outside of the stable part by where it can be left to: that
 * follows it then. */
static enum cor_status add_way_out(struct cor_stabilize_system *system,
                                   const struct cor_stabilize_scene *scene, const struct cor_space_run *loop,
                                   struct cor_stabilize_way *way, struct cor_error *error) {
    const struct cor_space *space = cor_stabilize_system_space(system);
    uint32_t locals[COR_RULES_PROCESSES_MAX];
    struct cor_space_run out = {0};
    for (uint32_t i = 0; i < loop->count; i++)
        if (!cor_space_is_inside(space, loop->items[i].state))
            return COR_OK;
    enum cor_status status = cor_space_way_out(space, scene->daemon, loop->items[0].state, &out, error);
    for (uint32_t i = 0; i < out.count && status == COR_OK; i++) {
        cor_stabilize_system_locals(system, out.items[i].state, locals);
        status = cor_stabilize_way_add(way, locals, out.items[i].movers, error);
    }
    way->loop = COR_UNBOUNDED;
    free(out.items);
    return status;
}

enum cor_status cor_stabilize_test_make(struct cor_stabilize_system *system,
                                        const struct cor_stabilize_asked *asked,
                                        const struct cor_stabilize_question *question,
                                        const struct cor_stabilized *found,
                                        enum cor_stabilize_verdict verdict, const char *graph,
                                        struct cor_subject_test *test, struct cor_error *error) {
    const struct cor_stabilize_within *within = &asked->within;
    struct cor_space_turn alone = {.state = verdict == COR_STABILIZE_RESTS     ? found->a_dead_end
                                            : verdict == COR_STABILIZE_TRAPPED ? found->a_lost
                                                                               : found->again_dead_end};
    const struct cor_space_run rest = {.items = &alone, .count = 1}, *run = NULL;
    const uint32_t processes = cor_stabilize_system_rules(system)->definition.process_count;
    struct cor_stabilize_scene scene = {.process_count = processes,
                                        .mail = cor_stabilize_system_has_messages(system) ? asked->mail : 0,
                                        .daemon = question->daemon,
                                        .fairness = question->fairness,
                                        .graph = (char *)(uintptr_t)graph};
    struct cor_stabilize_way way = {0};
    uint32_t from = 0;
    test->scene = NULL;
    switch (verdict) {
    case COR_STABILIZE_FAIR:
    case COR_STABILIZE_CHANCE:
    case COR_STABILIZE_LOOPS:
        verdict = COR_STABILIZE_LOOPS;
        run = &found->loop;
        break;
    case COR_STABILIZE_RESTS:
    case COR_STABILIZE_TRAPPED:
        run = &rest;
        break;
    case COR_STABILIZE_LEAVES:
        run = &found->leave;
        break;
    case COR_STABILIZE_IDLES:
        run = found->again_loop.count > 0 ? &found->again_loop : &rest;
        break;
    case COR_STABILIZE_LATE:
        run = found->worst_steps == COR_UNBOUNDED  ? &found->loop
              : found->worst_steps > within->steps ? &found->worst
              : found->worst_moves > within->moves ? &found->worst_by_moves
                                                   : &found->worst;
        if (found->worst_steps != COR_UNBOUNDED && found->worst_steps > within->steps)
            from = late_from(run, false, within->steps);
        else if (run == &found->worst_by_moves)
            from = late_from(run, true, within->moves);
        break;
    default:
        return COR_OK;
    }
    if (run->count == 0)
        return COR_OK;
    enum cor_status status = cor_stabilize_way_of(system, run, &way, error);
    if (status == COR_OK && run == &found->loop)
        status = add_way_out(system, &scene, run, &way, error);
    if (status == COR_OK)
        status = cor_stabilize_test_of(system, &way, from, &scene, cor_stabilize_verdict_word(verdict), test,
                                       error);
    if (status == COR_OK && run->is_loop)
        ((struct cor_stabilize_scene *)test->scene)->loop = 0;
    cor_stabilize_way_fini(&way);
    return status;
}
