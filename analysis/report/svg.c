/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A drawing, ours or one of graphviz, as part of a page. It is for a file of its own: with a preamble, names,
 * fonts, colours and generous blanks. In a page names would clash, and fonts and colours are the page's. */
#include "figure.h"

#include "page_html.h"

#include <stdlib.h>
#include <string.h>

/* Copies text without the zeros that decimals end with: "12.50" and "3.00" become "12.5" and "3". */
static void put_trimmed(FILE *out, const char *value, size_t size) {
    size_t i = 0;
    while (i < size) {
        if (value[i] != '.') {
            fputc(value[i++], out);
            continue;
        }
        size_t end = i + 1, last = i; /* behind the last digit; behind the last that is no zero */
        for (; end < size && value[end] >= '0' && value[end] <= '9'; end++)
            last = value[end] == '0' ? last : end + 1;
        fwrite(value + i, 1, last - i, out);
        i = end;
    }
}

/* Copies the value of an attribute, with colours as the page has them. */
static void put_value(FILE *out, const char *value, size_t size) {
    static const struct {
        const char *file, *page;
    } colours[] = {
#define REPORT__COLOUR(NAME, file, page) {file, page},
        REPORT__COLOURS(REPORT__COLOUR)
#undef REPORT__COLOUR
    };
    char name[8] = "";
    while (size > 0 && *value == ' ') {
        value++;
        size--;
    }
    if (size < sizeof name)
        snprintf(name, sizeof name, "%.*s", (int)size, value);
    if (strcmp(name, "white") == 0) { /* the ground that graphviz paints */
        fputs("none", out);
        return;
    }
    if (strcmp(name, "black") == 0) {
        fputs("currentColor", out);
        return;
    }
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (strcmp(name, colours[i].file) == 0) {
            fputs(colours[i].page, out);
            return;
        }
    put_trimmed(out, value, size);
}

/* Whether an attribute stays: not names, fonts (the page's are used), nor references. */
static bool is_kept(const char *name, size_t size) {
    static const char *const dropped[] = {"id",    "font-family", "class", "xmlns",     "xmlns:xlink",
                                          "color", "xml:space",   "href",  "xlink:href"};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (strlen(dropped[i]) == size && strncmp(name, dropped[i], size) == 0)
            return false;
    return strncmp(name, "on", 2) != 0;
}

/* Copies the inside of a tag from behind its name; returns where it ends, at '>' or the end of the text. */
static const char *put_attributes(FILE *out, const char *at) {
    for (;;) {
        at += strspn(at, " \t\r\n");
        if (*at == '/' || *at == '>' || !*at)
            break;
        const char *name = at;
        size_t size = strcspn(at, " =/>\t\r\n");
        at += size;
        at += strspn(at, " \t\r\n");
        if (*at != '=' || size == 0)
            return at + strcspn(at, ">");
        at++;
        at += strspn(at, " \t\r\n");
        char quote = *at == '"' || *at == '\'' ? *at++ : '\0';
        const char *value = at, *end = quote ? strchr(at, quote) : at + strcspn(at, " >");
        if (!end)
            return at + strlen(at);
        size_t length = (size_t)(end - value);
        if (is_kept(name, size)) {
            fprintf(out, " %.*s=\"", (int)size, name);
            put_value(out, value, length);
            fputc('"', out);
        }
        at = quote ? end + 1 : end;
    }
    if (*at == '/') {
        fputc('/', out);
        at += strcspn(at, ">");
    }
    return at;
}

static bool is_tag(const char *at, const char *name) {
    size_t size = strlen(name);
    return strncmp(at, name, size) == 0 && strchr(" >\t\r\n/", at[size]);
}

/* Elements that stay; of others what is between their tags stays, but for those that are left out whole. */
static bool is_shape(const char *tag) {
    static const char *const shapes[] = {"g",       "path",     "rect", "circle", "ellipse",
                                         "polygon", "polyline", "line", "text"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (is_tag(tag + (*tag == '/'), shapes[i]))
            return true;
    return false;
}

/* Copies one tag, which begins at `at`, or drops it; returns what is behind it. */
static const char *put_tag(FILE *out, const char *at) {
    static const char *const dropped[] = {"defs", "title", "desc", "style", "script"};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (is_tag(at + 1, dropped[i])) {
            /* Behind the end of element `name`, which begins at `at`; elements of that name do not nest. */
            char end[32];
            snprintf(end, sizeof end, "</%s>", dropped[i]);
            const char *found = strstr(at, end);
            return found ? found + strlen(end) : at + strlen(at);
        }
    if (!is_shape(at + 1)) {
        at += strcspn(at, ">");
        return *at ? at + 1 : at;
    }
    size_t size = strcspn(at, " \t\r\n>");
    if (size > 2 && at[size - 1] == '/') /* <g/> */
        size--;
    fwrite(at, 1, size, out);
    at = put_attributes(out, at + size);
    fputc('>', out);
    return *at ? at + 1 : at;
}

char *report__svg_inline(const char *svg, const struct report__figure *figure) {
    struct report__text text;
    const char *begin = strstr(svg, "<svg"), *end = begin ? strstr(begin, "</svg>") : NULL;
    const char *box = begin ? strstr(begin, "viewBox=\"") : NULL;
    double left, top, width, height;
    if (!end || !box || sscanf(box, "viewBox=\"%lf %lf %lf %lf", &left, &top, &width, &height) != 4)
        return NULL;
    begin = box + strcspn(box, ">");
    if (begin >= end)
        return NULL;
    report__text_begin(&text);
    if (!text.file)
        return NULL;
    fprintf(text.file, "<svg class=%s viewBox=\"%g %g %g %g\"", figure->graph ? "graph" : "plot", left, top,
            width, height);
    if (figure->graph)
        fprintf(text.file, " style=\"width:%.0fpx\"", width * 1.2);
    fprintf(text.file, " role=img aria-labelledby=\"%s-t %s-d\">", figure->name, figure->name);
    fprintf(text.file, "<title id=%s-t>", figure->name);
    cor_html_text(text.file, figure->title);
    fprintf(text.file, "</title><desc id=%s-d>", figure->name);
    cor_html_text(text.file, figure->description);
    fputs("</desc>", text.file);
    /* Copies what is drawn: from behind <svg ...> to </svg>. */
    const char *at = begin + 1;
    while (at < end) {
        if (*at == '<') {
            at = put_tag(text.file, at);
            continue;
        }
        size_t size = strcspn(at, "<"), blank = strspn(at, " \t\r\n");
        if (blank < size) /* else it is only layout */
            fwrite(at, 1, size, text.file);
        at += size;
    }
    fputs("</svg>", text.file);
    return report__text_end(&text);
}
