/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles for other programs: Graphviz, PRISM, spreadsheets, anything that reads a matrix. */
#include "internal.h"

#include <corridor/bytes.h>
#include <corridor/delimited.h>
#include <corridor/profile.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX, NUMBER = 40, LABEL = COR_PROFILE_NAME_MAX + 24 };

/* A name between the quotes of a dot string. Graphviz takes & for the beginning of an entity, and would hand
 * control characters on into pictures that no reader of XML accepts. */
static void put_quoted(struct cor_bytes *text, const char *name) {
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        if (byte == '&')
            cor_bytes_print(text, "&amp;");
        else if (byte < 0x20 || byte == 0x7f)
            cor_bytes_print(text, "\xef\xbf\xbd"); /* U+FFFD */
        else
            cor_bytes_print(text, byte == '"' || byte == '\\' ? "\\%c" : "%c", byte);
    }
}

/* The area of a node, not its width, shows the share. */
static double node_width(double share) {
    return 0.5 + 2.0 * sqrt(share);
}

char *cor_profile_dot(const struct cor_profile *profile, struct cor_error *error) {
    uint32_t count = profile->state_count;
    double share[MOST] = {0};
    struct cor_bytes text = {0};
    if (cor_profile_stationary(profile, share, error) != COR_OK)
        return NULL;
    cor_bytes_print(&text, "digraph profile {\n    label=\"");
    put_quoted(&text, profile->name);
    cor_bytes_print(&text,
                    "\";\n    layout=neato; splines=curved;\n"
                    "    node [shape=circle, fixedsize=shape, fontsize=10];\n    edge [fontsize=8];\n");
    double radius = 0.35 * (double)count + 0.65; /* the states clockwise in their order, from the top */
    for (uint32_t i = 0; i < count; i++) {
        double angle = 6.283185307179586 * (double)i / (double)count;
        cor_bytes_print(&text, "    s%u [label=\"", i);
        put_quoted(&text, profile->states[i]);
        cor_bytes_print(&text, "\\n%.1f %%\", width=%.2f, pos=\"%.2f,%.2f!\"];\n", 100.0 * share[i],
                        node_width(share[i]), radius * sin(angle), radius * cos(angle));
    }
    for (uint32_t cell = 0; cell < count * count; cell++) {
        const uint32_t from = cell / count;
        const uint32_t to = cell % count;
        const double probability = profile->probability[cell];
        /* Grey value of an arc: black when certain, pale when rare. */
        unsigned grey = probability >= 0.5    ? 0
                        : probability >= 0.2  ? 60
                        : probability >= 0.05 ? 120
                        : probability >= 0.01 ? 170
                                              : 210;
        if (probability > 0.0)
            cor_bytes_print(
                &text,
                "    s%u -> s%u [label=\"%.2g\", color=\"#%02x%02x%02x\", fontcolor=\"#%02x%02x%02x\", "
                "penwidth=%.2f];\n",
                from, to, probability, grey, grey, grey, grey, grey, grey, 0.5 + 2.0 * probability);
    }
    cor_bytes_print(&text, "}\n");
    return cor_bytes_text_take(&text, error);
}

/* A name within the HTML of a dot label. */
static void put_html(struct cor_bytes *text, const char *name) {
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        if (byte < 0x20 || byte == 0x7f)
            cor_bytes_print(text, "\xef\xbf\xbd"); /* U+FFFD */
        else
            cor_bytes_print(text, strchr("&<>\"", byte) ? "&#%u;" : "%c", byte);
    }
}

char *cor_profile_heat_map(const struct cor_profile *profile, struct cor_error *error) {
    uint32_t count = profile->state_count;
    double share[MOST] = {0};
    struct cor_bytes text = {0};
    if (cor_profile_stationary(profile, share, error) != COR_OK)
        return NULL;
    cor_bytes_print(
        &text,
        "digraph profile {\n    node [shape=plain, fontname=\"Helvetica\", fontsize=11];\n"
        "    map [label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"1\" cellpadding=\"5\">\n"
        "    <tr><td></td><td colspan=\"%u\"><b>",
        count + 1);
    put_html(&text, profile->name);
    cor_bytes_print(&text,
                    "</b>: from (rows) to (columns), per cent</td></tr>\n    <tr><td></td><td>share</td>");
    for (uint32_t to = 0; to < count; to++) {
        cor_bytes_print(&text, "<td>");
        put_html(&text, profile->states[to]);
        cor_bytes_print(&text, "</td>");
    }
    cor_bytes_print(&text, "</tr>\n");
    for (uint32_t from = 0; from < count; from++) {
        cor_bytes_print(&text, "    <tr><td align=\"right\">");
        put_html(&text, profile->states[from]);
        cor_bytes_print(&text, "</td><td>%.1f</td>", 100.0 * share[from]);
        for (uint32_t to = 0; to < count; to++) {
            /* A cell from white to dark blue; its figure in per cent, where there is one. */
            const double probability = profile->probability[(size_t)from * count + to];
            double depth = sqrt(probability); /* so that rare transitions differ from impossible ones */
            unsigned red = (unsigned)(255.0 - 247.0 * depth), green = (unsigned)(255.0 - 207.0 * depth),
                     blue = (unsigned)(255.0 - 148.0 * depth);
            cor_bytes_print(&text, "<td bgcolor=\"#%02x%02x%02x\">", red, green, blue);
            if (probability > 0.0)
                cor_bytes_print(&text, "<font color=\"%s\">%s%.*f</font>", depth > 0.6 ? "white" : "black",
                                probability < 0.0005 ? "&lt;" : "", probability < 0.0995 ? 1 : 0,
                                probability < 0.0005 ? 0.1 : 100.0 * probability);
            cor_bytes_print(&text, "</td>");
        }
        cor_bytes_print(&text, "</tr>\n");
    }
    cor_bytes_print(&text, "    </table>>];\n}\n");
    return cor_bytes_text_take(&text, error);
}

/* As many digits as a number needs to read back exactly. */
static const char *exact(double value, char text[NUMBER]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

/* A name on one line, between quotes. */
static void put_comment(struct cor_bytes *text, const char *name) {
    cor_bytes_print(text, "\"");
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        if (byte < 0x20 || byte == 0x7f)
            cor_bytes_print(text, "\\u%04x", byte);
        else
            cor_bytes_print(text, byte == '"' || byte == '\\' ? "\\%c" : "%c", byte);
    }
    cor_bytes_print(text, "\"");
}

static bool is_taken(const char *label, char labels[][LABEL], uint32_t count) {
    bool taken = strcmp(label, "init") == 0 || strcmp(label, "deadlock") == 0; /* PRISM's own */
    for (uint32_t i = 0; i < count && !taken; i++)
        taken = strcmp(label, labels[i]) == 0;
    return taken;
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

static void put_command(struct cor_bytes *text, uint32_t from, const double *row, uint32_t count) {
    char number[NUMBER];
    const char *between = " ->";
    cor_bytes_print(text, "    [] s=%u", from);
    for (uint32_t to = 0; to < count; to++) {
        if (!(row[to] > 0.0))
            continue;
        cor_bytes_print(text, "%s %s:(s'=%u)", between, exact(row[to], number), to);
        between = " +";
    }
    cor_bytes_print(text, ";\n");
}

char *cor_profile_prism(const struct cor_profile *profile, struct cor_error *error) {
    char labels[MOST][LABEL];
    struct cor_bytes text = {0};
    cor_bytes_print(&text, "// profile ");
    put_comment(&text, profile->name);
    cor_bytes_print(&text, "\n");
    for (uint32_t i = 0; i < profile->state_count; i++) {
        cor_bytes_print(&text, "// s=%u: ", i);
        put_comment(&text, profile->states[i]);
        cor_bytes_print(&text, "\n");
    }
    if (first_state(profile) == profile->state_count)
        cor_bytes_print(&text, "// s=%u: the first step leads to the first state, which is drawn\n",
                        profile->state_count);
    uint32_t count = profile->state_count, first = first_state(profile);
    uint32_t last = first == count ? count : count - 1;
    /* Two values at least: a range of one is refused by some versions. */
    cor_bytes_print(&text, "dtmc\n\nmodule profile\n    s : [0..%u] init %u;\n\n", last > 0 ? last : 1,
                    first);
    if (first == count)
        put_command(&text, count, profile->start, count);
    for (uint32_t from = 0; from < count; from++)
        put_command(&text, from, profile->probability + (size_t)from * count, count);
    cor_bytes_print(&text, "endmodule\n\n");
    for (uint32_t i = 0; i < profile->state_count; i++) {
        /* The name of a state as an identifier that no other label has. */
        const char *name = profile->states[i];
        char *label = labels[i], plain[LABEL];
        size_t length = 0;
        if (isdigit((unsigned char)name[0]))
            plain[length++] = '_';
        for (; *name && length < COR_PROFILE_NAME_MAX + 1; name++) {
            unsigned char byte = (unsigned char)*name;
            plain[length++] = (char)(byte < 0x80 && isalnum(byte) ? byte : '_');
        }
        plain[length] = '\0';
        snprintf(label, LABEL, "%s", plain);
        for (uint32_t number = i; is_taken(label, labels, i); number += MOST)
            snprintf(label, LABEL, "%.*s_%u", COR_PROFILE_NAME_MAX + 1, plain, number);
        cor_bytes_print(&text, "label \"%s\" = s=%u;\n", labels[i], i);
    }
    return cor_bytes_text_take(&text, error);
}

/* A field as in RFC 4180. */
static void put_field(struct cor_bytes *text, const char *field) {
    bool quoted = field[strcspn(field, ",\"\r\n")] != '\0' || cor_delimited_is_formula(field);
    cor_bytes_print(text, quoted ? "\"" : "");
    for (; *field; field++)
        cor_bytes_print(text, "%s%c", *field == '"' ? "\"" : "", *field);
    cor_bytes_print(text, quoted ? "\"" : "");
}

static void put_rows(struct cor_bytes *text, const struct cor_profile *profile, const char *from,
                     const double *row) {
    char number[NUMBER];
    for (uint32_t to = 0; to < profile->state_count; to++) {
        if (!(row[to] > 0.0))
            continue;
        put_field(text, from);
        cor_bytes_print(text, ",");
        put_field(text, profile->states[to]);
        cor_bytes_print(text, ",%s\n", exact(row[to], number));
    }
}

char *cor_profile_csv(const struct cor_profile *profile, struct cor_error *error) {
    struct cor_bytes text = {0};
    cor_bytes_print(&text, "from,to,probability\n");
    put_rows(&text, profile, "", profile->start);
    for (uint32_t i = 0; i < profile->state_count; i++)
        put_rows(&text, profile, profile->states[i], profile->probability + (size_t)i * profile->state_count);
    return cor_bytes_text_take(&text, error);
}

static void put_law(struct cor_json_writer *writer, const char *key, const double *law, uint32_t count) {
    cor_json_open_array(writer, key);
    for (uint32_t i = 0; i < count; i++)
        cor_json_put_real(writer, NULL, law[i]);
    cor_json_close(writer);
}

char *cor_profile_matrix(const struct cor_profile *profile, struct cor_error *error) {
    struct cor_json_writer *writer;
    double stationary[MOST];
    char *document;
    struct cor_bytes text = {0};
    if (cor_profile_stationary(profile, stationary, error) != COR_OK ||
        cor_json_writer_create(&writer, error) != COR_OK)
        return NULL;
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
    if (cor_json_text_take(writer, 1, &document, error) != COR_OK)
        return NULL;
    cor_bytes_print(&text, "%s\n", document);
    free(document);
    return cor_bytes_text_take(&text, error);
}
