/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Inres initiator of inres_initiator.json as a system under test: a line of JSON in, a line out
 * (docs/look-up/efsm.md). The requests' members have a fixed order, so that no JSON library is needed:
 *
 *   cc -o inres inres.c && corridor efsm test ../inres_initiator.json --goal t8 --system ./inres */
#include <stdio.h>
#include <string.h>

enum place { DISCONNECT, WAIT, CONNECT, SENDING };

static enum place place;
static int number, counter, data;

static void leave(void) {
    place = DISCONNECT;
    printf("\"out\":[[\"IDISind\",[]]]");
}

static void say_frame(const char *more) {
    printf("\"out\":[[\"DT\",[%d,%d]]%s]", number, data, more);
}

/* The frame once more, or no more of it. */
static void again(void) {
    if (counter >= 4) {
        leave();
        return;
    }
    counter++;
    say_frame("");
}

static void request_connection(void) {
    printf("\"out\":[[\"CR\",[]],[\"Timer.start\",[]]]");
}

int main(void) {
    char line[1024], input[64];
    while (fgets(line, sizeof line, stdin)) {
        long long id = 0;
        int argument = 0;
        if (sscanf(line, "{\"id\":%lld", &id) != 1 || strstr(line, "\"bye\""))
            return 0;
        printf("{\"id\":%lld,", id);
        if (strstr(line, "\"hello\""))
            printf("\"protocol\":1,\"name\":\"inres.c\"");
        else if (strstr(line, "\"reset\"")) {
            place = DISCONNECT;
            number = counter = data = 0;
            printf("\"ready\":true");
        } else if (sscanf(line, "{\"id\":%*d,\"in\":\"%63[^\"]\",\"args\":[%d", input, &argument) >= 1) {
            if (strcmp(input, "DR") == 0)
                leave();
            else if (place == DISCONNECT && strcmp(input, "ICONreq") == 0) {
                place = WAIT;
                counter = 0;
                request_connection();
            } else if (place == WAIT && strcmp(input, "CC") == 0) {
                place = CONNECT;
                number = 1;
                printf("\"out\":[[\"ICONconf\",[]]]");
            } else if (place == WAIT && strcmp(input, "Timer.expired") == 0) {
                if (counter >= 4)
                    leave();
                else {
                    counter++;
                    request_connection();
                }
            } else if (place == CONNECT && strcmp(input, "IDATreq") == 0) {
                place = SENDING;
                counter = 0;
                data = argument;
                say_frame(",[\"Timer.start\",[]]");
            } else if (place == SENDING && strcmp(input, "AK") == 0 && argument == number) {
                place = CONNECT;
                number = 1 - number;
                printf("\"quiet\":true");
            } else if (place == SENDING && (strcmp(input, "AK") == 0 || strcmp(input, "Timer.expired") == 0))
                again();
            else
                printf("\"quiet\":true");
        }
        printf("}\n");
        fflush(stdout);
    }
    return 0;
}
