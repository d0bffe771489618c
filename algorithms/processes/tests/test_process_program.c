/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs from modules: what is refused, and how programs end by themselves. A module ends in every way that
 * there is, and the host goes on. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

static struct cor_error error;

static enum cor_status opened(const char *text, struct cor_process_program **program) {
    error = COR_NO_ERROR;
    return cor_process_open(&(struct cor_process_definition){.program = text}, program, &error);
}

static void refused(const char *text, enum cor_status status, const char *cause, const char *remedy) {
    struct cor_process_program *program;
    assert_int_equal(opened(text, &program), status);
    assert_null(program);
    assert_string_equal(error.cause, cause);
    if (remedy)
        assert_string_equal(error.remedy, remedy);
}

static void refusals(void **state) {
    (void)state;
#define CANNOT "the program cannot be used: "
    const struct {
        const char *module, *cause, *remedy;
    } rows[] = {
        {"major", "built for plug-in version 2.0, but this is 1.4",
         "rebuild it against the <corridor/process.h> of this version"},
        {"minor", "built for plug-in version 1.5, but this is 1.4",
         "rebuild it against the <corridor/process.h> of this version"},
        {"nameless", CANNOT "its name or version is missing or not printable",
         "say its name, in a word, and its version"},
        {"function", CANNOT "it lacks a function: receive", "see <corridor/process.h>"},
        {"many", CANNOT "too many attributes", "0 to 32, in a list"},
        {"list", CANNOT "no list of messages", "0 to 32, in a list"},
        {"alarms", CANNOT "too many alarms", "a process has 8"},
        {"name", CANNOT "no usable name in its list of attributes", "names are words, each another one"},
        {"twice", CANNOT "a name comes twice in its list of attributes", "names are words, each another one"},
        {"type", CANNOT "no such type of attribute a", "see enum cor_process_attribute_type"},
        {"words", CANNOT "unusable words of attribute colour", "words are words, each another one"},
        {"fault", CANNOT "a fault is called none", "\"none\" is taken"},
        {"bytes", CANNOT "too many bytes come with input x", "at most 4096"},
        {"leader", CANNOT "leader_attribute is no attribute", "attribute_count: none"},
        {"state", CANNOT "its state is larger than 1 GiB", "state_size is in bytes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[64];
        snprintf(path, sizeof path, "./bad_process_%s.so", rows[i].module);
        refused(path, COR_STATUS_PLUGIN, rows[i].cause, rows[i].remedy);
        assert_string_equal(error.place, path);
    }
    refused("two_fase", COR_STATUS_INPUT, "no distributed program \"two_fase\" is built in",
            "did you mean \"two_phase\"? known: two_phase");
    struct cor_process_program *program;
    assert_int_equal(opened("./there_is_none.so", &program), COR_STATUS_FILE);
}

static void openings(void **state) {
    (void)state;
    struct cor_process_program *program;
    assert_int_equal(opened("two_phase", &program), COR_OK);
    assert_string_equal(cor_process_description(program)->name, "two_phase");
    assert_null(cor_process_digest(program));
    cor_process_close(program);
    assert_int_equal(opened("endings.so", &program), COR_OK); /* beside, as "./endings.so" */
    cor_process_close(program);
    assert_int_equal(opened("./endings.so", &program), COR_OK);
    assert_int_equal(strlen(cor_process_digest(program)), COR_DIGEST_TEXT - 1);
    cor_process_close(program);
    cor_process_close(NULL);
    assert_string_equal(cor_process_builtins()[0]->name, "two_phase");
}

/* Of a program that was built when there were no names of alarms, what lies behind its fields is not read. */
static void an_older_program_has_no_names_of_alarms(void **state) {
    (void)state;
    struct cor_process_program *program;
    struct cor_process older = *cor_process_builtins()[0];
    assert_int_equal(cor_process_adopt(&older, &program, &error), COR_OK);
    assert_int_equal(cor_process_description(program)->alarm_count, 2);
    assert_string_equal(cor_process_description(program)->alarms[1].name, "ask_again");
    cor_process_close(program);
    older.minor = 0;
    older.struct_size = offsetof(struct cor_process, alarms);
    older.alarms = (const void *)1;
    older.alarm_count = UINT32_MAX;
    assert_int_equal(cor_process_adopt(&older, &program, &error), COR_OK);
    assert_int_equal(cor_process_description(program)->alarm_count, 0);
    assert_null(cor_process_description(program)->alarms);
    cor_process_close(program);
}

static const struct {
    const char *fault;
    enum cor_process_end end;
    const char *sentence;
} endings[] = {
    {"null", COR_PROCESS_END_SIGNAL, "in input: segmentation fault, at an address near 0"},
    {"wild", COR_PROCESS_END_SIGNAL, "in input: segmentation fault"},
    {"stack", COR_PROCESS_END_SIGNAL, "in input: its stack overflowed"},
    {"arithmetic", COR_PROCESS_END_SIGNAL, "in input: arithmetic error, such as a division by 0"},
    {"instruction", COR_PROCESS_END_SIGNAL, "in input: illegal instruction"},
    {"bus", COR_PROCESS_END_SIGNAL, "in input: bus error"},
    {"abort", COR_PROCESS_END_ABORT, "in input: it called abort"},
    {"assertion", COR_PROCESS_END_ABORT, "in input: assertion failed: nothing == 1 (endings.c:53)"},
    {"exit", COR_PROCESS_END_EXIT, "in input: it called exit with 3"},
    {"exit_at_once", COR_PROCESS_END_EXIT, "in input: it called exit with 4"},
    {"hang", COR_PROCESS_END_HANG, "in input: it did not come back"},
    {"busy", COR_PROCESS_END_HANG, "in input: it did not come back"},
    {"slow", COR_PROCESS_END_NONE, NULL},
    {"chatter", COR_PROCESS_END_HANG, "in input: it called the host 1000000 times and did not come back"},
    {"complaint", COR_PROCESS_END_COMPLAINT, "in input: the log has a hole"},
    {"nobody", COR_PROCESS_END_ABSURD, "in input: it sent to process 7; there are processes 0 to 1"},
    {"kind", COR_PROCESS_END_ABSURD, "in input: it sent a message of kind 1; the program says 1 kinds"},
    {"long_message", COR_PROCESS_END_ABSURD,
     "in input: it sent 1048577 bytes; a message has at most 1048576"},
    {"no_message", COR_PROCESS_END_ABSURD,
     "in input: it sent 4 bytes at NULL; a message has at most 1048576"},
    {"bad_message", COR_PROCESS_END_SIGNAL, "in input: segmentation fault, at an address near 0"},
    {"alarm", COR_PROCESS_END_ABSURD, "in input: it set alarm 8; alarms are 0 to 7"},
    {"cell", COR_PROCESS_END_ABSURD, "in input: it wrote cell 16; cells are 0 to 15"},
    {"long_cell", COR_PROCESS_END_ABSURD, "in input: it wrote 257 bytes to cell 2; a cell has at most 256"},
    {"store", COR_PROCESS_END_ABSURD, "in input: it wrote beyond its store of 1048576 bytes"},
    {"channel", COR_PROCESS_END_ABSURD, "in input: it told channel 1; the program says 1 channels"},
    {"twice", COR_PROCESS_END_ABSURD, "in input: it released memory that it does not have"},
    {"foreign", COR_PROCESS_END_ABSURD, "in input: it resized memory that it does not have"},
    {"memory", COR_PROCESS_END_MEMORY, "in input: it asked for 50000 bytes more than its 1048576 hold"},
    {"word", COR_PROCESS_END_ABSURD, "in observe: it shows word 2 of colour, which has 2"},
    {"set", COR_PROCESS_END_ABSURD, "in observe: it shows processes in friends that there are not"},
    {"number", COR_PROCESS_END_ABSURD, "in observe: it shows share as not a number"},
    {"observe_hang", COR_PROCESS_END_HANG, "in observe: it did not come back"},
};
enum { ENDINGS = sizeof endings / sizeof *endings };

/* Process 0 works, then process 1 has the fault, then nothing is possible any more; all this twice. */
static uint64_t life_of(struct cor_cluster *cluster, uint32_t fault) {
    bool happened;
    uint32_t process;
    const char *sentence;
    struct cor_process_event tick = {.kind = COR_PROCESS_EVENT_TICK, .tick = 5};
    struct cor_process_event event = {.kind = COR_PROCESS_EVENT_INPUT, .process = 1};
    assert_int_equal(cor_cluster_reset(cluster, &(struct cor_stream_name){.seed = 1}, &error), COR_OK);
    assert_int_equal(cor_cluster_happen(cluster, &tick, &happened, &error), COR_OK);
    assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
    assert_true(happened);
    enum cor_process_end end = cor_cluster_end(cluster, &process, &sentence);
    assert_int_equal(cor_cluster_overview(cluster)->has_news, end != COR_PROCESS_END_NONE);
    if (end != endings[fault].end)
        fail_msg("%s: %s, %s", endings[fault].fault, cor_process_end_word(end), sentence ? sentence : "");
    if (end != COR_PROCESS_END_NONE) {
        assert_int_equal(process, 1);
        assert_string_equal(sentence, endings[fault].sentence);
    } else {
        assert_null(sentence);
    }
    tick.tick = 9;
    assert_int_equal(cor_cluster_happen(cluster, &tick, &happened, &error), COR_OK);
    assert_int_equal(happened, end == COR_PROCESS_END_NONE);
    assert_int_equal(cor_cluster_now(cluster), 9);
    return cor_cluster_digest(cluster);
}

static void ends(void **state) {
    (void)state;
    struct cor_process_program *program;
    assert_int_equal(opened("./endings.so", &program), COR_OK);
    const struct cor_process *description = cor_process_description(program);
    assert_int_equal(description->fault_count, ENDINGS);
    for (uint32_t fault = 0; fault < ENDINGS; fault++) {
        struct cor_cluster *cluster;
        /* Of chatter calls are counted, whatever they take; what does not hang may take long on a machine. */
        const bool waits =
            strcmp(endings[fault].fault, "slow") == 0 ||
            (endings[fault].end == COR_PROCESS_END_HANG && strcmp(endings[fault].fault, "chatter") != 0);
        struct cor_cluster_definition definition = {.program = program,
                                                    .process_count = 2,
                                                    .fault = fault + 1,
                                                    .memory_bytes = 1 << 20,
                                                    .hang_seconds = waits ? 0.02 : 20};
        assert_string_equal(description->faults[fault].name, endings[fault].fault);
        assert_int_equal(cor_cluster_create(&definition, &cluster, &error), COR_OK);
        uint64_t digest = life_of(cluster, fault);
        assert_int_equal(life_of(cluster, fault), digest);
        cor_cluster_destroy(cluster);
    }
    cor_process_close(program);
}

/* Handlers of whoever was here before are there again, and get what is not a program's. */
static volatile sig_atomic_t heard;
static void hear(int number) {
    heard = number;
}

static void others_signals(void **state) {
    (void)state;
    struct sigaction own = {.sa_handler = hear}, found;
    struct cor_process_program *program;
    struct cor_cluster *cluster;
    sigaction(SIGFPE, &own, NULL);
    assert_int_equal(opened("two_phase", &program), COR_OK);
    struct cor_cluster_definition definition = {.program = program, .process_count = 3};
    assert_int_equal(cor_cluster_create(&definition, &cluster, &error), COR_OK);
    raise(SIGFPE); /* sent, not met: it is passed on at once */
    assert_int_equal(heard, SIGFPE);
    cor_cluster_destroy(cluster);
    sigaction(SIGFPE, NULL, &found);
    assert_true(found.sa_handler == hear);
    signal(SIGFPE, SIG_DFL);
    cor_process_close(program);
}

/* A program that is brought along: it comes back when it is asked to, or clings to what it does. */
static volatile sig_atomic_t interrupts, is_asked_back;
static void ask_back(void) {
    interrupts++;
    is_asked_back = 1;
}

static void begin(void *me, const struct cor_process_host *host, const struct cor_process_stored *stored) {
    (void)me, (void)host, (void)stored;
}

static void hear_nothing(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                         const void *bytes, uint32_t size) {
    (void)me, (void)host, (void)from, (void)kind, (void)bytes, (void)size;
}

static void spin(void *me, const struct cor_process_host *host, uint32_t which, const void *bytes,
                 uint32_t size) {
    (void)me, (void)which, (void)bytes, (void)size;
    for (is_asked_back = 0; !is_asked_back || host->fault == 2;)
        ;
    host->complain(host, "it was interrupted");
}

static void show_nothing(const void *me, union cor_process_value *values) {
    (void)me, (void)values;
}

static void an_embedded_program_is_interrupted_before_it_is_left(void **state) {
    (void)state;
    static const char digest[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    static const struct cor_process_input inputs[] = {{.name = "go", .weight = 1}};
    static const struct cor_process_name faults[] = {{"comes_back", NULL}, {"clings", NULL}};
    static const char *const sentences[] = {"in input: it did not come back",
                                            "in input: it did not come back, though it was interrupted"};
    const struct cor_process spins = {COR_PROCESS,      .name = "spins",        .version = "1",
                                      .inputs = inputs, .input_count = 1,       .faults = faults,
                                      .fault_count = 2, .start = begin,         .receive = hear_nothing,
                                      .input = spin,    .observe = show_nothing};
    struct cor_process odd = spins;
    struct cor_process_program *program;
    assert_int_equal(cor_process_way_of("spins"), COR_PROCESS_BUILT_IN);
    assert_int_equal(cor_process_embed(&spins, digest, ask_back, &error), COR_OK);
    assert_int_equal(cor_process_way_of("spins"), COR_PROCESS_EMBEDDED);
    assert_int_equal(cor_process_embed(&spins, digest, ask_back, &error), COR_STATUS_PLUGIN);
    odd.name = "two_phase";
    assert_int_equal(cor_process_embed(&odd, NULL, NULL, &error), COR_STATUS_PLUGIN);
    odd.name = "odd";
    assert_int_equal(cor_process_embed(&odd, "12", NULL, &error), COR_STATUS_PLUGIN);
    assert_int_equal(opened("spins", &program), COR_OK);
    assert_string_equal(cor_process_digest(program), digest);
    for (uint32_t fault = 1; fault <= 2; fault++) {
        struct cor_cluster *cluster;
        const struct cor_cluster_definition definition = {.program = program,
                                                          .process_count = 1,
                                                          .fault = fault,
                                                          .memory_bytes = 1 << 20,
                                                          .hang_seconds = 0.02};
        struct cor_process_event event = {.kind = COR_PROCESS_EVENT_INPUT};
        bool happened;
        uint32_t process;
        const char *sentence;
        interrupts = 0;
        assert_int_equal(cor_cluster_create(&definition, &cluster, &error), COR_OK);
        assert_int_equal(cor_cluster_reset(cluster, &(struct cor_stream_name){.seed = 1}, &error), COR_OK);
        assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
        assert_int_equal(cor_cluster_end(cluster, &process, &sentence), COR_PROCESS_END_HANG);
        assert_string_equal(sentence, sentences[fault - 1]);
        assert_int_equal(interrupts,
                         fault == 1 ? 2 : 1); /* it is believed when it happens again; or at once */
        cor_cluster_destroy(cluster);
    }
    cor_process_close(program);
}

static void tell_much(void *me, const struct cor_process_host *host, uint32_t which, const void *bytes,
                      uint32_t size) {
    (void)me, (void)which, (void)bytes, (void)size;
    for (uint64_t i = 0; i < COR_PROCESS_TOLD_MAX / 5; i++)
        host->tell(host, 0, i, 1);
}

/* In one call it may not do much, and in many of them not without end: each index is kept somewhere. */
static void what_is_told_in_a_run_has_a_bound(void **state) {
    (void)state;
    static const struct cor_process_input inputs[] = {{.name = "go", .weight = 1}};
    static const struct cor_process_name channels[] = {{"heard", NULL}};
    const struct cor_process talks = {COR_PROCESS,        .name = "talks",        .version = "1",
                                      .inputs = inputs,   .input_count = 1,       .channels = channels,
                                      .channel_count = 1, .start = begin,         .receive = hear_nothing,
                                      .input = tell_much, .observe = show_nothing};
    struct cor_process_event event = {.kind = COR_PROCESS_EVENT_INPUT};
    struct cor_process_program *program;
    struct cor_cluster *cluster;
    bool happened;
    uint32_t process;
    const char *sentence;
    assert_int_equal(cor_process_adopt(&talks, &program, &error), COR_OK);
    const struct cor_cluster_definition definition = {.program = program, .process_count = 2};
    assert_int_equal(cor_cluster_create(&definition, &cluster, &error), COR_OK);
    for (int run = 0; run < 2; run++) { /* the next run has as much again */
        assert_int_equal(cor_cluster_reset(cluster, &(struct cor_stream_name){.seed = 1}, &error), COR_OK);
        for (uint32_t call = 0; call < 6; call++) {
            assert_int_equal(cor_cluster_end(cluster, &process, &sentence), COR_PROCESS_END_NONE);
            event.process = call % 2;
            assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
        }
        assert_int_equal(cor_cluster_end(cluster, &process, &sentence), COR_PROCESS_END_ABSURD);
        assert_int_equal(process, 1);
        assert_string_equal(sentence,
                            "in input: it told more than all processes may in a run: 4194304 times");
    }
    cor_cluster_destroy(cluster);
    cor_process_close(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(an_older_program_has_no_names_of_alarms),
        cmocka_unit_test(openings),
        cmocka_unit_test(ends),
        cmocka_unit_test(others_signals),
        cmocka_unit_test(what_is_told_in_a_run_has_a_bound),
        cmocka_unit_test(an_embedded_program_is_interrupted_before_it_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
