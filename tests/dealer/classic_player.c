/* A player of one round as the blackjack course's: it ends what it says with NUL, sleeps 25 ms after that, and takes
   whatever one read() returns for one message.

   cc -o classic_player classic_player.c && ./classic_player PORT
   The status is 0 once it has heard QUIT, 1 if anything that it read was not one message, and 3 if that may be because the
   machine does not let it run for as long as a dealer waits between two messages. */

#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void say(int dealer, const char *message)
{
    const struct timespec pause = {0, 25 * 1000 * 1000};

    if (write(dealer, message, strlen(message) + 1) < 0)
        exit(1);
    nanosleep(&pause, NULL);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static int is_kept_from_running(void)
{
    const struct timespec moment = {0, 1000 * 1000};

    for (int i = 0; i < 500; i++) {
        double before = seconds();

        nanosleep(&moment, NULL);
        if (seconds() - before > 0.011)
            return 1;
    }
    return 0;
}

int main(int count, char **arguments)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(count > 1 ? atoi(arguments[1]) : 0)};
    int dealer = socket(AF_INET, SOCK_STREAM, 0);
    char heard[256];

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(dealer, (struct sockaddr *)&address, sizeof address) != 0)
        return 1;
    say(dealer, "JOIN classic 1");
    for (;;) {
        ssize_t length = read(dealer, heard, sizeof heard);

        if (length <= 0 || memchr(heard, 0, length) != heard + length - 1) {
            fprintf(stderr, "%zd bytes are not one message: %.*s\n", length, length > 0 ? (int)length : 0, heard);
            return is_kept_from_running() ? 3 : 1;
        }
        if (strcmp(heard, "QUIT") == 0)
            return 0;
        if (strcmp(heard, "DECISION") == 0)
            say(dealer, "STAND");
    }
}
