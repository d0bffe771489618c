/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles for other programs: PRISM, spreadsheets, anything that reads a matrix. */
#include "text.h"

#include <corridor/profile.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX, NUMBER = 40, LABEL = COR_PROFILE_NAME_MAX + 24 };

/* As many digits as a number needs to read back exactly. */
static const char *exact(double value, char text[NUMBER]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

/* --------------------------------------------------------------------------------------- PRISM */

/* A name on one line, between quotes. */
static void put_comment(struct cor__text *text, const char *name) {
    cor__text_put(text, "\"");
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        if (byte < 0x20 || byte == 0x7f)
            cor__text_put(text, "\\u%04x", byte);
        else
            cor__text_put(text, byte == '"' || byte == '\\' ? "\\%c" : "%c", byte);
    }
    cor__text_put(text, "\"");
}

static bool is_taken(const char *label, char labels[][LABEL], uint32_t count) {
    bool taken = strcmp(label, "init") == 0 || strcmp(label, "deadlock") == 0; /* PRISM's own */
    for (uint32_t i = 0; i < count && !taken; i++)
        taken = strcmp(label, labels[i]) == 0;
    return taken;
}

/* The name of a state as an identifier that no other label has. */
static void make_label(const char *name, uint32_t state, char labels[][LABEL]) {
    char *label = labels[state], plain[LABEL];
    size_t length = 0;
    if (isdigit((unsigned char)name[0]))
        plain[length++] = '_';
    for (; *name && length < COR_PROFILE_NAME_MAX + 1; name++) {
        unsigned char byte = (unsigned char)*name;
        plain[length++] = (char)(byte < 0x80 && isalnum(byte) ? byte : '_');
    }
    plain[length] = '\0';
    snprintf(label, LABEL, "%s", plain);
    for (uint32_t number = state; is_taken(label, labels, state); number += MOST)
        snprintf(label, LABEL, "%.*s_%u", COR_PROFILE_NAME_MAX + 1, plain, number);
}

/* The one state that the chain begins in, or state_count if it is drawn. */
static uint32_t first_state(const struct cor_profile *profile) {
    uint32_t first = profile->state_count;
    for (uint32_t i = 0; i < profile->state_count; i++) {
        if (!(profile->start[i] > 0.0))
            continue;
        if (first < profile->state_count)
            return profile->state_count;
        first = i;
    }
    return first;
}

static void put_command(struct cor__text *text, uint32_t from, const double *row, uint32_t count) {
    char number[NUMBER];
    const char *between = " ->";
    cor__text_put(text, "    [] s=%u", from);
    for (uint32_t to = 0; to < count; to++) {
        if (!(row[to] > 0.0))
            continue;
        cor__text_put(text, "%s %s:(s'=%u)", between, exact(row[to], number), to);
        between = " +";
    }
    cor__text_put(text, ";\n");
}

static void put_module(struct cor__text *text, const struct cor_profile *profile) {
    uint32_t count = profile->state_count, first = first_state(profile);
    uint32_t last = first == count ? count : count - 1;
    /* Two values at least: a range of one is refused by some versions. */
    cor__text_put(text, "dtmc\n\nmodule profile\n    s : [0..%u] init %u;\n\n", last > 0 ? last : 1, first);
    if (first == count)
        put_command(text, count, profile->start, count);
    for (uint32_t from = 0; from < count; from++)
        put_command(text, from, profile->probability + (size_t)from * count, count);
    cor__text_put(text, "endmodule\n\n");
}

char *cor_profile_prism(const struct cor_profile *profile, struct cor_error *error) {
    char labels[MOST][LABEL];
    struct cor__text text = {0};
    cor__text_put(&text, "// profile ");
    put_comment(&text, profile->name);
    cor__text_put(&text, "\n");
    for (uint32_t i = 0; i < profile->state_count; i++) {
        cor__text_put(&text, "// s=%u: ", i);
        put_comment(&text, profile->states[i]);
        cor__text_put(&text, "\n");
    }
    if (first_state(profile) == profile->state_count)
        cor__text_put(&text, "// s=%u: the first step leads to the first state, which is drawn\n",
                      profile->state_count);
    put_module(&text, profile);
    for (uint32_t i = 0; i < profile->state_count; i++) {
        make_label(profile->states[i], i, labels);
        cor__text_put(&text, "label \"%s\" = s=%u;\n", labels[i], i);
    }
    return cor__text_take(&text, error);
}

/* ----------------------------------------------------------------------------------------- CSV */

/* A field as in RFC 4180. */
static void put_field(struct cor__text *text, const char *field) {
    bool quoted = field[strcspn(field, ",\"\r\n")] != '\0';
    cor__text_put(text, quoted ? "\"" : "");
    for (; *field; field++)
        cor__text_put(text, "%s%c", *field == '"' ? "\"" : "", *field);
    cor__text_put(text, quoted ? "\"" : "");
}

static void put_rows(struct cor__text *text, const struct cor_profile *profile, const char *from,
                     const double *row) {
    char number[NUMBER];
    for (uint32_t to = 0; to < profile->state_count; to++) {
        if (!(row[to] > 0.0))
            continue;
        put_field(text, from);
        cor__text_put(text, ",");
        put_field(text, profile->states[to]);
        cor__text_put(text, ",%s\n", exact(row[to], number));
    }
}

char *cor_profile_csv(const struct cor_profile *profile, struct cor_error *error) {
    struct cor__text text = {0};
    cor__text_put(&text, "from,to,probability\n");
    put_rows(&text, profile, "", profile->start);
    for (uint32_t i = 0; i < profile->state_count; i++)
        put_rows(&text, profile, profile->states[i], profile->probability + (size_t)i * profile->state_count);
    return cor__text_take(&text, error);
}

/* ---------------------------------------------------------------------------------------- JSON */

static void put_law(struct cor_json_writer *writer, const char *key, const double *law, uint32_t count) {
    cor_json_open_array(writer, key);
    for (uint32_t i = 0; i < count; i++)
        cor_json_put_real(writer, NULL, law[i]);
    cor_json_close(writer);
}

static void put_matrix(struct cor_json_writer *writer, const struct cor_profile *profile,
                       const double *stationary) {
    uint32_t count = profile->state_count;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", "corridor-profile-matrix");
    cor_json_put_integer(writer, "version", 1);
    cor_json_put_string(writer, "name", profile->name);
    cor_json_open_array(writer, "states");
    for (uint32_t i = 0; i < count; i++)
        cor_json_put_string(writer, NULL, profile->states[i]);
    cor_json_close(writer);
    put_law(writer, "start", profile->start, count);
    put_law(writer, "stationary", stationary, count);
    cor_json_open_array(writer, "probability");
    for (uint32_t i = 0; i < count; i++)
        put_law(writer, NULL, profile->probability + (size_t)i * count, count);
    cor_json_close(writer);
    cor_json_close(writer);
}

char *cor_profile_matrix(const struct cor_profile *profile, struct cor_error *error) {
    struct cor_json_writer *writer;
    double stationary[MOST];
    struct cor__text text = {0};
    if (cor_profile_stationary(profile, stationary, error) != COR_OK ||
        cor_json_writer_create(&writer, error) != COR_OK)
        return NULL;
    put_matrix(writer, profile, stationary);
    char *document = cor_json_writer_text(writer, 1, error);
    cor_json_writer_destroy(writer);
    if (!document)
        return NULL;
    cor__text_put(&text, "%s\n", document);
    free(document);
    return cor__text_take(&text, error);
}
