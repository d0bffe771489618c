/* SPDX-License-Identifier: CC0-1.0
 *
 * my_system: what is tested, and knows nothing of tests. Three copies of a book are lent, lost and given
 * back, by words on a line. There is a mistake on purpose: a copy that is lost can be given back as if it
 * were lent. */
#include <stdio.h>
#include <string.h>

int main(void) {
    int shelf = 3, lent = 0, lost = 0;
    for (char word[64]; fgets(word, sizeof word, stdin);) {
        word[strcspn(word, "\n")] = 0;
        if (strcmp(word, "lend") == 0 && shelf > 0) {
            shelf--;
            lent++;
        } else if (strcmp(word, "lose") == 0 && lent > 0) {
            lent--;
            lost++;
        } else if (strcmp(word, "return") == 0 &&
                   lent + lost > 0) { /* the mistake: only what is lent can be given back */
            shelf++;
            lent--;
        }
        printf("on the shelf %d, lent %d, lost %d\n", shelf, lent, lost);
        fflush(stdout);
    }
    return 0;
}
