/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "figure.h"

#include "html.h"

#include <corridor/array.h>
#include <corridor/cells.h>

#include <stdlib.h>
#include <string.h>

const char *cor__colour(enum cor__colour colour) {
    static const char *const colours[] = {
#define COR__COLOUR(NAME, file, page) file,
        COR__COLOURS(COR__COLOUR)
#undef COR__COLOUR
    };
    return colours[colour];
}

void cor__text_begin(struct cor__text *text) {
    *text = (struct cor__text){0};
    text->file = open_memstream(&text->text, &text->size);
}

char *cor__text_end(struct cor__text *text) {
    bool failed = !text->file || ferror(text->file);
    if (text->file && fclose(text->file) != 0)
        failed = true;
    if (failed) {
        free(text->text);
        text->text = NULL;
    }
    return text->text;
}

void cor__figure_name(char name[COR__FIGURE_NAME], const char *what, size_t index) {
    snprintf(name, COR__FIGURE_NAME, "%s-%02zu", what, index + 1);
}

struct cor__figure *cor__figure_add(struct cor__figures *figures, const char *name, int width, int height,
                                    struct cor_error *error) {
    if (COR_RESERVE(&figures->figure, &figures->capacity, figures->count + 1, error) != COR_OK)
        return NULL;
    struct cor__figure *figure = &figures->figure[figures->count++];
    *figure = (struct cor__figure){.width = width, .height = height};
    snprintf(figure->name, sizeof figure->name, "%s", name);
    return figure;
}

enum cor_status cor__figure_status(const struct cor__figure *figure, struct cor_error *error) {
    bool whole = figure->title && figure->description && figure->script && (figure->data || figure->graph);
    return whole ? COR_OK : cor_fail_memory(error);
}

static const struct cor__figure *find(const struct cor__figures *figures, const char *name) {
    for (size_t i = 0; i < figures->count; i++)
        if (strcmp(figures->figure[i].name, name) == 0)
            return &figures->figure[i];
    return NULL;
}

void cor__figure_html(const struct cor__figures *figures, FILE *file, const char *name, const char *caption) {
    const struct cor__figure *figure = find(figures, name);
    if (!figure)
        return;
    fprintf(file, "<figure id=fig-%s><figcaption>", name);
    cor_html_short(file, caption, 80);
    fputs("</figcaption>", file);
    const char *trouble = figures->trouble[figure->graph];
    if (figure->svg) {
        fputs(figure->svg, file);
    } else {
        fputs("<p class=undrawn>Not drawn: ", file);
        cor_html_short(file, trouble ? trouble : "no picture", 200);
        fputs(". ", file);
        cor_html_text(file, figure->description);
        fputs("</p>", file);
    }
    fputs("</figure>\n", file);
}

void cor__figures_fini(struct cor__figures *figures) {
    for (size_t i = 0; i < figures->count; i++) {
        struct cor__figure *figure = &figures->figure[i];
        free(figure->title);
        free(figure->description);
        free(figure->script);
        free(figure->data);
        free(figure->svg);
    }
    free(figures->figure);
    free(figures->trouble[0]);
    free(figures->trouble[1]);
    *figures = (struct cor__figures){0};
}

void cor__gnuplot_text(FILE *file, const char *text, size_t characters) {
    fputc('\'', file);
    for (; *text && characters > 0; characters--) {
        uint32_t code;
        size_t size = cor_utf8_code(text, &code);
        /* Single quotes end the string; the others mean something to gnuplot in other places. */
        if (size == 0 || (unsigned char)*text < ' ' || strchr("'\"`\\@\x7f", *text))
            fputc('?', file);
        else
            fwrite(text, 1, size, file);
        text += size > 0 ? size : 1;
    }
    if (*text)
        fputs("\xe2\x80\xa6", file);
    fputc('\'', file);
}
