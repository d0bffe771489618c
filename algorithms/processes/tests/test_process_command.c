/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs under test in another language: what is said to a sound one, and what is made of each that is not,
 * from itself and from its traffic; the campaign's process goes on, and nothing of theirs is left. */
#include "require.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "nobody_left.h"

#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/traffic.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Another process may run the same test in this folder. */
static char traffic_file[64];
#define PROGRAM "exec python3 -I -S " TEST_SOURCE_SHELL "/algorithms/processes/tests/guest.py "

static size_t stride = 1; /* of guests that misbehave only each so many */
static char mark[40];     /* an argument of all that is started here */

static char *command_of(const char *deed) {
    char *word = cor_shell_quoted(deed);
    char *command = cor_format(PROGRAM "%s %s", word, mark);
    free(word);
    return command;
}

static bool is_walled;
static double answer_seconds = 60;

static enum cor_status open_guest(const char *deed, struct cor_traffic *traffic,
                                  struct cor_process_program **program, struct cor_error *error) {
    char *command = command_of(deed);
    const enum cor_status status = cor_process_open(
        &(struct cor_process_definition){
            .program = command, .traffic = traffic, .is_free = !is_walled, .answer_seconds = answer_seconds},
        program, error);
    free(command);
    return status;
}

/* What happens: requests 4 and on, behind hello and two starts. */
static const struct cor_process_event life[] = {
    {.tick = 5, .kind = COR_PROCESS_EVENT_INPUT, .process = 0, .what = 0, .ordinal = 1},  /* 4 */
    {.tick = 9, .kind = COR_PROCESS_EVENT_DELIVER, .process = 1, .peer = 0, .what = 0},   /* 5 */
    {.tick = 9, .kind = COR_PROCESS_EVENT_TIME_OUT, .process = 0, .what = 3},             /* 6 */
    {.tick = 30, .kind = COR_PROCESS_EVENT_DISK, .process = 0},                           /* 7 */
    {.tick = 31, .kind = COR_PROCESS_EVENT_CRASH_TORN, .process = 0},                     /* - */
    {.tick = 40, .kind = COR_PROCESS_EVENT_RESTART, .process = 0},                        /* 8 */
    {.tick = 41, .kind = COR_PROCESS_EVENT_INPUT, .process = 0, .what = 0, .ordinal = 2}, /* 9 */
    {.tick = 42, .kind = COR_PROCESS_EVENT_DISK_ERROR, .process = 0},                     /* 10 */
    {.tick = 43, .kind = COR_PROCESS_EVENT_DELIVER, .process = 1, .peer = 0, .what = 0},  /* 11 */
};

/* One life of a guest, as text: its end, what its processes show, its digest. */
static char *life_of(struct cor_cluster *cluster, uint32_t without) {
    const struct cor_stream_name name = {.seed = 9, .suite = 1};
    struct cor_bytes log = {.size = 0};
    const char *sentence;
    uint32_t process;
    bool happened;
    REQUIRE(cor_cluster_reset(cluster, &name, &said));
    for (size_t e = 0; e < sizeof life / sizeof *life; e++)
        if ((without >> e & 1) == 0)
            REQUIRE(cor_cluster_happen(cluster, &life[e], &happened, &said));
    const enum cor_process_end end = cor_cluster_end(cluster, &process, &sentence);
    cor_bytes_print(&log, "%s", cor_process_end_word(end));
    if (sentence)
        cor_bytes_print(&log, " of %u: %s", process, sentence);
    for (uint32_t p = 0; p < 2; p++) {
        const union cor_process_value *values = cor_cluster_values(cluster, p, NULL);
        cor_bytes_print(&log, "\n%llu %llu %g %llx", (unsigned long long)values[0].count,
                        (unsigned long long)values[1].count, values[2].real,
                        (unsigned long long)values[3].count);
    }
    cor_bytes_print(&log, "\n%016llx", (unsigned long long)cor_cluster_digest(cluster));
    char *text = cor_bytes_text_take(&log, NULL);
    assert_non_null(text);
    return text;
}

static char *run_guest(const char *deed, struct cor_traffic *traffic) {
    struct cor_process_program *program;
    struct cor_cluster *cluster;
    REQUIRE(open_guest(deed, traffic, &program, &said));
    const struct cor_cluster_definition definition = {
        .program = program, .process_count = 2, .fault = 1, .is_fifo = true, .memory_bytes = 1 << 16};
    REQUIRE(cor_cluster_create(&definition, &cluster, &said));
    char *log = life_of(cluster, 0);
    cor_cluster_destroy(cluster);
    cor_process_close(program);
    return log;
}

/* The n-th random number of a process, as the host names it. */
static uint64_t random_of(uint32_t process, int n) {
    struct cor_stream_name name = {.seed = 9, .suite = 1, .purpose = COR_PURPOSE_AGENT, .entity = process};
    struct cor_rng rng = cor_rng_named(&name);
    for (int i = 1; i < n; i++)
        (void)cor_rng_word(&rng);
    return cor_rng_word(&rng);
}

static void a_sound_guest_is_told_everything(void **state) {
    (void)state;
#define SAID(n, text) "if n == " #n ": assert line == '" text "\\n', line\n"
    char *deed = cor_format(
        "if n == 1 and 'count' in line: assert line == "
        "'{\"id\":1,\"hello\":{\"protocol\":1,\"count\":2,\"fault\":\"deaf\"}}\\n', line\n" SAID(
            3, "{\"id\":3,\"start\":1,\"now\":0,\"seed\":\"0x%016" PRIx64 "\",\"cells\":[],\"writes\":[]}")
            SAID(4, "{\"id\":4,\"input\":0,\"now\":5,\"which\":\"ask\",\"bytes\":\"680fbc\"}") SAID(
                5, "{\"id\":5,\"receive\":1,\"now\":9,\"from\":0,\"kind\":\"ping\",\"value\":{\"from\":0,"
                   "\"text\":\"\u00e4\"}}") SAID(6, "{\"id\":6,\"alarm\":0,\"now\":25,\"which\":3}")
                SAID(7, "{\"id\":7,\"completed\":0,\"now\":30,\"ticket\":7,\"ok\":true}") SAID(
                    8,
                    "{\"id\":8,\"start\":0,\"now\":40,\"seed\":\"0x%016" PRIx64
                    "\",\"cells\":[{\"cell\":2,\"value\":[1,\"c\"]}],"
                    "\"writes\":[{\"operation\":5,\"value\":\"first\"},{\"operation\":0,\"torn\":\"123\"}]}")
                    SAID(10, "{\"id\":10,\"completed\":0,\"now\":42,\"ticket\":7,\"ok\":false}"),
        random_of(1, 1), random_of(0, 2));
    is_walled = true;
    char *walled = run_guest(deed, NULL);
    is_walled = false;
    char *free_one = run_guest(deed, NULL);
    assert_string_equal(walled, free_one);
    assert_non_null(strstr(walled, "none\n1 2 0.5 1\n2 2 0.5 3\n"));
    free(walled);
    free(deed);
    free(free_one);
    assert_nobody_left(mark);
}

/* What is not said is left out, and what is said means what the page says. */
static void a_guest_may_say_less(void **state) {
    (void)state;
    static const struct cor_process_event all[] = {{.tick = 5, .kind = COR_PROCESS_EVENT_INPUT},
                                                   {.tick = 6, .kind = COR_PROCESS_EVENT_DISK},
                                                   {.tick = 7, .kind = COR_PROCESS_EVENT_DISK},
                                                   {.tick = 8, .kind = COR_PROCESS_EVENT_CRASH},
                                                   {.tick = 9, .kind = COR_PROCESS_EVENT_RESTART}};
    const struct cor_stream_name name = {.seed = 9, .suite = 1};
    struct cor_process_program *program;
    struct cor_cluster *cluster;
    const char *sentence;
    uint32_t process;
    size_t told_count;
    bool happened;
    char *deed = cor_format(
        "if n == 4: answer['did'] = [{'write': 1, 'operation': 3, 'value': 'old'}, {'alarm': 3, 'in': 20}, "
        "{'alarm': 4, 'in': 20}, {'write': 2, 'operation': 6, 'forgets': True}, {'alarm': 3, 'in': None}, "
        "{'tell': 'heard', 'index': 2, 'value': [1]}, {'tell': 'heard', 'index': 3}]\n" SAID(
            7, "{\"id\":7,\"start\":0,\"now\":9,\"seed\":\"0x%016" PRIx64
               "\",\"cells\":[],\"writes\":[{\"operation\":6}]}"),
        random_of(0, 2));
    REQUIRE(open_guest(deed, NULL, &program, &said));
    const struct cor_cluster_definition definition = {.program = program, .process_count = 2};
    REQUIRE(cor_cluster_create(&definition, &cluster, &said));
    REQUIRE(cor_cluster_reset(cluster, &name, &said));
    for (size_t e = 0; e < sizeof all / sizeof *all; e++) {
        REQUIRE(cor_cluster_happen(cluster, &all[e], &happened, &said));
        assert_true(happened);
        if (e > 0)
            continue;
        const struct cor_told *told = cor_cluster_told(cluster, &told_count);
        assert_int_equal(cor_cluster_overview(cluster)->alarms[0], 1 << 4);
        assert_int_equal(told_count, 2);
        assert_int_equal(told[0].index, 2);
        assert_true(told[0].digest == cor_hash_bytes(COR_HASH_SEED, "[1]", 3));
        assert_int_equal(told[1].index, 3);
        assert_true(told[1].digest == cor_hash_bytes(COR_HASH_SEED, "", 0));
    }
    assert_int_equal(cor_cluster_end(cluster, &process, &sentence), COR_PROCESS_END_NONE);
    cor_cluster_destroy(cluster);
    cor_process_close(program);
    free(deed);
}

static void a_hello_is_read_whole(void **state) {
    (void)state;
    struct cor_process_program *program;
    REQUIRE(open_guest("if 'hello' in request: answer['inputs']['tell'] = 'tells'", NULL, &program, &said));
    const struct cor_process *is = cor_process_description(program);
    assert_string_equal(is->name, "toy");
    assert_string_equal(is->version, "1.2");
    assert_string_equal(is->meaning, "a toy");
    assert_int_equal(is->attribute_count, 4);
    static const struct {
        const char *name, *unit;
        enum cor_process_attribute_type type;
    } attributes[] = {{"state", NULL, COR_PROCESS_WORD},
                      {"calls", NULL, COR_PROCESS_COUNT},
                      {"level", "m", COR_PROCESS_REAL},
                      {"peers", NULL, COR_PROCESS_SET}};
    for (size_t a = 0; a < 4; a++) {
        assert_string_equal(is->attributes[a].name, attributes[a].name);
        assert_int_equal(is->attributes[a].type, attributes[a].type);
        assert_true((is->attributes[a].unit == NULL) == (attributes[a].unit == NULL));
    }
    assert_string_equal(is->attributes[2].unit, "m");
    assert_int_equal(is->attributes[0].word_count, 3);
    assert_string_equal(is->attributes[0].words[2], "heard");
    assert_int_equal(is->leader_attribute, 0);
    assert_int_equal(is->leader_value, 2);
    assert_int_equal(is->channel_count, 1);
    assert_string_equal(is->channels[0].meaning, "what was");
    assert_int_equal(is->message_count, 2);
    assert_int_equal(is->messages[0].ballot, 1);
    assert_int_equal(is->messages[1].ballot, 0);
    assert_string_equal(is->messages[1].meaning, "an answer");
    assert_int_equal(is->input_count, 2);
    assert_int_equal(is->inputs[0].weight, 2);
    assert_int_equal(is->inputs[0].bytes, 3);
    assert_string_equal(is->inputs[0].meaning, "asks");
    assert_int_equal(is->inputs[1].weight, 1);
    assert_int_equal(is->inputs[1].bytes, 0);
    assert_int_equal(is->fault_count, 1);
    assert_string_equal(is->faults[0].meaning, "hears nothing");
    cor_process_close(program);
}

/* Request n of a child: 2 and 3 are starts, 4 an input, 5 a message. */
#define AT(n, what) "if n == " #n ": " what
static const struct {
    const char *deed, *end; /* with its sentence */
} bad[] = {
#include "tests/bad_guests.h"
};

/* From the guest, and from its traffic. */
static void bad_guests_end_with_a_verdict(void **state) {
    (void)state;
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b += stride) {
        struct cor_traffic *traffic;
        char *logs[2];
        is_walled = strstr(bad[b].deed, "walled") != NULL;
#ifdef __SANITIZE_ADDRESS__
        if (is_walled) /* no memory can be limited there: what it asks for it would get */
            continue;
#endif
        for (int replays = 0; replays < 2; replays++) {
            REQUIRE(cor_traffic_open(replays ? NULL : traffic_file, replays ? traffic_file : NULL, true,
                                     &traffic, &said));
            answer_seconds = strstr(bad[b].deed, "hangs") ? 2 : 60;
            logs[replays] = run_guest(bad[b].deed, traffic);
            cor_traffic_close(traffic);
        }
        char *line = cor_format("%.*s", (int)strcspn(logs[0], "\n"), logs[0]);
        if (strncmp(line, bad[b].end, strlen(bad[b].end)) != 0) /* it may say more than that */
            assert_string_equal(line, bad[b].end);
        assert_string_equal(logs[0], logs[1]);
        free(line);
        free(logs[0]);
        free(logs[1]);
        assert_nobody_left(mark);
    }
    is_walled = false;
    answer_seconds = 60;
}

/* What is told of an answer is the same of a child that has had another schedule before. */
static void what_is_told_hangs_on_no_schedule_before(void **state) {
    (void)state;
    static const char deed[] = "if 'input' in request: answer['did'][0]['kind'] = 'pingg'";
    struct cor_process_program *program;
    struct cor_cluster *cluster;
    char *first = run_guest(deed, NULL);
    REQUIRE(open_guest(deed, NULL, &program, &said));
    const struct cor_cluster_definition definition = {
        .program = program, .process_count = 2, .fault = 1, .is_fifo = true, .memory_bytes = 1 << 16};
    REQUIRE(cor_cluster_create(&definition, &cluster, &said));
    char *nothing_but_starts = life_of(cluster, UINT32_MAX), *second = life_of(cluster, 0);
    assert_non_null(strstr(first, "unknown kind of message"));
    assert_null(strstr(nothing_but_starts, "unknown kind of message"));
    assert_string_equal(first, second);
    free(first);
    free(nothing_but_starts);
    free(second);
    cor_cluster_destroy(cluster);
    cor_process_close(program);
}

static void hellos_that_will_not_do_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *deed, *cause;
    } rows[] = {
#include "tests/bad_hellos.h"
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r += stride) {
        struct cor_process_program *program;
        struct cor_error said = COR_NO_ERROR;
        assert_int_equal(open_guest(rows[r].deed, NULL, &program, &said), COR_STATUS_PLUGIN);
        assert_null(program);
        assert_string_equal(said.cause, rows[r].cause);
    }
    assert_nobody_left(mark);
}

/* What happens to one process changes no random number of another one, nor its own, be its calls ever so
 * many. */
static void random_numbers_are_those_of_process_and_count(void **state) {
    (void)state;
    struct cor_process_program *program;
    struct cor_cluster *cluster;
    REQUIRE(open_guest("if n > 1 and verb == 'start': shows['calls'] = int(request['seed'], 16) >> 12", NULL,
                       &program, &said));
    const struct cor_cluster_definition definition = {.program = program, .process_count = 2};
    REQUIRE(cor_cluster_create(&definition, &cluster, &said));
    for (uint32_t without = 0; without < 1u << 4; without++) {
        const struct cor_process_event again[] = {{.kind = COR_PROCESS_EVENT_CRASH},
                                                  {.kind = COR_PROCESS_EVENT_RESTART}};
        bool happened;
        free(life_of(cluster, 0x1f0 | without)); /* nobody crashes */
        assert_int_equal(cor_cluster_values(cluster, 1, NULL)[1].count < 100,
                         (without & 2) == 0 && (without & 1) == 0);
        for (int i = 0; i < 2; i++) {
            REQUIRE(cor_cluster_happen(cluster, &again[i], &happened, &said));
            assert_true(happened);
        }
        assert_int_equal(cor_cluster_values(cluster, 0, NULL)[1].count, random_of(0, 2) >> 12);
    }
    cor_cluster_destroy(cluster);
    cor_process_close(program);
}

int main(int argument_count, char **arguments) {
    snprintf(traffic_file, sizeof traffic_file, "test_process_command.%ld.traffic", (long)getpid());
    stride = argument_count > 1 ? strtoul(arguments[1], NULL, 10) : 1;
    snprintf(mark, sizeof mark, "process-guest-%ld", (long)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_guest_is_told_everything),
        cmocka_unit_test(a_guest_may_say_less),
        cmocka_unit_test(a_hello_is_read_whole),
        cmocka_unit_test(bad_guests_end_with_a_verdict),
        cmocka_unit_test(what_is_told_hangs_on_no_schedule_before),
        cmocka_unit_test(hellos_that_will_not_do_are_refused),
        cmocka_unit_test(random_numbers_are_those_of_process_and_count),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(traffic_file);
    return failed;
}
