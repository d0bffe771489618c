/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A conversation with programs of the shell, one for each way in which an exchange can come out; and the same
 * from their traffic, without them. */
#include <corridor/conversation.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define TRAFFIC "test_conversation.traffic"
#define LINE_MOST 4096

static struct cor_error error;

static void start(struct cor_conversation *talk, struct cor_traffic *traffic, const char *command,
                  double answer_seconds) {
    const struct cor_lines_definition lines = {
        .command = command, .line_most = LINE_MOST, .cpu_seconds = 0.3, .traffic = traffic};
    error = COR_NO_ERROR;
    assert_int_equal(cor_conversation_init(talk, &lines, answer_seconds, &error), COR_OK);
    assert_int_equal(cor_conversation_start(talk, &error), COR_OK);
}

static void ask_once(struct cor_conversation *talk, double quiet_seconds) {
    cor_bytes_print(cor_conversation_begin(talk, "there"), "%d", 1);
    assert_int_equal(cor_conversation_ask(talk, quiet_seconds, &error), COR_OK);
    cor_conversation_expect_silence(talk);
}

/* Asks once whether it is there, with silence for `quiet_seconds` as an answer. */
static void ask(struct cor_conversation *talk, struct cor_traffic *traffic, const char *command,
                double answer_seconds, double quiet_seconds) {
    start(talk, traffic, command, answer_seconds);
    ask_once(talk, quiet_seconds);
}

static const struct {
    const char *command;
    double answer_seconds, quiet_seconds;
    enum cor_exchange exchange;
    const char *what;  /* exactly; NULL: only words */
    const char *words; /* part of them */
} cases[] = {
    {"read l; test \"$l\" = '{\"id\":1,\"there\":1}' && echo '{\"id\":1}'; read l", 60, 0, COR_EXCHANGE_WELL,
     "", ""},
    {"read l; echo '{\"id\":1}'; read l", 60, 30, COR_EXCHANGE_WELL, "", ""},
    {"read l; exec sleep 100", 60, 0.2, COR_EXCHANGE_QUIET, "", ""},
    {"read l; exec sleep 100", 0.5, 0, COR_EXCHANGE_LATE, "no answer in 0.5 s", "; its process was ended"},
    {"tr '\\0' x < /dev/zero", 60, 0, COR_EXCHANGE_FLOOD, "a line of more than 4096 bytes", "ended"},
    {"read l; printf '{'", 60, 0, COR_EXCHANGE_HALF, "half a line, and no more", "exit code 0"},
    {"read l; exec >&-; exec sleep 100", 60, 0, COR_EXCHANGE_CLOSED,
     "it closed its output, or its input, and lived on", "; its process was ended"},
    {"read l; echo why >&2; exit 3", 60, 0, COR_EXCHANGE_EXITED, "",
     "its process ended by itself with exit code 3; it last said: why"},
    {"read l; kill -9 $$", 60, 0, COR_EXCHANGE_CRASHED, "", "its process was ended by signal 9"},
    {"read l; while :; do :; done", 60, 0, COR_EXCHANGE_CPU_TIME, "",
     "its process did not get on, and was ended"},
    {"read l; echo '{\"id\":2}'; read l", 60, 0, COR_EXCHANGE_GARBLED,
     "\"{\"id\":2}\": it answers 2, but asked was 1", "it answers"},
    {"read l; echo '[1]'; read l", 60, 0, COR_EXCHANGE_GARBLED, "\"[1]\": is an array, expected an object", ""},
    {"read l; printf '{\"id\":1}\\n{\"id\":1}\\n'; read l", 60, 0, COR_EXCHANGE_GARBLED,
     "it goes on speaking after its answer", "it goes on"},
};

static void check(size_t i, struct cor_traffic *traffic) {
    struct cor_conversation talk;
    ask(&talk, traffic, cases[i].command, cases[i].answer_seconds, cases[i].quiet_seconds);
    const char *what = talk.exchange == COR_EXCHANGE_WELL ? "" : talk.what;
    if (talk.exchange != cases[i].exchange || strcmp(what, cases[i].what) != 0 ||
        !strstr(talk.words, cases[i].words))
        fail_msg("%s: %d, \"%s\", \"%s\"", cases[i].command, (int)talk.exchange, talk.what, talk.words);
    assert_int_equal(cor_lines_started(&talk.lines), talk.exchange <= COR_EXCHANGE_QUIET);
    cor_conversation_part(&talk);
    assert_false(cor_lines_started(&talk.lines));
    cor_conversation_fini(&talk);
}

static void an_exchange_comes_out_as_it_was_and_is_replayed_so(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_traffic *traffic;
        assert_int_equal(cor_traffic_open(TRAFFIC, NULL, true, &traffic, &error), COR_OK);
        check(i, traffic);
        cor_traffic_close(traffic);
        assert_int_equal(cor_traffic_open(NULL, TRAFFIC, false, &traffic, &error), COR_OK);
        check(i, traffic);
        cor_traffic_close(traffic);
    }
    unlink(TRAFFIC);
}

/* What comes late is seen at the next request, before it is said where it is there by then: the same words,
 * and the same without the program. */
static void who_goes_on_speaking_is_found_however_late_it_is(void **state) {
    (void)state;
    static const char *const commands[] = {
        "read l; echo '{\"id\":1}'; read l; printf '{\"id\":2}\\n{\"id\":3}\\n'; read l",
        "read l; echo '{\"id\":1}'; read l; echo '{\"id\":2}'; sleep 0.1; echo '{\"id\":3}'; echo > late; "
        "read l",
        "read l; echo '{\"id\":1}'; read l; echo '{\"id\":2}'; read l; echo '{\"id\":2}'; read l"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        for (int replays = 0; replays < 2; replays++) {
            struct cor_conversation talk;
            struct cor_traffic *traffic;
            assert_int_equal(cor_traffic_open(replays ? NULL : TRAFFIC, replays ? TRAFFIC : NULL, !replays,
                                              &traffic, &error),
                             COR_OK);
            ask(&talk, traffic, commands[i], 60, 0);
            ask_once(&talk, 0);
            for (int waits = 0; i == 1 && !replays && access("late", F_OK) != 0 && waits < 6000; waits++)
                nanosleep(&(struct timespec){0, 10000000}, NULL);
            if (i > 0) {
                assert_int_equal(talk.exchange, COR_EXCHANGE_WELL);
                ask_once(&talk, 0);
            }
            assert_int_equal(talk.exchange, COR_EXCHANGE_GARBLED);
            assert_string_equal(talk.what, "it goes on speaking after its answer");
            cor_conversation_fini(&talk);
            cor_traffic_close(traffic);
            unlink("late");
        }
    unlink(TRAFFIC);
}

/* Half a line is no silence. The time to be quiet, or to answer, begins when the half is there. */
static void who_has_begun_to_speak_is_not_quiet(void **state) {
    (void)state;
    static const struct {
        const char *command;
        double answer_seconds, quiet_seconds;
        enum cor_exchange exchange;
        const char *what;
    } halves[] = {
        {"printf '{\"id\"'; read l; sleep 0.6; echo ':1}'; read l", 60, 0.3, COR_EXCHANGE_WELL, ""},
        {"printf '{'; exec sleep 100", 0.5, 0, COR_EXCHANGE_LATE, "half a line, and no more in 0.5 s"},
        {"printf '{'; exec sleep 100", 0.5, 0.2, COR_EXCHANGE_LATE, "half a line, and no more in 0.5 s"},
    };
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        for (int is_replayed = 0; is_replayed < 2; is_replayed++) {
            struct cor_conversation talk;
            struct cor_traffic *traffic;
            assert_int_equal(cor_traffic_open(is_replayed ? NULL : TRAFFIC, is_replayed ? TRAFFIC : NULL,
                                              !is_replayed, &traffic, &error),
                             COR_OK);
            start(&talk, traffic, halves[i].command, halves[i].answer_seconds);
            while (!is_replayed && !(cor_cell_wait(&talk.lines.cell, 0, 1) & COR_SIGHT_READABLE))
                ;
            ask_once(&talk, halves[i].quiet_seconds);
            assert_int_equal(talk.exchange, halves[i].exchange);
            assert_string_equal(talk.exchange == COR_EXCHANGE_WELL ? "" : talk.what, halves[i].what);
            cor_conversation_fini(&talk);
            cor_traffic_close(traffic);
        }
    unlink(TRAFFIC);
}

/* However late it is here: who has answered in time is heard. */
static void an_answer_in_time_is_heard_when_time_is_over(void **state) {
    (void)state;
    struct cor_conversation talk;
    start(&talk, NULL, "echo '{\"id\":1}'; read l; exec sleep 100", 60);
    while (!(cor_cell_wait(&talk.lines.cell, 0, 1) & COR_SIGHT_READABLE))
        ;
    talk.answer_seconds = 1e-9;
    ask_once(&talk, 0);
    assert_int_equal(talk.exchange, COR_EXCHANGE_WELL);
    cor_bytes_print(cor_conversation_begin(&talk, "there"), "%d", 2);
    assert_int_equal(cor_conversation_ask(&talk, 0, &error), COR_OK);
    assert_int_equal(talk.exchange, COR_EXCHANGE_LATE);
    cor_conversation_fini(&talk);
}

/* However early it is: a program that speaks before it is asked, and that nobody can ask any more. */
static void what_it_said_before_it_left_is_heard(void **state) {
    (void)state;
    static const struct {
        const char *command;
        bool lives_on;
        enum cor_exchange exchange;
        const char *what;
    } early[] = {
        {"echo '{\"id\":1}'", false, COR_EXCHANGE_WELL, ""},
        {"echo '{}'; exit 1", false, COR_EXCHANGE_GARBLED, "\"{}\": lacks the key \"id\""},
        {"printf '{'", false, COR_EXCHANGE_HALF, "half a line, and no more"},
        {"true; exit 3", false, COR_EXCHANGE_EXITED, ""},
        {"exec <&-; echo '{\"id\":1}'; sleep 100", true, COR_EXCHANGE_WELL, ""},
        {"exec <&-; printf '{'; exec sleep 100", true, COR_EXCHANGE_HALF, "half a line, and no more"},
    };
    for (size_t i = 0; i < sizeof early / sizeof *early; i++) {
        struct cor_conversation talk;
        start(&talk, NULL, early[i].command, 60);
        while (early[i].lives_on ? !(cor_cell_wait(&talk.lines.cell, 0, 1) & COR_SIGHT_READABLE)
                                 : !cor_cell_is_over(&talk.lines.cell))
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        ask_once(&talk, 0);
        assert_int_equal(talk.exchange, early[i].exchange);
        assert_string_equal(talk.exchange == COR_EXCHANGE_WELL ? "" : talk.what, early[i].what);
        cor_conversation_fini(&talk);
    }
}

/* Three requests of one process, one of them answered by silence; a replay that is asked otherwise. */
static void silence_is_one_answer_among_others(void **state) {
    (void)state;
    const char *command =
        "while read l; do case $l in *quiet*) ;; *bye*) exit;; *3*) echo '{\"id\":3}';; *) echo "
        "'{\"id\":1}';; esac; done";
    for (int replayed = 0; replayed < 3; replayed++) {
        struct cor_conversation talk;
        struct cor_traffic *traffic;
        assert_int_equal(
            cor_traffic_open(replayed ? NULL : TRAFFIC, replayed ? TRAFFIC : NULL, true, &traffic, &error),
            COR_OK);
        ask(&talk, traffic, command, 60, 0);
        assert_int_equal(talk.exchange, COR_EXCHANGE_WELL);
        cor_bytes_print(cor_conversation_begin(&talk, "quiet"), "true");
        assert_int_equal(cor_conversation_ask(&talk, 0.5, &error), COR_OK);
        assert_int_equal(talk.exchange, COR_EXCHANGE_QUIET);
        cor_bytes_print(cor_conversation_begin(&talk, replayed < 2 ? "more" : "less"), "true");
        assert_int_equal(cor_conversation_ask(&talk, 30, &error), replayed < 2 ? COR_OK : COR_STATUS_INPUT);
        assert_int_equal(talk.exchange, replayed < 2 ? COR_EXCHANGE_WELL : COR_EXCHANGE_TROUBLE);
        if (replayed == 2)
            assert_string_equal(error.place, TRAFFIC ":7");
        cor_conversation_part(&talk);
        cor_conversation_fini(&talk);
        cor_traffic_close(traffic);
    }
    unlink(TRAFFIC);
}

/* Requests are counted on from the greeting, and so is what is told of their answers. */
static void it_is_asked_again_as_if_it_had_only_been_greeted(void **state) {
    (void)state;
    struct cor_conversation talk;
    ask(&talk, NULL,
        "while read l; do case $l in *late*) echo '{\"id\":9}';; *) echo \"${l%%,*}}\";; esac; done", 60, 0);
    for (int life = 0; life < 3; life++) {
        cor_conversation_again(&talk);
        for (uint64_t id = 2; id < 5; id++) {
            cor_bytes_print(cor_conversation_begin(&talk, life < 2 || id < 4 ? "soon" : "late"), "true");
            assert_int_equal(cor_conversation_ask(&talk, 0, &error), COR_OK);
            assert_int_equal(talk.id, id);
        }
    }
    assert_int_equal(talk.exchange, COR_EXCHANGE_GARBLED);
    assert_string_equal(talk.what, "\"{\"id\":9}\": it answers 9, but asked was 4");
    cor_conversation_fini(&talk);
}

/* So are its last words those of what it was asked since. */
static void what_it_said_before_is_no_last_word(void **state) {
    (void)state;
    for (int lives = 1; lives < 4; lives++) {
        struct cor_conversation talk;
        ask(&talk, NULL,
            "while read l; do echo \"$l\" >&2; case $l in *last*) exit 3;; *) echo \"${l%%,*}}\";; esac; "
            "done",
            60, 0);
        for (int life = 1; life <= lives; life++) {
            cor_conversation_again(&talk);
            cor_bytes_print(cor_conversation_begin(&talk, life < lives ? "soon" : "last"), "true");
            assert_int_equal(cor_conversation_ask(&talk, 0, &error), COR_OK);
        }
        assert_int_equal(talk.exchange, COR_EXCHANGE_EXITED);
        assert_string_equal(
            talk.words,
            "its process ended by itself with exit code 3; it last said: {\"id\":2,\"last\":true}");
        cor_conversation_fini(&talk);
    }
}

static void who_does_not_greet_is_refused_with_what_it_did(void **state) {
    (void)state;
    static const struct {
        const char *command, *said;
    } cases_of[] = {
        {"sleep 100", "the program said nothing in time: its process was ended"},
        {"true; exit 1", "the program ended without an answer: its process ended by itself with exit code 1"},
        {"tr '\\0' x < /dev/zero", "the program said a line without an end: its process was ended"},
        {"read l; echo '{}'; read l", "the program's first line will not do: \"{}\": lacks the key \"id\""},
    };
    for (size_t i = 0; i < sizeof cases_of / sizeof *cases_of; i++) {
        struct cor_conversation talk;
        ask(&talk, NULL, cases_of[i].command, i == 0 ? 0.5 : 60, 0);
        assert_int_equal(cor_conversation_refuse(&talk, "greet", &error), COR_STATUS_PLUGIN);
        assert_string_equal(error.place, cases_of[i].command);
        assert_string_equal(error.cause, cases_of[i].said);
        assert_string_equal(error.remedy, "greet");
        cor_conversation_fini(&talk);
    }
}

/* Files that somebody else may have written. */
static void traffic_that_is_none_is_refused_with_its_line(void **state) {
    static const struct {
        const char *text, *place, *cause;
    } files[] = {
        {"", TRAFFIC ":1", "is no traffic: the file is empty"},
        {"corridor traffic 2\n", TRAFFIC ":1", "is no traffic of this version"},
        {"corridor traffic 1\n0 = - x", TRAFFIC ":2", "is half a line"},
        {"corridor traffic 1\n1 = - x\n", TRAFFIC ":2",
         "processes are not numbered in the order of their start"},
        {"corridor traffic 1\n0 = - x\n4000000000 < y\n", TRAFFIC ":3",
         "is of a process that was not started"},
        {"corridor traffic 1\n0 = - x\n0 ! 0 0 1 y\n", TRAFFIC ":3", "does not say what happened"},
        {"corridor traffic 1\n0 = - x\n0 ! 99 0 1 y\n", TRAFFIC ":3", "does not say what happened"},
        {"corridor traffic 1\n0 = - x\n0 ! 1 0 -7 y\n", TRAFFIC ":3", "does not say what happened"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct cor_traffic *traffic;
        FILE *file = fopen(TRAFFIC, "w");
        assert_non_null(file);
        fputs(files[i].text, file);
        fclose(file);
        error = COR_NO_ERROR;
        assert_int_equal(cor_traffic_replay(TRAFFIC, &traffic, &error), COR_STATUS_INPUT);
        assert_null(traffic);
        assert_string_equal(error.place, files[i].place);
        assert_string_equal(error.cause, files[i].cause);
    }
    struct cor_traffic *traffic;
    error = COR_NO_ERROR;
    assert_int_equal(cor_traffic_replay("/dev/zero", &traffic, &error), COR_STATUS_FILE);
    assert_string_equal(error.cause, "not a regular file");
    remove(TRAFFIC);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exchange_comes_out_as_it_was_and_is_replayed_so),
        cmocka_unit_test(who_goes_on_speaking_is_found_however_late_it_is),
        cmocka_unit_test(who_has_begun_to_speak_is_not_quiet),
        cmocka_unit_test(an_answer_in_time_is_heard_when_time_is_over),
        cmocka_unit_test(what_it_said_before_it_left_is_heard),
        cmocka_unit_test(it_is_asked_again_as_if_it_had_only_been_greeted),
        cmocka_unit_test(silence_is_one_answer_among_others),
        cmocka_unit_test(what_it_said_before_is_no_last_word),
        cmocka_unit_test(who_does_not_greet_is_refused_with_what_it_did),
        cmocka_unit_test(traffic_that_is_none_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
