/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What guest.py says first, and how it is refused: of test_process_command.c. */
{"del answer['process'];",
 "the program's first line will not do: \"{\"id\": 1, \"version\": \"1.2\", \"meaning\": \"a toy\", "
 "\"attributes\": {\"state\": [\"new\", \"asked\", \"heard\"], \"..\": lacks the key \"process\""},
    {"answer['process'] = 'two words'",
     "the program cannot be used: its name or version is missing or not printable"},
    {"answer['process'] = 7", "the program's first line will not do: \"{\"id\": 1, \"process\": 7, "
                              "\"version\": \"1.2\", \"meaning\": \"a toy\", \"attributes\": {\"state\": "
                              "[\"new\", \"asked..\": /process is an integer, expected a string"},
    {"answer['mesages'] = {}", "the program's first line will not do: \"{\"id\": 1, \"process\": \"toy\", "
                               "\"version\": \"1.2\", \"meaning\": \"a toy\", \"attributes\": {\"state\": "
                               "[\"new\", \"a..\": /mesages unknown key \"mesages\""},
    {"answer['attributes']['calls'] = 'intger'",
     "the program's first line will not do: \"{\"id\": 1, \"process\": \"toy\", \"version\": \"1.2\", "
     "\"meaning\": \"a toy\", \"attributes\": {\"state\": [\"new\", \"a..\": /attributes/calls unknown type "
     "of an attribute \"intger\""},
    {"answer['attributes']['state'] = []",
     "the program's first line will not do: \"{\"id\": 1, \"process\": \"toy\", \"version\": \"1.2\", "
     "\"meaning\": \"a toy\", \"attributes\": {\"state\": [], \"calls..\": /attributes/state has 0 items, "
     "expected 1 to 32"},
    {"answer['attributes']['state'] = ['a', 'a']",
     "the program's first line will not do: \"{\"id\": 1, \"process\": \"toy\", \"version\": \"1.2\", "
     "\"meaning\": \"a toy\", \"attributes\": {\"state\": [\"a\", \"a\"]..\": /leader/state unknown word "
     "\"heard\""},
    {"answer['attributes']['level']['unt'] = 'm'",
     "the program's first line will not do: \"{\"id\": 1, \"process\": \"toy\", \"version\": \"1.2\", "
     "\"meaning\": \"a toy\", \"attributes\": {\"state\": [\"new\", \"a..\": /attributes/level/unt unknown "
     "key \"unt\""},
    {"answer['attributes'] = ['calls']",
     "the program's first line will not do: \"{\"id\": 1, \"process\": \"toy\", \"version\": \"1.2\", "
     "\"meaning\": \"a toy\", \"attributes\": [\"calls\"], \"channels..\": /attributes is an array, expected "
     "an object"},
    {"answer['messages'] = {'m%d' % i: '' for i in range(33)}",
     "the program's first line will not do: \"{\"id\": 1, \"process\": \"toy\", \"version\": \"1.2\", "
     "\"meaning\": \"a toy\", \"attributes\": {\"state\": [\"new\", \"a..\": /messages has 33 messages, and "
     "can have 32"},
    {"answer['messages'] = {'a b': ''}",
     "the program cannot be used: no usable name in its list of messages"},
    {"answer['inputs']['ask']['bytes'] = 4097",
     "the program's first line will not do: \"{\"id\": 1, \"process\": \"toy\", \"version\": \"1.2\", "
     "\"meaning\": \"a toy\", \"attributes\": {\"state\": [\"new\", \"a..\": /inputs/ask/bytes is 4097, "
     "expected 0 to 4096"},
    {"answer['faults'] = {'none': ''}", "the program cannot be used: a fault is called none"},
    {"answer['leader'] = {'calls': 'heard'}",
     "the program's first line will not do: \"{\"id\": 1, \"process\": \"toy\", \"version\": \"1.2\", "
     "\"meaning\": \"a toy\", \"attributes\": {\"state\": [\"new\", \"a..\": /leader/calls \"calls\" is no "
     "attribute of words"},
    {"answer['leader'] = {'state': 'leads'}",
     "the program's first line will not do: \"{\"id\": 1, \"process\": \"toy\", \"version\": \"1.2\", "
     "\"meaning\": \"a toy\", \"attributes\": {\"state\": [\"new\", \"a..\": /leader/state unknown word "
     "\"leads\""},
    {"answer['leader'] = {}",
     "the program's first line will not do: \"{\"id\": 1, \"process\": \"toy\", \"version\": \"1.2\", "
     "\"meaning\": \"a toy\", \"attributes\": {\"state\": [\"new\", \"a..\": /leader has 0 members, expected "
     "one: an attribute and its word"},
    {"answer['id'] = 2",
     "the program's first line will not do: \"{\"id\": 2, \"process\": \"toy\", \"version\": \"1.2\", "
     "\"meaning\": \"a toy\", \"attributes\": {\"state\": [\"new\", \"a..\": it answers 2, but asked was 1"},
    {"out('Hello!\\n')",
     "the program's first line will not do: \"Hello!\": is not valid JSON: '[' or '{' expected near 'Hello'"},
    {"sys.exit(2)", "the program ended without an answer: its process ended by itself with exit code 2"},
    {"out((json.dumps(answer) + '\\n') * 2)",
     "the program's first line will not do: it goes on speaking after its answer"},
