/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is refused, and the words of it, over the conditions alarm, inside, door.open. */
#ifndef CORRIDOR_ORACLE_TEMPORAL_TESTS_MESSAGES_H
#define CORRIDOR_ORACLE_TEMPORAL_TESTS_MESSAGES_H

static const char *const messages[][2] = {
    {"", "column 1 of \"\": expected a condition, a word of time, \"not\" or \"(\", found the end"},
    {"   ", "column 4 of \"   \": expected a condition, a word of time, \"not\" or \"(\", found the end"},
    {"always",
     "column 7 of \"always\": expected a condition, a word of time, \"not\" or \"(\", found the end"},
    {"always alarm inside",
     "column 14 of \"always alarm inside\": expected an operator or the end, found \"inside\""},
    {"always (alarm implies", "column 22 of \"always (alarm implies\": expected a condition, a word of time, "
                              "\"not\" or \"(\", found the end"},
    {"(alarm", "column 7 of \"(alarm\": expected an operator or \")\", found the end"},
    {"alarm)", "column 6 of \"alarm)\": expected an operator or the end, found \")\""},
    {"alarm and",
     "column 10 of \"alarm and\": expected a condition, a word of time, \"not\" or \"(\", found the end"},
    {"and alarm",
     "column 1 of \"and alarm\": expected a condition, a word of time, \"not\" or \"(\", found \"and\""},
    {"until alarm",
     "column 1 of \"until alarm\": expected a condition, a word of time, \"not\" or \"(\", found \"until\""},
    {"alarm until",
     "column 12 of \"alarm until\": expected a condition, a word of time, \"not\" or \"(\", found the end"},
    {"alarm alarm", "column 7 of \"alarm alarm\": expected an operator or the end, found \"alarm\""},
    {"not", "column 4 of \"not\": expected a condition, a word of time, \"not\" or \"(\", found the end"},
    {"()", "column 2 of \"()\": expected a condition, a word of time, \"not\" or \"(\", found \")\""},
    {"alrm", "column 1 of \"alrm\": there is no condition \"alrm\"\n  did you mean \"alarm\"? known: alarm, "
             "inside, door.open"},
    {"insid and alarm", "column 1 of \"insid and alarm\": there is no condition \"insid\"\n  did you mean "
                        "\"inside\"? known: alarm, inside, door.open"},
    {"alway alarm",
     "column 1 of \"alway alarm\": there is no condition \"alway\"\n  did you mean the word \"always\"?"},
    {"eventualy[0, 3] inside", "column 1 of \"eventualy[0, 3] inside\": there is no condition "
                               "\"eventualy\"\n  did you mean the word \"eventually\"?"},
    {"G alarm", "column 1 of \"G alarm\": there is no condition \"G\"\n  write \"always\""},
    {"globally alarm",
     "column 1 of \"globally alarm\": there is no condition \"globally\"\n  write \"always\""},
    {"F inside", "column 1 of \"F inside\": there is no condition \"F\"\n  write \"eventually\""},
    {"X alarm", "column 1 of \"X alarm\": there is no condition \"X\"\n  write \"next\", or \"weak_next\", "
                "which is true at the last state"},
    {"alarm U inside",
     "column 7 of \"alarm U inside\": expected an operator or the end, found \"U\"\n  write \"until\""},
    {"(alarm R inside)", "column 8 of \"(alarm R inside)\": expected an operator or \")\", found \"R\"\n  "
                         "write not ((not a) until (not b)) for a release b"},
    {"alarm release inside", "column 7 of \"alarm release inside\": expected an operator or the end, found "
                             "\"release\"\n  write not ((not a) until (not b)) for a release b"},
    {"alarm W inside",
     "column 7 of \"alarm W inside\": expected an operator or the end, found \"W\"\n  write \"weak_until\""},
    {"O alarm", "column 1 of \"O alarm\": there is no condition \"O\"\n  write \"once\""},
    {"Y alarm", "column 1 of \"Y alarm\": there is no condition \"Y\"\n  write \"previous\""},
    {"alarm -> inside", "column 7 of \"alarm -> inside\": \"->\" means nothing here\n  write \"implies\""},
    {"alarm => inside", "column 7 of \"alarm => inside\": \"=>\" means nothing here\n  write \"implies\""},
    {"alarm <-> inside",
     "column 7 of \"alarm <-> inside\": \"<->\" means nothing here\n  write (a implies b) and (b implies a)"},
    {"alarm & inside", "column 7 of \"alarm & inside\": \"&\" means nothing here\n  write \"and\""},
    {"alarm | inside", "column 7 of \"alarm | inside\": \"|\" means nothing here\n  write \"or\""},
    {"alarm /\\ inside", "column 7 of \"alarm /\\ inside\": \"/\\\" means nothing here\n  write \"and\""},
    {"alarm \\/ inside", "column 7 of \"alarm \\/ inside\": \"\\/\" means nothing here\n  write \"or\""},
    {"~alarm", "column 1 of \"~alarm\": \"~\" means nothing here\n  write \"not\""},
    {"alarm = 1", "column 7 of \"alarm = 1\": \"=\" means nothing here\n  define a condition that compares, "
                  "and write its name here"},
    {"alarm == inside", "column 7 of \"alarm == inside\": \"==\" means nothing here\n  define a condition "
                        "that compares, and write its name here"},
    {"alarm != inside", "column 7 of \"alarm != inside\": \"!=\" means nothing here\n  define a condition "
                        "that compares, and write its name here"},
    {"level < 3",
     "column 1 of \"level < 3\": there is no condition \"level\"\n  known: alarm, inside, door.open"},
    {"alarm < 3", "column 7 of \"alarm < 3\": \"<\" means nothing here\n  define a condition that compares, "
                  "and write its name here"},
    {"3", "column 1 of \"3\": expected a condition, a word of time, \"not\" or \"(\", found \"3\"\n  numbers "
          "stand in bounds alone: eventually[0, 3]"},
    {"3 < alarm", "column 1 of \"3 < alarm\": expected a condition, a word of time, \"not\" or \"(\", found "
                  "\"3\"\n  numbers stand in bounds alone: eventually[0, 3]"},
    {"eventually[0] inside", "column 13 of \"eventually[0] inside\": expected \",\", found \"]\"\n  bounds "
                             "are [low, high], both counted in states"},
    {"eventually[3, 1] inside",
     "column 11 of \"eventually[3, 1] inside\": the bounds [3, 1] leave no state\n  write [1, 3]"},
    {"eventually[-1, 3] inside",
     "column 12 of \"eventually[-1, 3] inside\": \"-\" means nothing here\n  bounds count states, from 0"},
    {"eventually[0, 1001] inside", "column 15 of \"eventually[0, 1001] inside\": the bound is too high\n  "
                                   "the highest is 1000; without bounds a word reaches to the end"},
    {"eventually[0, 99999999999999999999] inside",
     "column 15 of \"eventually[0, 99999999999999999999] inside\": the bound is too high\n  the highest is "
     "1000; without bounds a word reaches to the end"},
    {"eventually[0, inf] inside", "column 15 of \"eventually[0, inf] inside\": expected a whole number, "
                                  "found \"inf\"\n  bounds are [low, high], both counted in states"},
    {"eventually[, 3] inside", "column 12 of \"eventually[, 3] inside\": expected a whole number, found "
                               "\",\"\n  bounds are [low, high], both counted in states"},
    {"eventually[0, 3 inside", "column 17 of \"eventually[0, 3 inside\": expected \"]\", found \"inside\""},
    {"eventually[0; 3] inside", "column 13 of \"eventually[0; 3] inside\": \";\" means nothing here"},
    {"eventually[0, 3]", "column 17 of \"eventually[0, 3]\": expected a condition, a word of time, \"not\" "
                         "or \"(\", found the end"},
    {"eventually [0.5, 3] inside", "column 14 of \"eventually [0.5, 3] inside\": \".\" means nothing here\n  "
                                   "bounds are whole numbers, and names have letters behind a point"},
    {"not[0, 3] alarm", "column 4 of \"not[0, 3] alarm\": expected a condition, a word of time, \"not\" or "
                        "\"(\", found \"[\"\n  bounds stand behind words of time: eventually[0, 3]"},
    {"alarm and[0, 3] inside",
     "column 10 of \"alarm and[0, 3] inside\": expected a condition, a word of time, \"not\" or \"(\", found "
     "\"[\"\n  bounds stand behind words of time: eventually[0, 3]"},
    {"[0, 3] alarm", "column 1 of \"[0, 3] alarm\": expected a condition, a word of time, \"not\" or \"(\", "
                     "found \"[\"\n  bounds stand behind words of time: eventually[0, 3]"},
    {"always 'alarm'",
     "column 8 of \"always 'alarm'\": \"'\" means nothing here\n  write names without quotes"},
    {"always \"alarm\"",
     "column 8 of \"always \"alarm\"\": \"\"\" means nothing here\n  write names without quotes"},
    {"always alarm; inside", "column 13 of \"always alarm; inside\": \";\" means nothing here"},
    {"always alarm.", "column 13 of \"always alarm.\": \".\" means nothing here\n  bounds are whole numbers, "
                      "and names have letters behind a point"},
    {"always alarm.level", "column 8 of \"always alarm.level\": there is no condition \"alarm.level\"\n  "
                           "known: alarm, inside, door.open"},
    {"alarm and \xc3"
     "\xa9"
     "",
     "column 11 of \"alarm and ??\": the byte 0xC3 means nothing here"},
    {"3alarm", "column 2 of \"3alarm\": a number runs into a name"},
    {"alarm, inside", "column 6 of \"alarm, inside\": expected an operator or the end, found \",\""},
    {"always(alarm, inside)",
     "column 13 of \"always(alarm, inside)\": expected an operator or \")\", found \",\""},
    {"TRUE", "column 1 of \"TRUE\": there is no condition \"TRUE\"\n  write \"true\""},
    {"door.open and door.shut", "column 15 of \"door.open and door.shut\": there is no condition "
                                "\"door.shut\"\n  known: alarm, inside, door.open"},
    {"eventually(0, 3) inside",
     "column 12 of \"eventually(0, 3) inside\": expected a condition, a word of time, \"not\" or \"(\", "
     "found \"0\"\n  numbers stand in bounds alone: eventually[0, 3]"},
    {"next alarm inside",
     "column 12 of \"next alarm inside\": expected an operator or the end, found \"inside\""},
    {"weaknext alarm", "column 1 of \"weaknext alarm\": there is no condition \"weaknext\"\n  did you mean "
                       "the word \"weak_next\"?"},
    {"weak-next alarm", "column 1 of \"weak-next alarm\": there is no condition \"weak\"\n  did you mean the "
                        "word \"weak_next\"?"},
    {"alarm before inside",
     "column 7 of \"alarm before inside\": expected an operator or the end, found \"before\""},
    {"alarm + inside", "column 7 of \"alarm + inside\": \"+\" means nothing here"},
    {"alarm &&& inside", "column 9 of \"alarm &&& inside\": \"&\" means nothing here\n  write \"and\""},
    {"always (alarm\n  implies insid)",
     "line 2, column 11 of \"  implies insid)\": there is no condition \"insid\"\n  did you mean \"inside\"? "
     "known: alarm, inside, door.open"},
    {"always (alarm\r\n\r\n  implies", "line 3, column 10 of \"  implies\": expected a condition, a word of "
                                       "time, \"not\" or \"(\", found the end"},
    {"alarm )\nand inside", "line 1, column 7 of \"alarm )\": expected an operator or the end, found \")\""},
};

#endif
