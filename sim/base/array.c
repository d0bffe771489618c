/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *cor_calloc(size_t count, size_t size) {
    return calloc(count > 0 ? count : 1, size);
}

enum cor_status cor_array_reserve(void **items, size_t *capacity, size_t needed, size_t item_size,
                                  struct cor_error *error) {
    if (needed <= *capacity)
        return COR_OK;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < needed)
        wanted = needed;
    if (wanted < 8)
        wanted = 8;
    if (wanted > SIZE_MAX / item_size)
        return cor_fail_memory(error);
    void *grown = realloc(*items, wanted * item_size);
    COR_TRY(cor_made(grown, error));
    *items = grown;
    *capacity = wanted;
    return COR_OK;
}

char *cor_strdup(const char *text) {
    return text ? strdup(text) : NULL;
}

char *cor_format(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
