/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which tool's language a text is in. */
#include "reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A first line in brackets, which is no constraint of PICT: nothing follows. */
static bool is_acts(const char *text) {
    text += strspn(text, " \t\r\n");
    while (strncmp(text, "--", 2) == 0) {
        text += strcspn(text, "\n");
        text += strspn(text, " \t\r\n");
    }
    const char *close = *text == '[' ? text + strcspn(text, "]\n") : text;
    return *close == ']' && (close[1 + strspn(close + 1, " \t\r")] == '\n' || close[1] == '\0');
}

/* "Model Name", which is no parameter of PICT: neither colon nor comma follows. */
static bool is_ctwedge(const char *text, const char *name) {
    struct combine__reader reader = {.start = text, .at = text};
    size_t length = strlen(name);
    if ((length > 4 && strcasecmp(name + length - 4, ".ctw") == 0) ||
        (length > 8 && strcasecmp(name + length - 8, ".ctwedge") == 0))
        return true;
    combine__skip_blanks(&reader, COMBINE__CTWEDGE);
    if (!combine__is_keyword(reader.at, "Model"))
        return false;
    reader.at += strlen("Model");
    combine__skip_blanks(&reader, COMBINE__CTWEDGE);
    length = strcspn(reader.at, " \t\r\n:,");
    reader.at += length;
    combine__skip_blanks(&reader, COMBINE__CTWEDGE);
    return length > 0 && *reader.at != ':' && *reader.at != ',';
}

enum cor_status cor_combine_read_text(const char *text, const char *name, struct cor_combine_model *model,
                                      struct cor_error *error) {
    struct combine__reader reader = {.model = model, .name = name, .start = text, .at = text, .error = error};
    enum cor_status status;
    if (text[strspn(text, " \t\r\n")] == '<') {
        status = combine__read_acts_xml(&reader);
    } else if (is_acts(text)) {
        status = combine__read_acts(&reader);
    } else if (is_ctwedge(text, name)) {
        status = combine__read_ctwedge(&reader);
    } else {
        reader.any_case = true;
        status = combine__read_pict(&reader);
    }
    free(reader.made);
    return status;
}
