/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * write_invalid_cases LIST FOLDER [take]: the cases of a list of invalid input as files, for tests that are
 * no programs in C; or back into the list the messages that stand in the folder. */
#include "invalid_cases.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
    if (count == 4) {
        cor_invalid_cases_take(words[1], words[2]);
    } else if (count == 3) {
        char **names = cor_invalid_cases_write(words[1], words[2]);
        for (char **name = names; *name; name++)
            free(*name);
        free(names);
    } else {
        fputs("write_invalid_cases LIST FOLDER [take]\n", stderr);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
