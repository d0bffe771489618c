/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invalid input as a list of edits: what is changed in a valid file, and exactly what is said about it. For
 * tests of any room. A line of a list is one of
 *
 *   # A comment.
 *   base valid.json                  the file that the cases below change; "base": an empty text
 *   [size-text.json]                 a case begins: the name of its file
 *   set /parts/0/size "12"           this text stands there instead of the value
 *   add /parts/0 "colour": "red"     this text stands behind the last member or item there
 *   remove /parts/0/size             the member or item is gone, with its comma
 *   - "size": 12,                    this text, which is there once, ..
 *   + "size: 12,                     .. has become this; without "-": a line at the end
 *   file                             the file lies beside the list: no edit can say its bytes
 *   args -t 4                        for a command that reads the file
 *   > size-text.json: /parts/0/..    a line of the message
 *   without-z3> size-text.json: ..   a line of another one, of a build without z3; empty: it says nothing
 *
 * A place is a JSON pointer, whose keys are written as in the file and have no blanks; "/" is the whole.
 * Edits are made in their order; the texts need not be JSON. */
#ifndef CORRIDOR_SIM_BASE_TESTS_INVALID_CASES_H
#define CORRIDOR_SIM_BASE_TESTS_INVALID_CASES_H

/* Writes the file of each case into the folder, beside it NAME.expected with the message, and where the list
 * says so NAME.expected.without-z3 and NAME.args; and links to all else that lies beside the list. The names
 * of the cases in order, NULL behind the last; they and their array are freed with free(). A list that is
 * wrong ends the process, with words. */
char **cor_invalid_cases_write(const char *list, const char *folder);

/* Writes the list anew, with the messages that NAME.expected and NAME.expected.without-z3 in the folder hold.
 */
void cor_invalid_cases_take(const char *list, const char *folder);

#endif
