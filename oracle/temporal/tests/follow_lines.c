/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Follows formulas for naive_temporal.py. A line is "FORMULA<TAB>name name ..<TAB>state state ..", a state
 * one letter for each name: h(olds), v(iolated), u(nknown). The answer: the verdict after 0, 1, .. states, a
 * letter each, and the deciding state or "-", twice; "never:" and for 0 to 4 states to come 1 where it is
 * said that these do not make it hold, else 0; where it is violated in the end, "enough" or "ended" and
 * its reasons, "kind:first:last:condition:value:word" each; or "! " and an error. */
#include <corridor/temporal.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const struct cor_error *error) {
    char text[2048];
    cor_error_text(error, text, sizeof text);
    printf("! %s\n", text);
}

/* Why it is violated. */
static void print_reasons(const struct cor_temporal *formula, const char *text, const uint8_t *states,
                          size_t width, uint64_t count, bool is_decided) {
    struct cor_temporal_reason *reasons;
    struct cor_error error = COR_NO_ERROR;
    size_t reason_count;
    bool is_enough;
    if (cor_temporal_reasons(formula, states, width, count, is_decided, &reasons, &reason_count, &is_enough,
                             &error) != COR_OK)
        abort();
    printf(" %s", is_enough ? "enough" : "ended");
    for (size_t i = 0; i < reason_count; i++) {
        const struct cor_temporal_reason *reason = &reasons[i];
        printf(" %d:%" PRIu64 ":%" PRIu64 ":%u:%u:", (int)reason->kind, reason->first, reason->last,
               reason->condition, reason->value);
        for (uint32_t c = 0; c < reason->length; c++)
            if (!isspace((unsigned char)text[reason->at + c]))
                putchar(text[reason->at + c]);
    }
    free(reasons);
}

/* Where it is said that so many states, or fewer, do not make it hold. */
static void print_never(struct cor_temporal_watch *watch) {
    static const struct cor_temporal_degrees degrees[64];
    printf(" never:");
    for (uint32_t left = 0; left < 5; left++) {
        struct cor_temporal_distance distance;
        if (cor_temporal_distance(watch, degrees, left, &distance, NULL) != COR_OK)
            abort();
        printf("%d", distance.states == COR_TEMPORAL_NEVER);
    }
}

static void answer(char *text, char *names_text, char *trace) {
    const char *names[65] = {NULL};
    size_t count = 0;
    struct cor_error error = COR_NO_ERROR;
    struct cor_temporal *formula = NULL;
    struct cor_temporal_watch *watch = NULL;
    for (char *rest = NULL, *name = strtok_r(names_text, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        names[count++] = name;
    if (cor_temporal_parse(text, names, NULL, &formula, &error) != COR_OK ||
        cor_temporal_watch_create(formula, &watch, &error) != COR_OK) {
        fail(&error);
        goto out;
    }
    for (int round = 0; round < 2; round++) { /* the second time with what was learnt */
        char verdicts[4096];
        uint8_t states[4096];
        size_t length = 0;
        uint64_t state_count = 0;
        verdicts[length++] = cor_temporal_word(cor_temporal_verdict(watch))[0];
        for (const char *state = trace; *state && *state != '\n'; state += count + (state[count] == ' ')) {
            uint8_t *conditions = states + count * state_count++;
            if (count * state_count > sizeof states)
                abort();
            for (size_t i = 0; i < count; i++)
                conditions[i] = state[i] == 'h'   ? COR_TEMPORAL_HOLDS
                                : state[i] == 'v' ? COR_TEMPORAL_VIOLATED
                                                  : COR_TEMPORAL_UNKNOWN;
            if (cor_temporal_step(watch, conditions, &error) != COR_OK) {
                fail(&error);
                goto out;
            }
            verdicts[length++] = cor_temporal_word(cor_temporal_verdict(watch))[0];
        }
        uint64_t decided_at = cor_temporal_decided_at(watch);
        printf("%.*s ", (int)length, verdicts);
        if (decided_at == COR_TEMPORAL_OPEN)
            printf("-");
        else
            printf("%" PRIu64, decided_at);
        if (round == 1) {
            print_never(watch);
            printf(" so_far:%c", cor_temporal_word(cor_temporal_so_far(watch))[0]);
        }
        if (round == 1 && state_count > 0 && cor_temporal_verdict(watch) == COR_TEMPORAL_VIOLATED)
            print_reasons(formula, text, states, count,
                          decided_at == COR_TEMPORAL_OPEN ? state_count : decided_at + 1,
                          decided_at != COR_TEMPORAL_OPEN);
        printf("%s", round == 0 ? " " : "\n");
        cor_temporal_restart(watch);
    }
out:
    cor_temporal_watch_destroy(watch);
    cor_temporal_destroy(formula);
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) >= 0) {
        char *names = strchr(line, '\t'), *trace = names ? strchr(names + 1, '\t') : NULL;
        if (!trace)
            return 2;
        *names = *trace = '\0';
        answer(line, names + 1, trace + 1);
    }
    free(line);
    return 0;
}
