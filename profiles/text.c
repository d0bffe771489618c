/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text.h"

#include <corridor/array.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void cor__text_put(struct cor__text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 ||
        COR_RESERVE(&text->chars, &text->capacity, text->length + (size_t)length + 1, NULL) != COR_OK)
        text->failed = true;
    if (!text->failed) {
        vsnprintf(text->chars + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

char *cor__text_take(struct cor__text *text, struct cor_error *error) {
    if (!text->failed)
        cor__text_put(text, "%s", ""); /* so that an empty text is one, too */
    char *chars = text->failed ? NULL : text->chars;
    if (!chars) {
        free(text->chars);
        (void)cor_fail_memory(error);
    }
    *text = (struct cor__text){0};
    return chars;
}
