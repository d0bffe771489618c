/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small random models as JSON, and the expressions in them as text. */
#ifndef CORRIDOR_ORACLE_EFSM_TESTS_RANDOM_MODELS_H
#define CORRIDOR_ORACLE_EFSM_TESTS_RANDOM_MODELS_H

#include <corridor/efsm.h>
#include <corridor/rng.h>

#include <stdio.h>
#include <string.h>

enum { MODEL_TEXT = 40000 };

struct model_text {
    char text[MODEL_TEXT];
    size_t length;
    bool parameters; /* may expressions read p and q? */
    uint32_t variables;
};

#define WRITE(out, ...) \
    (out)->length += (size_t)snprintf((out)->text + (out)->length, MODEL_TEXT - (out)->length, __VA_ARGS__)

static void write_number(struct cor_rng *rng, struct model_text *out, int depth);

static void write_leaf(struct cor_rng *rng, struct model_text *out) {
    static const char *const names[] = {"p", "q", "x", "y", "z"};
    const uint32_t kind = cor_rng_below(rng, 3);
    if (kind == 0) {
        const uint32_t constant = cor_rng_below(rng, 5);
        WRITE(out, "%u", constant);
        return;
    }
    const uint32_t first = out->parameters ? 0 : 2;
    const uint32_t name = first + cor_rng_below(rng, 2 + out->variables - first);
    WRITE(out, "%s", names[name]);
}

static void write_two(struct cor_rng *rng, struct model_text *out, int depth, const char *before,
                      const char *between, const char *behind) {
    WRITE(out, "%s", before);
    write_number(rng, out, depth);
    WRITE(out, "%s", between);
    write_number(rng, out, depth);
    WRITE(out, "%s", behind);
}

static void write_number(struct cor_rng *rng, struct model_text *out, int depth) {
    const uint32_t kind = depth == 0 ? 0 : cor_rng_below(rng, 14);
    const uint32_t divisor = 2 + cor_rng_below(rng, 3);
    switch (kind) {
    case 5:
    case 6:
    case 7:
        write_two(rng, out, depth - 1, "", " + ", "");
        break;
    case 8:
    case 9:
        write_two(rng, out, depth - 1, "", " - (", ")");
        break;
    case 10:
        write_two(rng, out, depth - 1, "(", ") * (", ")");
        break;
    case 11:
        write_two(rng, out, depth - 1, "min(", ", ", ")");
        break;
    case 12:
        WRITE(out, "(");
        write_number(rng, out, depth - 1);
        WRITE(out, ") %s %u", divisor % 2 ? "%" : "/", divisor);
        break;
    case 13:
        write_two(rng, out, depth - 1, "abs(", " - ", ")");
        break;
    default:
        write_leaf(rng, out);
    }
}

static void write_condition(struct cor_rng *rng, struct model_text *out, int depth) {
    static const char *const signs[] = {" < ", " <= ", " == ", " != ", " > ", " >= "};
    const uint32_t kind = cor_rng_below(rng, depth == 0 ? 5 : 10);
    if (kind == 0) {
        WRITE(out, "true");
    } else if (kind < 6) {
        const uint32_t sign = cor_rng_below(rng, 6);
        write_two(rng, out, 1, "", signs[sign], "");
    } else if (kind < 8) {
        WRITE(out, "(");
        write_condition(rng, out, depth - 1);
        WRITE(out, kind == 6 ? " && " : " || ");
        write_condition(rng, out, depth - 1);
        WRITE(out, ")");
    } else {
        WRITE(out, "!(");
        write_condition(rng, out, depth - 1);
        WRITE(out, ")");
    }
}

static void write_transition(struct cor_rng *rng, struct model_text *out, uint32_t number,
                             uint32_t locations) {
    static const char *const inputs[] = {"A", "B", "C"};
    const uint32_t source = cor_rng_below(rng, locations), target = cor_rng_below(rng, locations);
    const uint32_t input = cor_rng_below(rng, 3);
    bool any = false;
    out->parameters = input == 0;
    WRITE(out, "%s{\"id\":\"t%u\",\"src\":\"l%u\",\"dst\":\"l%u\",\"input\":\"%s\",\"guard\":\"",
          number ? "," : "", number, source, target, inputs[input]);
    write_condition(rng, out, 2);
    WRITE(out, "\",\"update\":{");
    for (uint32_t v = 0; v < out->variables; v++)
        if (cor_rng_below(rng, 3) == 0) {
            WRITE(out, "%s\"%c\":\"", any ? "," : "", (char)('x' + v));
            write_number(rng, out, 2);
            WRITE(out, "\"");
            any = true;
        }
    WRITE(out, "},\"outputs\":[");
    const uint32_t answer = cor_rng_below(rng, 4);
    if (answer == 0)
        WRITE(out, "{\"label\":\"X\",\"args\":[]}");
    if (answer == 1) {
        WRITE(out, "{\"label\":\"Y\",\"args\":[\"");
        write_number(rng, out, 1);
        WRITE(out, "\"]}");
    }
    WRITE(out, "]}");
}

/* A model with 1 to 3 state variables of at most 5 values each, and a goal "some" of one trap with a
 * constraint. */
static void write_model(struct cor_rng *rng, struct model_text *out) {
    *out = (struct model_text){.length = 0};
    const uint32_t locations = 1 + cor_rng_below(rng, 4), transitions = 2 + cor_rng_below(rng, 6);
    out->variables = 1 + cor_rng_below(rng, 3);
    WRITE(out, "{\"format\":\"efsm-json/"
               "1\",\"name\":\"random\",\"vars\":[{\"name\":\"p\",\"kind\":\"param\",\"lo\":-1,"
               "\"hi\":3},{\"name\":\"q\",\"kind\":\"param\",\"lo\":0,\"hi\":2},{\"name\":\"r\",\"kind\":"
               "\"out\",\"lo\":-2,"
               "\"hi\":3}");
    for (uint32_t v = 0; v < out->variables; v++) {
        const int64_t low = cor_rng_between(rng, -2, 1);
        const uint32_t size = cor_rng_below(rng, 5);
        WRITE(out, ",{\"name\":\"%c\",\"kind\":\"state\",\"lo\":%d,\"hi\":%d,\"init\":%d}", (char)('x' + v),
              (int)low, (int)low + (int)size, (int)low + (int)size / 2);
    }
    WRITE(out, "],\"locations\":[\"l0\"");
    for (uint32_t l = 1; l < locations; l++)
        WRITE(out, ",\"l%u\"", l);
    WRITE(out, "],\"initial\":\"l0\",\"inputs\":[{\"label\":\"A\",\"params\":[\"p\",\"q\"]},{\"label\":\"B\","
               "\"params\":[]},"
               "{\"label\":\"C\",\"params\":[]}],\"outputs\":[{\"label\":\"X\",\"params\":[]},{\"label\":"
               "\"Y\",\"params\":"
               "[\"r\"]}],\"transitions\":[");
    for (uint32_t t = 0; t < transitions; t++)
        write_transition(rng, out, t, locations);
    out->parameters = false;
    const uint32_t trapped = cor_rng_below(rng, transitions);
    WRITE(out,
          "],\"goals\":[{\"name\":\"some\",\"traps\":[{\"id\":\"a\",\"transition\":\"t%u\",\"constraint\":\"",
          trapped);
    write_condition(rng, out, 1);
    WRITE(out, "\"}]}]}");
}

#endif
