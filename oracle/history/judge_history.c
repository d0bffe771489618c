/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corridor judge --history. */
#include "output.h"
#include "replay.h"
#include "running.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/history.h>
#include <corridor/json.h>
#include <corridor/minimize_history.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const words[] = {"possible", "impossible", "not decided"};

struct judging {
    const struct cor_judge_history *asked;
    const char *path;
    struct cor_history history;
    struct cor_history_verdict verdict;
    size_t returned,
        telling;   /* calls that did; of which told something: else any object could have served them */
    bool *relaxed; /* owned; where it is impossible: calls that have no part in it */
    struct cor_bytes told, svg; /* why it is impossible */
};

static enum cor_status judge(struct judging *judging, struct cor_error *error) {
    const struct cor_judge_history *asked = judging->asked;
    const uint64_t steps = (uint64_t)asked->steps;
    struct cor_history *history = &judging->history;
    enum cor_object object;
    bool is_keyed;
    COR_TRY(cor_history_object(asked->object, "--history", &object, &is_keyed, error));
    COR_TRY(cor_history_init(history, object, is_keyed, error));
    COR_TRY(cor_history_read(judging->path, history, error));
    COR_TRY(asked->sequential ? cor_history_sequential(history, NULL, steps, &judging->verdict, error)
                              : cor_history_linearizable(history, NULL, steps, &judging->verdict, error));
    for (size_t c = 0; c < history->count; c++) {
        judging->returned += history->calls[c].end == COR_CALL_RETURNED;
        judging->telling += cor_call_tells(history, &history->calls[c]);
    }
    if (judging->telling == 0)
        judging->verdict.possible = COR_NOT_DECIDED;
    if (judging->verdict.possible != COR_IMPOSSIBLE)
        return COR_OK;
    judging->relaxed = cor_calloc(history->count, sizeof *judging->relaxed);
    COR_TRY(cor_made(judging->relaxed, error));
    COR_TRY(
        cor_history_minimize(history, asked->sequential, steps, &judging->verdict, judging->relaxed, error));
    COR_TRY(cor_history_explain(history, judging->relaxed, asked->sequential, &judging->told,
                                asked->svg ? &judging->svg : NULL, error));
    return asked->svg && judging->svg.size > 0
               ? cor_output_text(asked->svg, cor_bytes_text(&judging->svg), asked->force, error)
               : COR_OK;
}

static const char *asked_word(const struct judging *judging) {
    return judging->asked->sequential ? "sequential" : "linearizable";
}

static enum cor_status print(const struct judging *judging, struct cor_error *error) {
    const struct cor_history *history = &judging->history;
    const struct cor_call *call = &history->calls[judging->verdict.call];
    size_t unknown = 0, kept = 0;
    struct cor_bytes text = {0};
    for (size_t c = 0; c < history->count; c++) {
        unknown += history->calls[c].end == COR_CALL_UNKNOWN;
        kept += judging->relaxed && !judging->relaxed[c];
    }
    printf("%zu call%s of a %s%s, %zu without an end\n", history->count, history->count == 1 ? "" : "s",
           cor_object_words[history->object], history->is_keyed ? " by key" : "", unknown);
    if (judging->verdict.possible == COR_POSSIBLE) {
        printf("%s: yes\n", asked_word(judging));
    } else if (judging->telling == 0) {
        printf("%s: not decided, for no call returned%s\n", asked_word(judging),
               judging->returned > 0 ? " anything that could be wrong" : "");
    } else if (judging->verdict.possible == COR_NOT_DECIDED) {
        printf("%s: not decided", asked_word(judging));
        if (!judging->asked->sequential)
            printf(", given up at the end of the call of line %" PRIu64, call->line);
        printf(", after %" PRIu64 " steps (more: --steps)\n", judging->verdict.steps);
    } else {
        printf("%s: no", asked_word(judging));
        if (!judging->asked->sequential) {
            cor_call_text(history, call, &text);
            printf(", no order is left after process %" PRIu32 " returns from %s (line %" PRIu64 ")",
                   call->process, cor_bytes_text(&text), call->line);
        }
        printf("\n\n%zu call%s no order, whatever the others did:\n\n%s", kept, kept == 1 ? " has" : "s have",
               cor_bytes_text(&judging->told));
    }
    const enum cor_status status = text.status == COR_OK ? COR_OK : cor_fail_memory(error);
    cor_bytes_fini(&text);
    return status == COR_OK ? cor_stream_status(stdout, error) : status;
}

static void put_call(struct cor_json_writer *writer, const struct cor_call *call, struct cor_bytes *text,
                     const struct cor_history *history) {
    cor_bytes_clear(text);
    cor_call_text(history, call, text);
    cor_json_put_integer(writer, "line", (int64_t)call->line);
    cor_json_put_integer(writer, "process", call->process);
    cor_json_put_string(writer, "call", cor_bytes_text(text));
}

static enum cor_status print_json(const struct judging *judging, struct cor_error *error) {
    const struct cor_history *history = &judging->history;
    struct cor_json_writer *writer;
    struct cor_bytes text = {0};
    COR_TRY(cor_document_open("corridor-judge-history", 1, &writer, error));
    cor_json_put_string(writer, "object", cor_object_words[history->object]);
    cor_json_put_bool(writer, "by_key", history->is_keyed);
    cor_json_put_string(writer, "asked", asked_word(judging));
    cor_json_put_integer(writer, "calls", (int64_t)history->count);
    cor_json_put_integer(writer, "returned", (int64_t)judging->returned);
    cor_json_put_integer(writer, "telling", (int64_t)judging->telling);
    cor_json_put_string(writer, "verdict", words[judging->verdict.possible]);
    cor_json_put_integer(writer, "steps", (int64_t)judging->verdict.steps);
    if (judging->verdict.possible != COR_POSSIBLE && judging->telling > 0 && !judging->asked->sequential) {
        cor_json_open_object(writer, "at");
        put_call(writer, &history->calls[judging->verdict.call], &text, history);
        cor_json_close(writer);
    }
    if (judging->relaxed) {
        cor_json_open_array(writer, "impossible");
        for (size_t c = 0; c < history->count; c++) {
            if (judging->relaxed[c])
                continue;
            cor_json_open_object(writer, NULL);
            put_call(writer, &history->calls[c], &text, history);
            cor_json_close(writer);
        }
        cor_json_close(writer);
        cor_json_put_string(writer, "told", cor_bytes_text(&judging->told));
    }
    cor_json_close(writer);
    if (text.status != COR_OK) {
        cor_json_writer_destroy(writer);
        cor_bytes_fini(&text);
        return cor_fail_memory(error);
    }
    cor_bytes_fini(&text);
    return cor_json_print_take(writer, 2, stdout, error);
}

enum cor_exit cor_judge_history(const char *path, const struct cor_judge_history *asked) {
    struct judging judging = {.asked = asked, .path = path};
    struct cor_error error = COR_NO_ERROR;
    cor_progress_doing("looking for an order of all calls");
    enum cor_status status = judge(&judging, &error);
    cor_progress_doing(NULL);
    if (status == COR_OK)
        status = asked->json ? print_json(&judging, &error) : print(&judging, &error);
    if (judging.history.passed > 0)
        cor_say("note: %s: %" PRIu64 " lines are no operations, and were passed over",
                cor_json_path_name(path), judging.history.passed);
    const enum cor_possible possible = judging.verdict.possible;
    cor_history_fini(&judging.history);
    free(judging.relaxed);
    if (asked->svg && judging.svg.size == 0 && status == COR_OK)
        cor_say("note: nothing is drawn in %s: %s", asked->svg,
                possible == COR_IMPOSSIBLE ? "more than 16 calls have no order"
                                           : "no calls were found that have no order");
    cor_bytes_fini(&judging.told);
    cor_bytes_fini(&judging.svg);
    if (status != COR_OK)
        return cor_report(&error);
    if (possible == COR_NOT_DECIDED)
        return COR_EXIT_UNDECIDED;
    return possible == COR_IMPOSSIBLE && !asked->no_fail ? COR_EXIT_EXPECTATION : COR_EXIT_DONE;
}
