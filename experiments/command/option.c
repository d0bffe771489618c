/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the rows of commands and options say of themselves. */
#include "command.h"

#include <string.h>

const char *cor_action_of(const struct cor_command *command, const char *group) {
    size_t length = strlen(group);
    return strncmp(command->name, group, length) == 0 && command->name[length] == ' '
               ? command->name + length + 1
               : NULL;
}

bool cor_option_is_optional(const struct cor_option *option) {
    return option->argument && option->argument[0] == '[' &&
           option->argument[strlen(option->argument) - 1] == ']';
}

bool cor_option_is_folder(const struct cor_option *option) {
    return strcmp(option->argument, "FOLDER") == 0 || strcmp(option->argument, "DIR") == 0;
}

bool cor_option_is_file(const struct cor_option *option) {
    return strcmp(option->argument, "FILE") == 0;
}

const char *cor_option_word(const struct cor_option *option, size_t index) {
    return option->words ? option->words(index) : option->names ? option->names[index] : NULL;
}

void cor_option_usual_text(const struct cor_option *option, char *text, size_t size) {
    const union cor_option_value *low = &option->low, *high = &option->high, *usual = &option->usual;
    const bool is_integer = option->type == COR_OPTION_INTEGER && usual->integer >= low->integer,
               is_text = option->type == COR_OPTION_TEXT || option->type == COR_OPTION_WORDS;
    const char *word = option->otherwise ? option->otherwise
                       : is_text         ? usual->text
                       : is_integer      ? cor_option_word(option, (size_t)(usual->integer - low->integer))
                                         : NULL;
    text[0] = '\0';
    if (word)
        snprintf(text, size, "%s", word);
    else if (is_integer && !cor_option_word(option, 0) && usual->integer <= high->integer)
        snprintf(text, size, "%lld", (long long)usual->integer);
    else if (option->type == COR_OPTION_REAL && usual->real >= low->real && usual->real <= high->real)
        snprintf(text, size, "%g", usual->real);
}
