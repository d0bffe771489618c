/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histories: against all orders by brute force, with objects of their own; published verdicts; small ones by
 * hand, with their source; files that are refused, in exactly which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/history.h>
#include <corridor/minimize_history.h>

#include <inttypes.h>
#include <stdlib.h>

#include "invalid_corpus.h"

#define ROOM TEST_SOURCE_DIR "/oracle/history/tests"

static uint64_t histories = 20000;
static uint64_t drawn_state = 1;

static unsigned draw(unsigned below) {
    uint64_t z = (drawn_state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (unsigned)((z ^ (z >> 31)) % below);
}

/* ---- a second implementation: objects on texts, all orders */

#define CALLS_MOST 14
#define PROCESSES_MOST 10
#define NEVER 1000

struct naive {
    char key, op[12], argument[16], result[80];
    int process, called, ended; /* events; NEVER */
    bool failed;
};

struct naive_state {
    int items[16], count; /* register: one, -1 is nil; lock: who has it, -1 */
    long sum;
    char text[2][80];
    bool is_there[2];
};

static void naive_start(enum cor_object object, struct naive_state *state) {
    memset(state, 0, sizeof *state);
    if (object == COR_OBJECT_REGISTER || object == COR_OBJECT_CAS_REGISTER || object == COR_OBJECT_LOCK)
        state->items[0] = -1;
}

static void say_item(int item, char *result) {
    if (item < 0)
        strcpy(result, "nil");
    else
        sprintf(result, "%d", item);
}

static void say_items(const struct naive_state *state, char *result) {
    strcpy(result, "[");
    for (int i = 0; i < state->count; i++)
        sprintf(result + strlen(result), "%s%d", i ? " " : "", state->items[i]);
    strcat(result, "]");
}

static void naive_do(enum cor_object object, struct naive_state *s, const struct naive *call, char *result) {
    const char *op = call->op;
    const int k = call->key == 'y', value = atoi(call->argument);
    strcpy(result, "nil");
    if (object == COR_OBJECT_MAP) {
        if (op[0] == 'g') {
            if (s->is_there[k])
                sprintf(result, "\"%s\"", s->text[k]);
            return;
        }
        if (op[0] == 'p' || op[0] == 'd')
            s->text[k][0] = '\0';
        s->is_there[k] = op[0] != 'd';
        strcat(s->text[k], op[0] == 'd' ? "" : call->argument);
    } else if (object == COR_OBJECT_COUNTER) {
        if (op[0] == 'a')
            s->sum += value;
        else
            sprintf(result, "%ld", s->sum);
    } else if (object == COR_OBJECT_LOCK) {
        const bool gets = op[0] == 'a';
        const bool is_done = s->items[0] == (gets ? -1 : call->process);
        if (is_done)
            s->items[0] = gets ? call->process : -1;
        strcpy(result, is_done ? "true" : "false");
    } else if (object <= COR_OBJECT_CAS_REGISTER) {
        int before, after;
        if (op[0] == 'r') {
            say_item(s->items[0], result);
        } else if (op[0] == 'w') {
            s->items[0] = value;
        } else {
            sscanf(call->argument, "[%d %d]", &before, &after);
            strcpy(result, s->items[0] == before ? "true" : "false");
            s->items[0] = s->items[0] == before ? after : s->items[0];
        }
    } else if (object == COR_OBJECT_SET) {
        int at = 0;
        while (at < s->count && s->items[at] != value)
            at++;
        if (strcmp(op, "read") == 0) {
            for (int i = 0; i < s->count; i++) /* in order */
                for (int j = i + 1; j < s->count; j++)
                    if (s->items[j] < s->items[i]) {
                        const int kept = s->items[i];
                        s->items[i] = s->items[j];
                        s->items[j] = kept;
                    }
            say_items(s, result);
        } else if (op[0] == 'c') {
            strcpy(result, at < s->count ? "true" : "false");
        } else if (op[0] == 'a') {
            s->items[at] = value;
            s->count += at == s->count;
        } else if (at < s->count) {
            s->items[at] = s->items[--s->count];
        }
    } else if (op[0] == 'e' || strcmp(op, "push") == 0 || op[0] == 'a') {
        s->items[s->count++] = value;
    } else if (op[0] == 'r') {
        say_items(s, result);
    } else if (s->count > 0) {
        const int at = op[0] == 'd' ? 0 : s->count - 1;
        say_item(s->items[at], result);
        for (int i = at; i + 1 < s->count; i++)
            s->items[i] = s->items[i + 1];
        s->count--;
    }
}

struct brute {
    enum cor_object object;
    const struct naive *calls;
    int count, upto; /* events before that one count */
    bool is_sequential;
    const bool *relaxed;
    bool *been; /* [calls taken][16]: with that value of a register there is no order; NULL: try all again */
};

static bool naive_ends(const struct brute *b, int c) {
    return b->calls[c].ended < b->upto && !(b->relaxed && b->relaxed[c]);
}

static bool naive_may(const struct brute *b, unsigned done, int c) {
    const struct naive *call = &b->calls[c];
    if (done & 1u << c || call->called >= b->upto || (call->failed && naive_ends(b, c)))
        return false;
    for (int o = 0; o < b->count; o++) {
        const struct naive *other = &b->calls[o];
        if (o == c || done & 1u << o || !naive_ends(b, o) || other->failed)
            continue;
        if (b->is_sequential ? other->process == call->process && other->called < call->called
                             : other->ended < call->called)
            return false;
    }
    return true;
}

static bool any_order(const struct brute *b, const struct naive_state *state, unsigned done) {
    bool is_whole = true;
    bool *been = b->been ? b->been + 16 * done + state->items[0] + 1 : NULL;
    if (been && *been)
        return false;
    for (int c = 0; c < b->count; c++)
        is_whole = is_whole && (done & 1u << c || !naive_ends(b, c) || b->calls[c].failed);
    for (int c = 0; c < b->count && !is_whole; c++) {
        struct naive_state next = *state;
        char result[120];
        if (!naive_may(b, done, c))
            continue;
        naive_do(b->object, &next, &b->calls[c], result);
        if (naive_ends(b, c) && strcmp(result, b->calls[c].result) != 0 &&
            !(strcmp(result, "nil") == 0 && strcmp(b->calls[c].result, "\"\"") == 0 &&
              b->calls[c].op[0] == 'g'))
            continue;
        is_whole = any_order(b, &next, done | 1u << c);
    }
    if (been)
        *been = !is_whole;
    return is_whole;
}

static bool naive_is_possible(const struct brute *brute) {
    struct naive_state state;
    naive_start(brute->object, &state);
    return any_order(brute, &state, 0);
}

/* ---- drawn */

static const char *const drawn_operations[COR_OBJECT_COUNT][5] = {
    {"read", "write"},
    {"read", "write", "cas", "cas"},
    {"get", "get", "put", "append", "delete"},
    {"add", "remove", "contains", "read"},
    {"enqueue", "dequeue"},
    {"push", "pop"},
    {"add", "read"},
    {"acquire", "release"},
    {"append", "read"},
};

static void draw_call(enum cor_object object, struct naive *call) {
    unsigned operations = 0;
    while (operations < 5 && drawn_operations[object][operations])
        operations++;
    strcpy(call->op, drawn_operations[object][draw(operations)]);
    call->key = object == COR_OBJECT_MAP ? (draw(2) ? 'x' : 'y') : '\0';
    const bool reads = strstr("read get dequeue pop acquire release delete", call->op) != NULL;
    if (reads)
        call->argument[0] = '\0';
    else if (object == COR_OBJECT_MAP)
        sprintf(call->argument, "%c", 'a' + (char)draw(2));
    else if (strcmp(call->op, "cas") == 0)
        sprintf(call->argument, "[%u %u]", draw(3), draw(3));
    else
        sprintf(call->argument, "%u", draw(3));
}

/* A legal history, its calls taking effect at drawn instants; of a register all written values differ or not.
 */
static int draw_history(enum cor_object object, struct naive *calls, unsigned calls_most,
                        unsigned processes_most) {
    const int wanted = 2 + (int)draw(calls_most - 1), processes = 1 + (int)draw(processes_most);
    const bool is_unique = object == COR_OBJECT_REGISTER && draw(2);
    const unsigned one_is_lost = draw(3) > 0 ? 8 : 2; /* of so many */
    int count = 0, event = 0, open[PROCESSES_MOST];
    bool is_done[CALLS_MOST] = {false};
    memset(open, -1, sizeof open);
    struct naive_state state;
    naive_start(object, &state);
    for (int tries = 0; tries < 100 && (count < wanted || tries < 40); tries++) {
        const int p = (int)draw((unsigned)processes);
        struct naive *call = open[p] < 0 ? &calls[count] : &calls[open[p]];
        if (open[p] < 0 && count == wanted)
            continue;
        if (open[p] < 0) {
            memset(call, 0, sizeof *call);
            draw_call(object, call);
            if (is_unique && *call->argument)
                sprintf(call->argument, "%d", count);
            call->process = p;
            call->called = event++;
            call->ended = NEVER;
            open[p] = count++;
        } else if (!is_done[open[p]] && draw(12) == 0) {
            call->failed = true;
            call->ended = event++;
            open[p] = -1;
        } else if (!is_done[open[p]]) {
            naive_do(object, &state, call, call->result);
            is_done[open[p]] = true;
            if (draw(one_is_lost) == 0)
                open[p] = -1; /* it never returns, and its process goes on */
        } else {
            call->ended = event++;
            open[p] = -1;
        }
    }
    return count;
}

/* In one place: another result, or a call that begins behind the end before which it began. */
static void mutate(enum cor_object object, struct naive *calls, int count) {
    struct naive *call = &calls[draw((unsigned)count)];
    if (draw(3) == 0) {
        for (int o = 0; o < count; o++)
            if (calls[o].ended == call->called + 1 && &calls[o] != call) {
                calls[o].ended--;
                call->called++;
                return;
            }
    }
    for (int tries = 0; tries < 20; tries++) {
        struct naive_state state;
        char result[120];
        call = &calls[draw((unsigned)count)];
        naive_start(object, &state);
        for (int c = 0; c < count; c++)
            if (draw(2))
                naive_do(object, &state, &calls[c], result);
        naive_do(object, &state, call, result);
        if (call->ended == NEVER || call->failed || strcmp(result, call->result) == 0)
            continue;
        strcpy(call->result, result);
        return;
    }
}

/* The drawn calls as a history; numbers[c]: of call c there. */
static void build(const struct naive *calls, int count, enum cor_object object, struct cor_history *history,
                  size_t *numbers) {
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_history_init(history, object, false, &error), COR_OK);
    for (int event = 0; event < 2 * CALLS_MOST; event++)
        for (int c = 0; c < count; c++) {
            const struct naive *call = &calls[c];
            uint32_t key = COR_CALL_NIL, argument = COR_CALL_NIL, result;
            enum cor_status status = COR_OK;
            const char *at = call->argument, *said = call->result;
            if (call->called == event) {
                if (call->key)
                    assert_int_equal(cor_call_values_word(&history->values, &call->key, 1, &key, &error),
                                     COR_OK);
                if (*at)
                    assert_int_equal(cor_call_values_read(&history->values, &at, "", &argument, &error),
                                     COR_OK);
                status = cor_history_call(history, (uint32_t)call->process, call->op, key, argument, "",
                                          &numbers[c], &error);
            } else if (call->ended == event && call->failed) {
                status = cor_history_failed(history, numbers[c], "", &error);
            } else if (call->ended == event) {
                assert_int_equal(cor_call_values_read(&history->values, &said, "", &result, &error), COR_OK);
                status = cor_history_return(history, numbers[c], result, "", &error);
            }
            if (status != COR_OK)
                fail_msg("%s", error.cause);
        }
}

static void print_naive(const struct naive *calls, int count) {
    for (int c = 0; c < count; c++)
        printf("  %d %c %s %s -> %s, %d to %d%s\n", calls[c].process, calls[c].key ? calls[c].key : ' ',
               calls[c].op, calls[c].argument, calls[c].result, calls[c].called, calls[c].ended,
               calls[c].failed ? " failed" : "");
}

/* What is kept of an impossible history is impossible by brute force, and nothing of it can be spared. */
static void check_part(struct brute *brute, struct cor_history *history, const size_t *numbers,
                       const struct cor_history_verdict *verdict) {
    bool relaxed[CALLS_MOST], naively[CALLS_MOST];
    struct cor_bytes text = {0}, svg = {0};
    assert_int_equal(
        cor_history_minimize(history, brute->is_sequential, COR_HISTORY_STEPS, verdict, relaxed, NULL),
        COR_OK);
    for (int c = 0; c < brute->count; c++)
        naively[c] = relaxed[numbers[c]];
    brute->relaxed = naively;
    brute->upto = NEVER;
    assert_false(naive_is_possible(brute));
    for (int c = 0; c < brute->count; c++) {
        if (naively[c])
            continue;
        naively[c] = true;
        if (brute->calls[c].ended != NEVER && !naive_is_possible(brute)) {
            print_naive(brute->calls, brute->count);
            fail_msg("call %d can be spared", c);
        }
        naively[c] = false;
    }
    assert_int_equal(cor_history_explain(history, relaxed, brute->is_sequential, &text, &svg, NULL), COR_OK);
    assert_non_null(strstr(cor_bytes_text(&text), "does not fit: "));
    assert_non_null(strstr(cor_bytes_text(&svg), "does not fit: "));
    cor_bytes_fini(&text);
    cor_bytes_fini(&svg);
    brute->relaxed = NULL;
}

/* As a run is watched: that a call never returns is known some time later, or not at all. */
static enum cor_possible watched(struct cor_history *history) {
    struct cor_linear *linear;
    struct cor_error error = COR_NO_ERROR;
    enum cor_possible possible = COR_POSSIBLE, now = COR_POSSIBLE;
    uint32_t open[CALLS_MOST];
    bool is_open[CALLS_MOST] = {false}; /* that many, too, are those by hand at most */
    enum cor_status status =
        cor_linear_create(history->object, &history->values, COR_HISTORY_STEPS, &linear, &error);
    for (uint64_t e = 0; e < history->events && status == COR_OK; e++)
        for (size_t c = 0; c < history->count && status == COR_OK; c++) {
            const struct cor_call *call = &history->calls[c];
            if (call->called == e) {
                is_open[c] = true;
                status = cor_linear_call(linear, call, &open[c], &error);
            } else if (call->ended == e) {
                is_open[c] = false;
                status = call->end == COR_CALL_FAILED
                             ? cor_linear_failed(linear, open[c], &now, &error)
                             : cor_linear_return(linear, open[c], call->result, &now, &error);
                possible = now != COR_POSSIBLE ? now : possible;
            } else if (call->end == COR_CALL_UNKNOWN && is_open[c] && draw(3) == 0) {
                is_open[c] = false;
                status = cor_linear_lost(linear, open[c], &error);
            }
        }
    if (status != COR_OK)
        fail_msg("%s", error.cause);
    cor_linear_destroy(linear);
    return possible;
}

static void drawn_ones_have_equal_verdicts(void **unused) {
    uint64_t impossible = 0, not_sequential = 0;
    (void)unused;
    for (uint64_t h = 0; h < histories; h++) {
        struct naive calls[CALLS_MOST + 1];
        size_t numbers[CALLS_MOST];
        struct cor_history history;
        struct cor_history_verdict verdict;
        struct cor_error error = COR_NO_ERROR;
        drawn_state = h;
        const enum cor_object object = (enum cor_object)draw(COR_OBJECT_COUNT);
        const int count = draw_history(object, calls, 8, 4);
        const bool is_mutated = draw(3) > 0;
        if (is_mutated)
            mutate(object, calls, count);
        build(calls, count, object, &history, numbers);
        struct brute brute = {.object = object, .calls = calls, .count = count, .upto = NEVER};
        const bool expected = naive_is_possible(&brute);
        assert_true(expected || is_mutated);
        if (cor_history_linearizable(&history, NULL, COR_HISTORY_STEPS, &verdict, &error) != COR_OK)
            fail_msg("%s", error.cause);
        if ((verdict.possible == COR_POSSIBLE) != expected) {
            print_naive(calls, count);
            fail_msg("history %" PRIu64 " of a %s is %d, by brute force %d", h, cor_object_words[object],
                     verdict.possible == COR_POSSIBLE, expected);
        }
        if (watched(&history) != verdict.possible) {
            print_naive(calls, count);
            fail_msg("history %" PRIu64 " of a %s is another when it is watched", h,
                     cor_object_words[object]);
        }
        if (!expected) {
            /* The first end after which no order is left. */
            int first = 0;
            for (brute.upto = 0; naive_is_possible(&brute); brute.upto++)
                ;
            while (calls[first].ended != brute.upto - 1)
                first++;
            if (numbers[first] != verdict.call) {
                print_naive(calls, count);
                fail_msg("history %" PRIu64 ": found at the end of %zu, and not of %zu", h, verdict.call,
                         numbers[first]);
            }
            impossible++;
            if (impossible % 8 == 0)
                check_part(&brute, &history, numbers, &verdict);
        }
        brute.upto = NEVER;
        brute.is_sequential = true;
        const bool in_order = naive_is_possible(&brute);
        assert_int_equal(cor_history_sequential(&history, NULL, COR_HISTORY_STEPS, &verdict, &error), COR_OK);
        if ((verdict.possible == COR_POSSIBLE) != in_order) {
            print_naive(calls, count);
            fail_msg("history %" PRIu64 " of a %s is sequential: %d, by brute force %d", h,
                     cor_object_words[object], verdict.possible == COR_POSSIBLE, in_order);
        }
        if (!in_order && ++not_sequential % 8 == 0)
            check_part(&brute, &history, numbers, &verdict);
        cor_history_fini(&history);
    }
    print_message("%" PRIu64 " impossible, %" PRIu64 " not sequential\n", impossible, not_sequential);
    assert_true(impossible > histories / 8 && not_sequential > histories / 20);
    assert_true(histories - impossible > histories / 8 && not_sequential < impossible);
}

/* So many open at once that calls hide behind others; brute force remembers where it was. */
static void wide_ones_have_equal_verdicts(void **unused) {
    static bool been[16 << CALLS_MOST];
    uint64_t impossible = 0;
    (void)unused;
    for (uint64_t h = 0; h < histories; h++) {
        struct naive calls[CALLS_MOST + 1];
        size_t numbers[CALLS_MOST];
        struct cor_history history;
        struct cor_history_verdict verdict;
        struct cor_error error = COR_NO_ERROR;
        drawn_state = h;
        const enum cor_object object = draw(3) ? COR_OBJECT_REGISTER : COR_OBJECT_CAS_REGISTER;
        const int count = draw_history(object, calls, CALLS_MOST, PROCESSES_MOST);
        for (unsigned m = draw(3); m > 0; m--)
            mutate(object, calls, count);
        build(calls, count, object, &history, numbers);
        const struct brute brute = {
            .object = object, .calls = calls, .count = count, .upto = NEVER, .been = been};
        memset(been, 0, (size_t)16 << count);
        const enum cor_possible expected = naive_is_possible(&brute) ? COR_POSSIBLE : COR_IMPOSSIBLE;
        assert_int_equal(cor_history_linearizable(&history, NULL, COR_HISTORY_STEPS, &verdict, &error),
                         COR_OK);
        const enum cor_possible seen = watched(&history);
        if (verdict.possible != expected || seen != expected) {
            print_naive(calls, count);
            fail_msg("history %" PRIu64 " of a %s is %d, watched %d, by brute force %d", h,
                     cor_object_words[object], verdict.possible, seen, expected);
        }
        impossible += expected == COR_IMPOSSIBLE;
        cor_history_fini(&history);
    }
    print_message("%" PRIu64 " impossible\n", impossible);
    assert_in_range(impossible, histories / 5, histories * 4 / 5);
}

/* ---- published */

static void published_verdicts_are_ours(void **unused) {
    char line[300], path[400];
    uint64_t read = 0, impossible = 0;
    FILE *list = fopen(ROOM "/published/verdicts.csv", "r");
    (void)unused;
    assert_non_null(list);
    assert_non_null(fgets(line, sizeof line, list));
    while (fgets(line, sizeof line, list)) {
        struct cor_history history;
        struct cor_history_verdict verdict;
        struct cor_error error = COR_NO_ERROR;
        unsigned calls, unknown, found = 0;
        const bool expected = strstr(line, ",true,") != NULL, is_map = strncmp(line, "kv_", 3) == 0;
        snprintf(path, sizeof path, ROOM "/published/%.*s", (int)strcspn(line, ","), line);
        assert_int_equal(
            cor_history_init(&history, is_map ? COR_OBJECT_MAP : COR_OBJECT_CAS_REGISTER, false, &error),
            COR_OK);
        if (cor_history_read(path, &history, &error) != COR_OK)
            fail_msg("%s: %s", error.place, error.cause);
        assert_int_equal(
            sscanf(strstr(line, expected ? "true," : "false,"), "%*[a-z],%u,%u", &calls, &unknown), 2);
        assert_int_equal(history.count, calls);
        for (size_t c = 0; c < history.count; c++)
            found += history.calls[c].end == COR_CALL_UNKNOWN;
        assert_true(found >= unknown);
        assert_int_equal(cor_history_linearizable(&history, NULL, COR_HISTORY_STEPS, &verdict, &error),
                         COR_OK);
        if (verdict.possible != (expected ? COR_POSSIBLE : COR_IMPOSSIBLE))
            fail_msg("%s is published as %s", path, expected ? "linearizable" : "not linearizable");
        read++;
        impossible += !expected;
        cor_history_fini(&history);
    }
    fclose(list);
    assert_int_equal(read, 56);
    assert_in_range(impossible, 10, 46);
}

/* ---- by hand */

/* Events, each ended by ";": PROCESS OPERATION [ARGUMENT] [@KEY] calls, PROCESS = RESULT returns. */
struct by_hand {
    enum cor_object object;
    const char *source, *events;
    bool is_keyed;
};

static void read_by_hand(const struct by_hand *by_hand, struct cor_history *history) {
    size_t open[8];
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_history_init(history, by_hand->object, by_hand->is_keyed, &error), COR_OK);
    for (const char *at = by_hand->events; *at; at += strspn(at, "; ")) {
        char word[16], event[80];
        unsigned process;
        int used;
        uint32_t value = COR_CALL_NIL, key = COR_CALL_NIL;
        const size_t length = strcspn(at, ";");
        snprintf(event, sizeof event, "%.*s", (int)length, at);
        at += length;
        assert_int_equal(sscanf(event, "%u %15s%n", &process, word, &used), 2);
        char *of_key = strchr(event, '@');
        if (of_key) {
            assert_int_equal(
                cor_call_values_word(&history->values, of_key + 1, strlen(of_key + 1), &key, &error), COR_OK);
            *of_key = '\0';
        }
        const char *said = event + used + strspn(event + used, " ");
        if (*said)
            assert_int_equal(cor_call_values_read(&history->values, &said, "", &value, &error), COR_OK);
        if ((strcmp(word, "=") == 0 ? cor_history_return(history, open[process], value, "", &error)
                                    : cor_history_call(history, process, word, key, value, "", &open[process],
                                                       &error)) != COR_OK)
            fail_msg("%s: %s", event, error.cause);
    }
}

static void check_by_hand(const struct by_hand *table, size_t count, enum cor_possible linearizable,
                          enum cor_possible sequential) {
    for (size_t h = 0; h < count; h++) {
        struct cor_history history;
        struct cor_history_verdict verdict;
        read_by_hand(&table[h], &history);
        assert_int_equal(cor_history_linearizable(&history, NULL, COR_HISTORY_STEPS, &verdict, NULL), COR_OK);
        if (verdict.possible != linearizable || watched(&history) != linearizable)
            fail_msg("%s: %s", table[h].source, table[h].events);
        assert_int_equal(cor_history_sequential(&history, NULL, COR_HISTORY_STEPS, &verdict, NULL), COR_OK);
        if (verdict.possible != sequential)
            fail_msg("sequential, %s: %s", table[h].source, table[h].events);
        cor_history_fini(&history);
    }
}

#define HERLIHY "Herlihy and Wing, Linearizability, TOPLAS 12(3), 1990"
#define LAMPORT "Lamport, How to make a multiprocessor computer .., 1979"
#define ATTIYA "Attiya and Welch, Sequential consistency versus linearizability, TOCS 12(2), 1994"
#define ADVE "Adve and Gharachorloo, Shared memory consistency models, 1996"
#define CATS "Alglave, Maranget and Tautschnig, Herding cats, TOPLAS 36(2), 2014"

static void sequential_ones_need_not_be_linearizable(void **unused) {
    static const struct by_hand table[] = {
        {COR_OBJECT_REGISTER, ATTIYA ": a read of a process that was told late",
         "0 write 1;0 =;1 read;1 = nil", 0},
        {COR_OBJECT_REGISTER, ATTIYA ": a read of what is written later", "0 read;0 = 1;1 write 1;1 =", 0},
        {COR_OBJECT_QUEUE, HERLIHY ", history H2", "0 enqueue 1;0 =;1 enqueue 2;1 =;1 dequeue;1 = 2", 0},
        {COR_OBJECT_REGISTER, LAMPORT ": new, then old, by two who read",
         "0 write 1;0 =;0 write 2;0 =;1 read;1 = 2;2 read;2 = 1", 0},
        {COR_OBJECT_COUNTER, "a count that was cached", "0 add 1;0 =;0 read;0 = 1;1 read;1 = 0", 0},
        {COR_OBJECT_LOCK, "a lock that two have", "0 acquire;0 = true;1 acquire;1 = true;0 release;0 = true",
         0},
        {COR_OBJECT_STACK, "the last is not on top yet", "0 push 1;0 =;1 push 2;1 =;2 pop;2 = 1", 0},
        {COR_OBJECT_SET, "a set that lags", "0 add 1;0 =;1 contains 1;1 = false", 0},
        {COR_OBJECT_LOG, "a log of which a prefix is read", "0 append 1;0 =;0 append 2;0 =;1 read;1 = [1]",
         0},
        {COR_OBJECT_REGISTER, "read, and over, before it can have come unseen",
         "1 read;0 write 1;0 =;2 write 2;1 = 2;3 read;3 = 1", 0},
        {COR_OBJECT_REGISTER, "never returned, and seen once already",
         "2 write 2;0 read;0 = 2;3 write 1;3 =;1 read;3 write 3;3 =;1 = 2", 0},
        {COR_OBJECT_CAS_REGISTER, "two that were first",
         "0 write 0;0 =;0 cas [0 1];0 = true;1 cas [0 2];1 = false;2 read;2 = 0", 0},
    };
    (void)unused;
    check_by_hand(table, sizeof table / sizeof *table, COR_IMPOSSIBLE, COR_POSSIBLE);
}

static void others_are_neither(void **unused) {
    static const struct by_hand table[] = {
        {COR_OBJECT_REGISTER, ADVE ", figure 1 (Dekker), CATS: sb",
         "0 write 1@x;0 =;1 write 1@y;1 =;0 read @y;0 = nil;1 read @x;1 = nil", 1},
        {COR_OBJECT_REGISTER, CATS ": mp",
         "0 write 1@x;0 =;0 write 1@y;0 =;1 read @y;1 = 1;1 read @x;1 = nil", 1},
        {COR_OBJECT_REGISTER, CATS ": lb",
         "0 read @x;1 read @y;0 = 1;0 write 1@y;0 =;1 = 1;1 write 1@x;1 =", 1},
        {COR_OBJECT_REGISTER, CATS ": iriw",
         "0 write 1@x;1 write 1@y;2 read @x;2 = 1;2 read @y;2 = nil;3 read @y;3 = 1;3 read @x;3 = nil;0 =;1 "
         "=",
         1},
        {COR_OBJECT_REGISTER, CATS ": wrc",
         "0 write 1@x;0 =;1 read @x;1 = 1;1 write 1@y;1 =;2 read @y;2 = 1;2 read @x;2 = nil", 1},
        {COR_OBJECT_REGISTER, CATS ": coRR", "0 write 1;1 read;1 = 1;1 read;1 = nil;0 =", 0},
        {COR_OBJECT_REGISTER, CATS ": 2+2w, with what is read in the end",
         "0 write 1@x;0 =;0 write 2@y;0 =;1 write 1@y;1 =;1 write 2@x;1 =;0 read @y;0 = 1;1 read @x;1 = 1",
         1},
        {COR_OBJECT_QUEUE, HERLIHY ", history H4", "0 enqueue 1;0 =;1 dequeue;2 dequeue;1 = 1;2 = 1", 0},
        {COR_OBJECT_QUEUE, HERLIHY ", two queues, each of which alone is sequential",
         "0 enqueue 1@p;0 =;1 enqueue 2@q;1 =;0 enqueue 1@q;0 =;1 enqueue 2@p;1 =;0 dequeue @p;0 = 2;1 "
         "dequeue "
         "@q;1 = 1",
         1},
        {COR_OBJECT_LOCK, "two that have it for ever", "0 acquire;1 acquire;0 = true;1 = true", 0},
    };
    (void)unused;
    check_by_hand(table, sizeof table / sizeof *table, COR_IMPOSSIBLE, COR_IMPOSSIBLE);
}

static void linearizable_ones_are_sequential(void **unused) {
    static const struct by_hand table[] = {
        {COR_OBJECT_QUEUE, HERLIHY ", history H1",
         "0 enqueue 1;1 enqueue 2;1 =;0 =;1 dequeue;1 = 1;2 dequeue;2 = 2;2 enqueue 3", 0},
        {COR_OBJECT_QUEUE, HERLIHY ", history H3", "0 enqueue 1;1 dequeue;1 = 1", 0},
        {COR_OBJECT_MAP, "what is not there is nil or nothing",
         "0 get @x;0 = nil;0 get @x;0 = \"\";0 append a@x;0 =;1 append b@x;1 =;0 get @x;0 = ab", 1},
    };
    (void)unused;
    check_by_hand(table, sizeof table / sizeof *table, COR_POSSIBLE, COR_POSSIBLE);
}

/* ---- bounds */

/* So many open writes of other values, or items of a queue, of which a read sees one that nobody wrote. */
static enum cor_possible of_open_writes(enum cor_object object, uint32_t count, bool is_lost, uint64_t steps,
                                        uint64_t *memory) {
    struct cor_call_values values;
    struct cor_linear *linear;
    enum cor_possible possible;
    uint32_t open;
    const bool is_register = object == COR_OBJECT_REGISTER;
    const char *const write = is_register ? "write" : "enqueue", *const read =
                                                                     is_register ? "read" : "dequeue";
    assert_int_equal(cor_call_values_init(&values, NULL), COR_OK);
    assert_int_equal(cor_linear_create(object, &values, steps, &linear, NULL), COR_OK);
    struct cor_history history;
    size_t number;
    assert_int_equal(cor_history_init(&history, object, false, NULL), COR_OK);
    for (uint32_t w = 0; w <= count; w++) {
        uint32_t value;
        assert_int_equal(cor_call_values_integer(&history.values, w, &value, NULL), COR_OK);
        assert_int_equal(cor_call_values_integer(&values, w, &value, NULL), COR_OK);
        assert_int_equal(cor_history_call(&history, w, w < count ? write : read, 0,
                                          w < count ? value : COR_CALL_NIL, "", &number, NULL),
                         COR_OK);
        assert_int_equal(cor_linear_call(linear, &history.calls[number], &open, NULL), COR_OK);
        if (is_lost && w < count)
            assert_int_equal(cor_linear_lost(linear, open, NULL), COR_OK);
        if (w == count)
            assert_int_equal(cor_linear_return(linear, open, value, &possible, NULL), COR_OK);
    }
    *memory = cor_linear_memory(linear);
    cor_linear_destroy(linear);
    cor_call_values_fini(&values);
    cor_history_fini(&history);
    return possible;
}

static void too_much_is_not_decided(void **unused) {
    uint64_t memory;
    (void)unused;
    assert_int_equal(of_open_writes(COR_OBJECT_QUEUE, 6, false, COR_HISTORY_STEPS, &memory), COR_IMPOSSIBLE);
    assert_int_equal(of_open_writes(COR_OBJECT_QUEUE, 20, false, 10000, &memory), COR_NOT_DECIDED);
    assert_true(memory < UINT64_C(16) << 20);
    assert_int_equal(of_open_writes(COR_OBJECT_QUEUE, 200000, true, 100000, &memory), COR_NOT_DECIDED);
    assert_true(memory < UINT64_C(200) << 20);
    for (int is_lost = 0; is_lost < 2; is_lost++) { /* values that differ are decided by their zones */
        assert_int_equal(of_open_writes(COR_OBJECT_REGISTER, 100000, is_lost, 100000, &memory),
                         COR_IMPOSSIBLE);
        assert_true(memory < UINT64_C(200) << 20);
    }
}

/* A long run whose clients are never all busy takes no more memory than a short one. */
static void memory_hangs_on_the_widest_stretch(void **unused) {
    struct cor_call_values values;
    struct cor_linear *linear;
    uint64_t early = 0;
    uint32_t numbers[4], write = 0, value, open[4];
    (void)unused;
    assert_int_equal(cor_call_values_init(&values, NULL), COR_OK);
    for (int v = 0; v < 4; v++)
        assert_int_equal(cor_call_values_integer(&values, v, &numbers[v], NULL), COR_OK);
    assert_int_equal(cor_linear_create(COR_OBJECT_REGISTER, &values, 10000, &linear, NULL), COR_OK);
    struct cor_history history; /* gives the operation its number */
    size_t number;
    assert_int_equal(cor_history_init(&history, COR_OBJECT_REGISTER, false, NULL), COR_OK);
    assert_int_equal(cor_history_call(&history, 0, "write", 0, 2, "", &number, NULL), COR_OK);
    assert_int_equal(cor_history_call(&history, 0, "read", 0, 0, "", &number, NULL), COR_OK);
    for (int round = 0; round < 20000; round++) {
        for (uint32_t p = 0; p < 4; p++) {
            struct cor_call call = history.calls[p == 3];
            call.process = p;
            call.argument = p == 3 ? COR_CALL_NIL : numbers[p];
            assert_int_equal(cor_linear_call(linear, &call, &open[p], NULL), COR_OK);
        }
        for (uint32_t p = 0; p < 4; p++) {
            enum cor_possible possible;
            value = p == 3 ? numbers[write = (write + 1) % 3] : COR_CALL_NIL;
            assert_int_equal(cor_linear_return(linear, open[p], value, &possible, NULL), COR_OK);
            assert_int_equal(possible, COR_POSSIBLE);
        }
        if (round == 100)
            early = cor_linear_memory(linear);
    }
    assert_int_equal(cor_linear_memory(linear), early);
    cor_linear_destroy(linear);
    cor_call_values_fini(&values);
    cor_history_fini(&history);
}

/* ---- files */

/* Objects by the name of the file: .edn and .log of a register, map-*.edn of a map, ... */
static enum cor_status try_file(const char *path, struct cor_error *error) {
    char object[64];
    struct cor_history history = {0};
    enum cor_object found;
    bool is_keyed;
    snprintf(object, sizeof object, "%.*s", (int)strcspn(path, "-."), path);
    for (char *sign = object; *sign; sign++)
        *sign = *sign == '+' ? ' ' : *sign;
    enum cor_status status = cor_history_object(object, "--history", &found, &is_keyed, error);
    if (status == COR_OK)
        status = cor_history_init(&history, found, is_keyed, error);
    if (status == COR_OK)
        status = cor_history_read(path, &history, error);
    cor_history_fini(&history);
    return status;
}

static void files_are_refused_in_so_many_words(void **unused) {
    (void)unused;
    invalid_corpus(ROOM "/invalid/cases.txt", 40, try_file);
}

/* The same four calls in all forms. */
static void forms_say_the_same(void **unused) {
    static const char *const forms[] = {
        "INFO  jepsen.util - 0\t:invoke\t:write\t3\nWARN x\nINFO  jepsen.util - "
        ":nemesis\t:info\t:start\tnil\n"
        "INFO  jepsen.util - 1\t:invoke\t:read\tnil\nINFO  jepsen.util - 0\t:ok\t:write\t3\n"
        "INFO  jepsen.util - 1\t:ok\t:read\t3\nINFO  jepsen.util - 1\t:invoke\t:cas\t[3 4]\n"
        "INFO  jepsen.util - 0\t:invoke\t:read\tnil\nINFO  jepsen.util - 1\t:info\t:cas\t:timed-out\n"
        "INFO  jepsen.util - 0\t:fail\t:read\t:timed-out\n",
        "; by hand\n{:process 0, :type :invoke, :f :write, :value 3, :time 1}\n"
        "#jepsen.history.Op{:index 7, :time 2, :type :invoke, :process 1, :f :read, :value nil}\n"
        "{:process :nemesis, :type :info, :f :start, :value {\"n1\" #{\"n2\" 3.5}}}\n"
        "{:process 0, :type :ok, :f :write, :value 3, :more #inst \"2014\", :c \\a}\n"
        "{:process 1 :type :ok :f :read :value 3}{:process 1 :type :invoke :f :cas :value (3 4)}\n"
        "{:process 0, :type :invoke, :f :read, :value nil}\n"
        "{:process 1, :type :info, :f :cas, :value [3 4], :error :timeout}\n"
        "{:process 0, :type :fail, :f :read, :value nil}\n",
        "[{\"process\": 0, \"type\": \"invoke\", \"f\": \"write\", \"value\": 3},\n"
        "{\"process\":1,\"type\":\"invoke\",\"f\":\"read\",\"value\":null},\n"
        "{\"process\":0,\"type\":\"ok\",\"f\":\"write\"}, "
        "{\"type\":\"ok\",\"f\":\"read\",\"value\":3,\"process\":1},\n"
        "{\"process\":1,\"type\":\"invoke\",\"f\":\"cas\",\"value\":[3,4]},\n"
        "{\"process\":0,\"type\":\"invoke\",\"f\":\"read\", \"x\": {\"y\": [1.5, true]}},\n"
        "{\"process\":1,\"type\":\"info\",\"f\":\"cas\"}, "
        "{\"process\":0,\"type\":\"fail\",\"f\":\"read\"}]\n",
        "process,type,f,key,value,time\n0,invoke,write,,3,1\n1,invoke,read,,,2\n0,ok,write,,3,3\n1,ok,read,,"
        "3,4\n"
        "1,invoke,cas,,\"[3, 4]\",5\n0,invoke,read,,,6\n1,info,cas,,,7\n0,fail,read,,,8\n",
    };
    char path[] = "/tmp/corridor-history-XXXXXX";
    const int file = mkstemp(path);
    (void)unused;
    assert_true(file >= 0);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        struct cor_history history;
        struct cor_error error = COR_NO_ERROR;
        struct cor_bytes text = {0};
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        assert_true(fputs(forms[f], out) >= 0);
        fclose(out);
        assert_int_equal(cor_history_init(&history, COR_OBJECT_CAS_REGISTER, false, &error), COR_OK);
        if (cor_history_read(path, &history, &error) != COR_OK)
            fail_msg("form %zu: %s: %s", f, error.place, error.cause);
        for (size_t c = 0; c < history.count; c++) {
            const struct cor_call *call = &history.calls[c];
            cor_call_text(&history, call, &text);
            cor_bytes_print(&text, " by %u from %d to %d;", call->process, (int)call->called,
                            call->ended == COR_CALL_OPEN ? -1 : (int)call->ended);
        }
        assert_string_equal(cor_bytes_text(&text),
                            "write 3 by 0 from 0 to 2;read: 3 by 1 from 1 to 3;cas [3, 4] by 1 from 4 to -1;"
                            "read, which did nothing by 0 from 5 to 6;");
        assert_int_equal(history.passed, f == 0 ? 1 : 0);
        cor_bytes_fini(&text);
        cor_history_fini(&history);
    }
    close(file);
    unlink(path);
}

/* Reads a history of that object from a text. */
static enum cor_possible verdict_of(enum cor_object object, const char *text, bool is_sequential) {
    char path[] = "/tmp/corridor-history-XXXXXX";
    struct cor_history_verdict verdict = {0};
    struct cor_history history;
    struct cor_error error = COR_NO_ERROR;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (int)strlen(text));
    close(file);
    assert_int_equal(cor_history_init(&history, object, false, &error), COR_OK);
    if (cor_history_read(path, &history, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_int_equal((is_sequential ? cor_history_sequential : cor_history_linearizable)(
                         &history, NULL, COR_HISTORY_STEPS, &verdict, &error),
                     COR_OK);
    cor_history_fini(&history);
    unlink(path);
    return verdict.possible;
}

/* Sets of EDN as values, also in lists and behind them; words with a zero byte, which append keeps whole. */
static void values_are_read_whole(void **unused) {
    (void)unused;
#define CALL(operation, value) "{:process 0, :type :invoke, :f :" operation ", :key 1, :value " value "}\n"
#define DONE(operation, value) "{:process 0, :type :ok, :f :" operation ", :key 1, :value " value "}\n"
#define ADDED "{:process 0 :type :invoke :f :add :value #{1 [#{}]}}{:process 0 :type :ok :f :add}"
#define READS "{:process 0 :type :invoke :f :read :value nil}{:process 0 :type :ok :f :read :value "
    assert_int_equal(verdict_of(COR_OBJECT_SET, READS "#{}}" ADDED READS "#{#{1 [#{}]}}}", false),
                     COR_POSSIBLE);
    assert_int_equal(verdict_of(COR_OBJECT_SET, READS "#{}}" ADDED READS "#{#{1 [#{2}]}}}", false),
                     COR_IMPOSSIBLE);
    assert_int_equal(verdict_of(COR_OBJECT_MAP,
                                CALL("append", "\"a\\u0000b\"") DONE("append", "nil")
                                    CALL("append", "\"a\\u0000c\"") DONE("append", "nil") CALL("get", "nil")
                                        DONE("get", "\"a\\u0000ba\\u0000c\""),
                                false),
                     COR_POSSIBLE);
}

/* No text does harm: published ones, cut and changed by chance. */
static void texts_do_no_harm(void **unused) {
    static const char *const names[] = {"/published/kv_c01_ok.edn", "/published/etcd_002.log"};
    static const char signs[] = "{}[]()\"\\:#,; \n\tnil019-aok";
    char path[] = "/tmp/corridor-history-XXXXXX", *text = NULL;
    const int file = mkstemp(path);
    (void)unused;
    assert_true(file >= 0);
    for (unsigned t = 0; t < 1000; t++) {
        struct cor_history history;
        struct cor_history_verdict verdict;
        struct cor_error error = COR_NO_ERROR;
        drawn_state = t;
        char *const whole = cor_format("%s%s", ROOM, names[t % 2]);
        text = cor_file_text(whole);
        free(whole);
        assert_non_null(text);
        text[400 + draw(3000)] = '\0';
        const size_t length = strlen(text);
        for (unsigned change = draw(6); change > 0; change--)
            text[draw((unsigned)length)] = signs[draw(sizeof signs - 1)];
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        assert_true(fputs(text, out) >= 0);
        fclose(out);
        free(text);
        assert_int_equal(
            cor_history_init(&history, t % 2 ? COR_OBJECT_CAS_REGISTER : COR_OBJECT_MAP, false, &error),
            COR_OK);
        if (cor_history_read(path, &history, &error) == COR_OK)
            assert_int_equal(cor_history_linearizable(&history, NULL, 10000, &verdict, &error), COR_OK);
        else
            assert_true(error.cause[0] && error.place[0]);
        cor_history_fini(&history);
    }
    close(file);
    unlink(path);
}

int main(int argument_count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_ones_have_equal_verdicts),
        cmocka_unit_test(wide_ones_have_equal_verdicts),
        cmocka_unit_test(published_verdicts_are_ours),
        cmocka_unit_test(sequential_ones_need_not_be_linearizable),
        cmocka_unit_test(others_are_neither),
        cmocka_unit_test(linearizable_ones_are_sequential),
        cmocka_unit_test(too_much_is_not_decided),
        cmocka_unit_test(memory_hangs_on_the_widest_stretch),
        cmocka_unit_test(files_are_refused_in_so_many_words),
        cmocka_unit_test(forms_say_the_same),
        cmocka_unit_test(values_are_read_whole),
        cmocka_unit_test(texts_do_no_harm),
    };
    if (argument_count > 1)
        histories = strtoull(arguments[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
