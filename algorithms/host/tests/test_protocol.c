/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a program, mutated: whatever it answers, it is a verdict or a refusal in words, and the same when
 * it is said again. What three sound programs say is recorded, a line of it is changed, and that is replayed.
 *
 * usage: test_protocol [COUNT] - so many lines instead of a few */
#include "tests/tasks.h"

#include <corridor/traffic.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define GUEST "python3 -I -S " TEST_SOURCE_SHELL "/algorithms/host/tests/programs/guest.py "
#define RECORDED "recorded.traffic"
#define MUTATED "mutated.traffic"

static const char *const shapes[] = {GUEST "one_shot", GUEST "centralised", GUEST "decentralised"};
static uint32_t wanted = 200;
static struct test_task task; /* big */

/* One reorganization, by a registry of its own. The fingerprint of its outcome. */
static enum cor_status talk(const char *command, struct cor_traffic *traffic, enum cor_smoke *smoke,
                            uint64_t *digest, struct cor_error *error) {
    struct cor_registry *registry = NULL;
    const struct cor_algorithm *guest;
    struct cor_session *session = NULL;
    struct cor_outcome outcome;
    enum cor_status status;
    *digest = 0;
    *smoke = COR_SMOKE_NONE;
    cor_outcome_init(&outcome);
    COR_TRY_OUT(cor_registry_create(NULL, &registry, error));
    cor_registry_use_traffic(registry, traffic);
    COR_TRY_OUT(cor_registry_command(registry, command, &guest, error));
    struct cor_session_definition definition = cor_default_session(guest);
    COR_TRY_OUT(cor_session_create(&definition, &session, error));
    test_make(&task, guest, 7, 3, 1);
    COR_TRY_OUT(cor_session_reorganize(session, &task.task, &task.name, &outcome, error));
    *smoke = outcome.smoke;
    *digest = cor_outcome_digest(&outcome);
out:
    cor_session_destroy(session);
    cor_outcome_fini(&outcome);
    cor_registry_destroy(registry);
    return status;
}

static char *read_recorded(const char *command) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_traffic *traffic;
    enum cor_smoke smoke;
    uint64_t digest;
    assert_int_equal(cor_traffic_record(RECORDED, true, &traffic, &error), COR_OK);
    assert_int_equal(talk(command, traffic, &smoke, &digest, &error), COR_OK);
    assert_int_equal(smoke, COR_SMOKE_NONE);
    cor_traffic_close(traffic);
    FILE *file = fopen(RECORDED, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    assert_true(size > 0 && size < (1 << 20) - 1);
    fclose(file);
    return text;
}

/* Another line instead of `line`: some bytes, pieces and words of it are changed. */
static void mutate(struct cor_rng *rng, char *line, size_t room) {
    static const char *const words[] = {
        "null",        "-1",          "1e400",   "18446744073709551616",
        "\"\\u0000\"", "[[[[",        "{}",      "true",
        "1e-400",      "0.5",         "\"id\":", "\"blocks\":",
        "],[",         "\"\\ud800\"", "NaN",     "99999999999999999999999999999999999999999"};
    for (uint32_t left = 1 + cor_rng_below(rng, 3); left > 0; left--) {
        size_t size = strlen(line), at = cor_rng_below(rng, (uint32_t)size + 1);
        size_t piece = cor_rng_below(rng, 12), rest = size - at;
        piece = piece < rest ? piece : rest;
        const char *word = words[cor_rng_below(rng, sizeof words / sizeof *words)];
        switch (cor_rng_below(rng, 4)) {
        case 0: /* a byte: any but the end of a line, or of the text */
            if (rest > 0) {
                char byte = (char)(1 + cor_rng_below(rng, 255));
                line[at] = byte == '\n' ? '~' : byte;
            }
            break;
        case 1: /* a piece is left out */
            memmove(line + at, line + at + piece, rest - piece + 1);
            break;
        case 2: /* a piece comes twice */
            if (size + piece < room) {
                memmove(line + at + piece, line + at, rest + 1);
                memcpy(line + at, line + at + piece, piece);
            }
            break;
        default: /* a word takes the place of a piece */
            if (size + strlen(word) < room) {
                memmove(line + at + strlen(word), line + at + piece, rest - piece + 1);
                memcpy(line + at, word, strlen(word));
            }
        }
    }
}

/* What the program said next, from the beginning of a line on; NULL: no more. */
static const char *next_answer(const char *text) {
    for (const char *line = text; line && *line;) {
        size_t digits = strspn(line, "0123456789");
        if (strncmp(line + digits, " < ", 3) == 0)
            return line + digits + 3;
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return NULL;
}

/* The recorded text with one of its answers changed, as a file. */
static void write_mutated(struct cor_rng *rng, const char *text) {
    static char line[1 << 16];
    uint32_t answers = 0;
    for (const char *next = text; (next = next_answer(next)) != NULL; next = strchr(next, '\n') + 1)
        answers++;
    assert_true(answers > 2); /* two hellos, and what it was asked */
    const char *begin = next_answer(text);
    for (uint32_t left = cor_rng_below(rng, answers); left > 0; left--)
        begin = next_answer(strchr(begin, '\n') + 1);
    size_t length = strcspn(begin, "\n");
    assert_true(length < sizeof line / 2);
    memcpy(line, begin, length);
    line[length] = '\0';
    mutate(rng, line, sizeof line);
    FILE *file = fopen(MUTATED, "wb");
    assert_non_null(file);
    fwrite(text, 1, (size_t)(begin - text), file);
    fputs(line, file);
    fputs(begin + length, file);
    fclose(file);
}

static enum cor_status replay(const char *command, enum cor_smoke *smoke, uint64_t *digest) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_traffic *traffic = NULL;
    *digest = 0;
    *smoke = COR_SMOKE_NONE;
    enum cor_status status = cor_traffic_replay(MUTATED, &traffic, &error);
    if (status == COR_OK)
        status = talk(command, traffic, smoke, digest, &error);
    if (status != COR_OK && error.cause[0] == '\0')
        fail_msg("an error without a word");
    cor_traffic_close(traffic);
    return status;
}

static void a_mutated_line_is_a_verdict_or_a_refusal(void **state) {
    (void)state;
    struct cor_rng rng = test_rng(21);
    uint32_t counts[COR_SMOKE_CODES] = {0}, refused = 0;
    const uint32_t shape_count = sizeof shapes / sizeof *shapes;
    for (uint32_t s = 0; s < shape_count; s++) {
        char *text = read_recorded(shapes[s]);
        for (uint32_t i = s; i < wanted; i += shape_count) {
            enum cor_smoke smoke, again;
            uint64_t digest, same;
            write_mutated(&rng, text);
            enum cor_status status = replay(shapes[s], &smoke, &digest);
            if (status != COR_OK && status != COR_STATUS_PLUGIN && status != COR_STATUS_INPUT)
                fail_msg("line %u: status %d", i, (int)status);
            refused += status != COR_OK;
            counts[smoke] += status == COR_OK;
            if (i % 16 != s)
                continue;
            assert_int_equal(replay(shapes[s], &again, &same), status);
            assert_int_equal(again, smoke);
            assert_true(same == digest);
        }
        free(text);
    }
    print_message(
        "%u mutated lines: %u refused, %u answers all the same, %u garbled, %u complained, %u other\n",
        wanted, refused, counts[COR_SMOKE_NONE], counts[COR_SMOKE_GARBLED], counts[COR_SMOKE_COMPLAINED],
        wanted - refused - counts[COR_SMOKE_NONE] - counts[COR_SMOKE_GARBLED] - counts[COR_SMOKE_COMPLAINED]);
    assert_true(counts[COR_SMOKE_GARBLED] > wanted / 4);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_mutated_line_is_a_verdict_or_a_refusal)};
    if (argc > 1)
        wanted = (uint32_t)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
