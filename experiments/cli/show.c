/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "show.h"

#include "command.h"

#include <stdlib.h>
#include <string.h>

struct cor_style cor_show_style(void) {
    static const struct cor_style coloured = {"\033[1m", "\033[32m", "\033[31m", "\033[2m", "\033[0m", false};
    return cor_colours(stdout) ? coloured : COR_STYLE_PLAIN;
}

/* The locale that counts is the first that is set; the program itself runs in the locale C. */
bool cor_show_ascii(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale)
            return !strstr(locale, "UTF-8") && !strstr(locale, "utf8") && !strstr(locale, "UTF8");
    }
    return true;
}

void cor_show_path(const char *path, struct cor_error *error) {
    char place[sizeof error->place];
    if (strncmp(error->place, path, strlen(path)) == 0) /* said of the file, not of a table */
        return;
    snprintf(place, sizeof place, "%.255s%s%.200s", path, error->place[0] ? ": " : "", error->place);
    memcpy(error->place, place, sizeof place);
}
