/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What guest.py does, and what is said of it: of test_process_command.c. */
{AT(4, "answer['did'][0]['kind'] = 'pingg'"),
 "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"pingg\", \"value\": {\"from\": "
 "0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3,..\": /did/0/kind unknown kind of message \"pingg\""},
    {AT(4, "del answer['did'][0]['kind']"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"value\": {\"from\": 0, \"text\": "
     "\"\\u00e4\"}}, {\"alarm\": 3, \"in\": 20}, {\"cel..\": /did/0 lacks the key \"kind\""},
    {AT(4, "answer['did'][0]['send'] = 2"),
     "absurd call of 0: in input: it sent to process 2; there are processes 0 to 1"},
    {AT(4, "answer['did'][0]['send'] = -1"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": -1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3,..\": /did/0/send is -1, expected 0 to "
     "4294967295"},
    {AT(4, "answer['did'][0]['send'] = 'all'"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": \"all\", \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\":..\": /did/0/send is a string, expected an integer"},
    {AT(4, "answer['did'][0]['value'] = 'x' * 1048576"),
     "absurd call of 0: in input: it sent 1048578 bytes; a message has at most 1048576"},
    {AT(4, "answer['did'][0]['value'] = chr(0)"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "\"\\u0000\"}, {\"alarm\": 3, \"in\": 20}, {\"cell\": 2..\": is not valid JSON: \\u0000 is not allowed "
     "without JSON_ALLOW_NUL near '\"\\u0000\"'"},
    {AT(4, "answer['did'][0]['to'] = 1"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}, \"to\": 1}, {\"al..\": /did/0/to unknown key \"to\""},
    {AT(4, "answer['did'][1]['alarm'] = 8"), "absurd call of 0: in input: it set alarm 8; alarms are 0 to 7"},
    {AT(4, "answer['did'][1]['in'] = -5"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/1/in is -5, expected 0 to "
     "9223372036854775807"},
    {AT(4, "del answer['did'][1]['in']"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3},..\": /did/1 lacks the key \"in\""},
    {AT(4, "answer['did'][2]['cell'] = 16"),
     "absurd call of 0: in input: it wrote cell 16; cells are 0 to 15"},
    {AT(4, "answer['did'][2]['value'] = 'x' * 255"),
     "absurd call of 0: in input: it wrote 257 bytes to cell 2; a cell has at most 256"},
    {AT(4, "answer['did'][3]['value'] = 'x' * 70000"),
     "absurd call of 0: in input: it wrote beyond its store of 65536 bytes"},
    {AT(4, "answer['did'][3]['opration'] = 1"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/3/opration unknown key \"opration\""},
    {AT(4, "answer['did'][3]['operation'] = 2 ** 31"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/3/operation is 2147483648, expected 0 "
     "to 2147483647"},
    {AT(4, "answer['did'][3]['write'] = 1.5"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/3/write is a real number, expected an "
     "integer"},
    {AT(4, "answer['did'].append({'tell': 'herd', 'index': 0})"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/5/tell unknown channel \"herd\""},
    {AT(4, "answer['did'].append({'tell': 'heard'})"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/5 lacks the key \"index\""},
    {AT(4, "answer['did'].append({'complain': 'my log has a gap'})"),
     "complaint of 0: in input: my log has a gap"},
    {AT(4, "answer['did'].append({'complain': 7})"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/5/complain is an integer, expected a "
     "string"},
    {AT(4, "answer['did'].append({'sleep': 7})"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/5 says none of send, alarm, cell, "
     "write, tell, call, return, failed, complain, said"},
    {AT(4, "answer['did'].append({'call': 'heart', 'op': 'read', 'id': 0})"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/5/call unknown channel \"heart\""},
    {AT(4, "answer['did'].append({'call': 'heard', 'op': 'read'})"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/5 lacks the key \"id\""},
    {AT(4, "answer['did'].append({'call': 'heard', 'op': 7, 'id': 0})"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/5/op is an integer, expected a "
     "string"},
    {AT(4, "answer['did'].append({'call': 'heard', 'id': 0})"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/5 lacks the key \"op\""},
    {AT(4, "answer['did'].append({'return': -1})"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/5/return is -1"},
    {AT(4, "answer['did'].append({'failed': 'all'})"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /did/5/failed is a string"},
    {AT(4, "answer['did'].append({'call': 'heard', 'op': 'write', 'id': 0, 'value': 'x' * 70000})"),
     "absurd call of 0: in input: a call of it has more than 65536 bytes"},
    {AT(4, "answer['did'] = {}"), "garbled of 0: in input: \"{\"id\": 4, \"did\": {}, \"shows\": {\"calls\": "
                                  "1, \"state\": \"asked\"}}\": /did is an object, expected an array"},
    {AT(4, "answer['did'] *= 20001"), "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, "
                                      "\"kind\": \"ping\", \"value\": {\"from\": 0, \"text\": \"\\u00e4\"}}, "
                                      "{\"alarm\": 3, ..\": /did has 100005 items, expected 0 to 100000"},
    {AT(4, "answer['shows']['cals'] = 1"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /shows/cals unknown key \"cals\""},
    {AT(4, "answer['shows']['state'] = 'deaf'"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /shows/state unknown word \"deaf\""},
    {AT(4, "answer['shows']['calls'] = -1"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /shows/calls is -1, expected 0 to "
     "9007199254740992"},
    {AT(4, "answer['shows']['calls'] = 2 ** 53 + 1"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /shows/calls is 9007199254740993, expected "
     "0 to 9007199254740992"},
    {AT(4, "answer['shows']['level'] = 'high'"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /shows/level is a string, expected a "
     "number"},
    {AT(4, "answer['shows']['level'] = float('nan')"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": is not valid JSON: invalid token near "
     "'NaN'"},
    {AT(4, "answer['shows']['peers'] = [0, 2]"),
     "absurd call of 0: in observe: it shows processes in peers that there are not"},
    {AT(4, "answer['shows']['peers'] = [64]"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /shows/peers/0 is 64, expected 0 to 63"},
    {AT(4, "answer['shows'] = []"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /shows is an array, expected an object"},
    {AT(2, "del answer['shows']['level']"),
     "garbled of 0: in start: \"{\"id\": 2, \"did\": [], \"shows\": {\"calls\": 0, \"state\": \"new\", "
     "\"peers\": [0]}}\": /shows lacks \"level\": a process that starts shows all attributes"},
    {AT(2, "del answer['shows']"), "garbled of 0: in start: \"{\"id\": 2, \"did\": []}\": lacks the key "
                                   "\"shows\": a process that starts shows all attributes"},
    {AT(4, "answer['shown'] = {}"),
     "garbled of 0: in input: \"{\"id\": 4, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": /shown unknown key \"shown\""},
    {AT(4, "answer['id'] = 9"),
     "garbled of 0: in input: \"{\"id\": 9, \"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": "
     "{\"from\": 0, \"text\": \"\\u00e4\"}}, {\"alarm\": 3, ..\": it answers 9, but asked was 4"},
    {AT(4, "del answer['id']"),
     "garbled of 0: in input: \"{\"did\": [{\"send\": 1, \"kind\": \"ping\", \"value\": {\"from\": 0, "
     "\"text\": \"\\u00e4\"}}, {\"alarm\": 3, \"in\": 20}..\": lacks the key \"id\""},
    {AT(4, "out('hello\\n')"),
     "garbled of 0: in input: \"hello\": is not valid JSON: '[' or '{' expected near 'hello'"},
    {AT(4, "out('\\n')"),
     "garbled of 0: in input: \"\": is not valid JSON: '[' or '{' expected near end of file"},
    {AT(4, "out((json.dumps(answer) + '\\n') * 2)"),
     "garbled of 0: in input: it goes on speaking after its answer"},
    {AT(4, "out('half a line'); os._exit(0)"), "garbled of 0: in input: half a line, and no more"},
    {AT(4, "out('x' * (17 << 20) + '\\n')"), "garbled of 0: in input: a line of more than 16777216 bytes"},
    {AT(4, "sys.exit(3)"), "gone of 0: in input: its process ended by itself with exit code 3"},
    {AT(4, "os.kill(os.getpid(), signal.SIGSEGV)"),
     "gone of 0: in input: its process was ended by signal 11 (Segmentation fault)"},
    {AT(4, "os.close(1); time.sleep(100)"),
     "gone of 0: in input: it closed its output, or its input, and lived on; its process was ended"},
    {AT(4, "answer = {'id': 4, 'failed': 'AssertionError: no quorum (toy.py:7)'}"),
     "abort of 0: in input: AssertionError: no quorum (toy.py:7)"},
    {AT(4, "time.sleep(100) # hangs"), "hang of 0: in input: it did not come back"},
    {"if n == 3:\n while True: pass # hangs", "hang of 1: in start: it did not come back"},
    {AT(4, "x = [b'x' * 1000000 for i in range(2000)] # walled"),
     "memory of 0: in input: its process ended when its memory was used up"},
    {AT(4, "os.fork() or time.sleep(1000); sys.exit(4)"),
     "gone of 0: in input: its process ended by itself with exit code 4"},
    {AT(1, "answer['version'] = '2' if 'count' in line else '1'"),
     "garbled of 0: in start: \"{\"id\": 1, \"process\": \"toy\", \"version\": \"2\", \"meaning\": \"a "
     "toy\", \"attributes\": {\"state\": [\"new\", \"ask..\": this is not what it declared when it was "
     "started first"},
