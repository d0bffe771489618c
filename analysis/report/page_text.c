/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text being made. */
#include "figure.h"

#include <stdlib.h>

void report__text_begin(struct report__text *text) {
    *text = (struct report__text){0};
    text->file = open_memstream(&text->text, &text->size);
}

char *report__text_end(struct report__text *text) {
    bool failed = !text->file || ferror(text->file);
    if (text->file && fclose(text->file) != 0)
        failed = true;
    if (failed) {
        free(text->text);
        text->text = NULL;
    }
    return text->text;
}
