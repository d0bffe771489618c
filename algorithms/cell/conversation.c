/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/conversation.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAST_WORDS 200 /* bytes of what is told of the end of a process */

enum cor_status cor_conversation_init(struct cor_conversation *talk,
                                      const struct cor_lines_definition *definition, double answer_seconds,
                                      struct cor_error *error) {
    *talk = (struct cor_conversation){.answer_seconds = answer_seconds};
    return cor_lines_init(&talk->lines, definition, error);
}

void cor_conversation_fini(struct cor_conversation *talk) {
    cor_lines_fini(&talk->lines);
    cor_json_destroy(talk->answer);
    cor_bytes_fini(&talk->request);
    talk->answer = NULL;
}

enum cor_status cor_conversation_start(struct cor_conversation *talk, struct cor_error *error) {
    const enum cor_status status = cor_lines_start(&talk->lines, error);
    talk->id = 0;
    talk->has_asked = false;
    talk->exchange = status == COR_OK ? COR_EXCHANGE_WELL : COR_EXCHANGE_TROUBLE;
    return status;
}

void cor_conversation_part(struct cor_conversation *talk) {
    if (!cor_lines_started(&talk->lines))
        return;
    cor_bytes_print(cor_conversation_begin(talk, "bye"), "true}\n");
    const enum cor_turn turn =
        talk->request.status != COR_OK
            ? COR_TURN_TROUBLE
            : cor_lines_say(&talk->lines, cor_bytes_text(&talk->request), cor_now() + COR_PARTING_SECONDS);
    cor_lines_end(&talk->lines, turn == COR_TURN_LINE ? COR_PARTING_SECONDS : 0);
}

void cor_conversation_again(struct cor_conversation *talk) {
    if (talk->id == 0)
        return;
    talk->id = 1;
    cor_lines_forget(&talk->lines);
}

struct cor_bytes *cor_conversation_begin(struct cor_conversation *talk, const char *called) {
    cor_bytes_clear(&talk->request);
    talk->has_asked = talk->id > 0;
    cor_bytes_print(&talk->request, "{\"id\":%" PRIu64 ",\"%s\":", ++talk->id, called);
    return &talk->request;
}

enum cor_status cor_conversation_put_take(struct cor_conversation *talk, struct cor_json_writer *writer,
                                          struct cor_error *error) {
    char *text;
    COR_TRY(cor_json_text_take(writer, 0, &text, error));
    cor_bytes_put(&talk->request, text, strlen(text));
    free(text);
    return COR_OK;
}

static enum cor_status give_up(struct cor_conversation *talk, enum cor_status status,
                               const struct cor_error *wrong, struct cor_error *error) {
    talk->exchange = COR_EXCHANGE_TROUBLE;
    cor_lines_end(&talk->lines, 0);
    return status == COR_STATUS_MEMORY
               ? cor_fail_memory(error)
               : cor_fail(error, status, wrong->place, wrong->remedy, "%s", wrong->cause);
}

static enum cor_exchange exchange_of(enum cor_turn turn, bool half, enum cor_death death) {
    if (turn != COR_TURN_CLOSED)
        return turn == COR_TURN_LATE ? COR_EXCHANGE_LATE : COR_EXCHANGE_FLOOD;
    static const enum cor_exchange of_death[] = {
        [COR_DEATH_UNKNOWN] = COR_EXCHANGE_CRASHED, [COR_DEATH_EXIT] = COR_EXCHANGE_EXITED,
        [COR_DEATH_SIGNAL] = COR_EXCHANGE_CRASHED,  [COR_DEATH_CPU_TIME] = COR_EXCHANGE_CPU_TIME,
        [COR_DEATH_ENDED] = COR_EXCHANGE_CLOSED,    [COR_DEATH_MEMORY] = COR_EXCHANGE_MEMORY};
    const bool is_own = death == COR_DEATH_EXIT || death == COR_DEATH_ENDED;
    return half && is_own ? COR_EXCHANGE_HALF : of_death[death];
}

/* That the answer to this request may take: to begin takes as long as it takes. */
static double seconds_of(const struct cor_conversation *talk) {
    const bool begins = talk->lines.asked.is_greeted && talk->id == 1;
    return begins ? fmax(talk->answer_seconds, COR_BEGIN_SECONDS) : talk->answer_seconds;
}

/* Why there is no line. */
static enum cor_status lose(struct cor_conversation *talk, enum cor_turn turn, struct cor_error *error) {
    const bool half = cor_lines_pending(&talk->lines);
    char last[LAST_WORDS];
    if (turn == COR_TURN_TROUBLE)
        return give_up(talk, talk->lines.trouble, &talk->lines.wrong, error);
    cor_lines_end(&talk->lines, turn == COR_TURN_CLOSED ? COR_PARTING_SECONDS : 0);
    talk->exchange = exchange_of(turn, half, cor_lines_death(&talk->lines));
    talk->what[0] = '\0';
    if (talk->exchange == COR_EXCHANGE_LATE)
        snprintf(talk->what, sizeof talk->what,
                 half ? "half a line, and no more in %g s" : "no answer in %g s", seconds_of(talk));
    else if (talk->exchange == COR_EXCHANGE_FLOOD)
        snprintf(talk->what, sizeof talk->what, "a line of more than %zu bytes", talk->lines.capacity);
    else if (talk->exchange == COR_EXCHANGE_HALF)
        snprintf(talk->what, sizeof talk->what, "half a line, and no more");
    else if (talk->exchange == COR_EXCHANGE_CLOSED)
        snprintf(talk->what, sizeof talk->what, "it closed its output, or its input, and lived on");
    cor_last_words_shorten(talk->lines.last_words, last, sizeof last);
    snprintf(talk->words, sizeof talk->words, "%.300s%s%s", talk->what, talk->what[0] ? "; " : "", last);
    return COR_OK;
}

static void note_garbled(struct cor_conversation *talk) {
    talk->exchange = COR_EXCHANGE_GARBLED;
    snprintf(talk->words, sizeof talk->words, "%s", talk->what);
    cor_lines_end(&talk->lines, 0);
}

static void note_going_on(struct cor_conversation *talk) {
    snprintf(talk->what, sizeof talk->what, "it goes on speaking after its answer");
    note_garbled(talk);
}

enum cor_status cor_conversation_say(struct cor_conversation *talk, struct cor_error *error) {
    cor_bytes_put(&talk->request, "}\n", 2);
    if (talk->request.status != COR_OK)
        return give_up(talk, COR_STATUS_MEMORY, NULL, error);
    talk->exchange = COR_EXCHANGE_WELL;
    talk->answered = 0;
    if (talk->id > 1 && cor_lines_spoke(&talk->lines)) {
        note_going_on(talk);
        return COR_OK;
    }
    talk->deadline = cor_now() + seconds_of(talk);
    const enum cor_turn turn = cor_lines_say(&talk->lines, cor_bytes_text(&talk->request), talk->deadline);
    return turn == COR_TURN_LINE ? COR_OK : lose(talk, turn, error);
}

enum cor_status cor_conversation_hear(struct cor_conversation *talk, double quiet_seconds,
                                      struct cor_error *error) {
    struct cor_lines *lines = &talk->lines;
    const bool may_be_quiet = quiet_seconds > 0;
    if (talk->exchange != COR_EXCHANGE_WELL)
        return COR_OK;
    enum cor_turn turn =
        cor_lines_hear(lines, may_be_quiet ? cor_now() + quiet_seconds : talk->deadline, &talk->line);
    if (turn == COR_TURN_LATE && may_be_quiet && !cor_lines_pending(lines)) {
        talk->exchange = COR_EXCHANGE_QUIET;
        turn = cor_lines_note_quiet(lines);
    } else if (turn == COR_TURN_LATE && may_be_quiet && !lines->is_replayed) {
        turn = cor_lines_hear(lines, talk->deadline, &talk->line); /* it has begun to speak */
    }
    return turn == COR_TURN_LINE ? COR_OK : lose(talk, turn, error);
}

static enum cor_status read_line(struct cor_conversation *talk, struct cor_error *said) {
    struct cor_json id;
    COR_TRY(cor_json_parse(talk->line, "answer", &talk->answer, said));
    const struct cor_json root = cor_json_root(talk->answer);
    COR_TRY(cor_json_expect_object(&root, NULL, said));
    COR_TRY(cor_json_need(&root, "id", &id, said));
    COR_TRY(cor_json_integer(&id, INT64_MIN, INT64_MAX, &talk->answered, said));
    if (talk->answered == (int64_t)talk->id)
        return COR_OK;
    return cor_json_fail(&id, said, NULL, "it answers %" PRId64 ", but asked was %" PRIu64, talk->answered,
                         talk->id);
}

enum cor_status cor_conversation_read(struct cor_conversation *talk, struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    if (talk->exchange != COR_EXCHANGE_WELL)
        return COR_OK;
    cor_json_destroy(talk->answer);
    talk->answer = NULL;
    const enum cor_status status = read_line(talk, &said);
    if (status == COR_OK || !(talk->answered > 0 && talk->answered < (int64_t)talk->id))
        return status == COR_OK ? COR_OK : cor_conversation_garble(talk, status, &said, error);
    note_going_on(talk); /* the same words, however late it comes */
    return COR_OK;
}

void cor_conversation_expect_silence(struct cor_conversation *talk) {
    if (talk->exchange == COR_EXCHANGE_WELL && cor_lines_pending(&talk->lines))
        note_going_on(talk);
}

enum cor_status cor_conversation_ask(struct cor_conversation *talk, double quiet_seconds,
                                     struct cor_error *error) {
    COR_TRY(cor_conversation_say(talk, error));
    COR_TRY(cor_conversation_hear(talk, quiet_seconds, error));
    return cor_conversation_read(talk, error);
}

enum cor_status cor_conversation_garble(struct cor_conversation *talk, enum cor_status status,
                                        const struct cor_error *said, struct cor_error *error) {
    if (status == COR_STATUS_MEMORY)
        return give_up(talk, status, said, error);
    snprintf(talk->what, sizeof talk->what, "%.100s: %.140s", talk->line, said->cause);
    note_garbled(talk);
    return COR_OK;
}

enum cor_status cor_conversation_refuse(const struct cor_conversation *talk, const char *remedy,
                                        struct cor_error *error) {
    const enum cor_exchange exchange = talk->exchange;
    const bool is_garbled = exchange == COR_EXCHANGE_GARBLED;
    return cor_fail(error, COR_STATUS_PLUGIN, talk->lines.command, remedy, "the program%s: %s",
                    is_garbled                       ? "'s first line will not do"
                    : exchange == COR_EXCHANGE_LATE  ? " said nothing in time"
                    : exchange == COR_EXCHANGE_FLOOD ? " said a line without an end"
                                                     : " ended without an answer",
                    is_garbled ? talk->what : talk->lines.last_words);
}
