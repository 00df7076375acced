/* A player of one round as the blackjack course's: it ends what it says with NUL, and sleeps 25 ms after that.

   cc -o classic_player classic_player.c && ./classic_player PORT [watched]

   Alone it takes each message up to its NUL, however the machine lets it run. Watched it takes whatever one read()
   returns for one message, as the course's players do, and its sleep is over when whoever watches says so by a line:
   it prints when it listens, when it sleeps, and how many bytes it has heard.
   The status is 0 once it has heard QUIT, and 1 if anything that it read was not one message. */

#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int is_watched;

static void say(int dealer, const char *message)
{
    const struct timespec pause = {0, 25 * 1000 * 1000};

    if (write(dealer, message, strlen(message) + 1) < 0)
        exit(1);
    if (is_watched) {
        printf("sleeps\n");
        if (getchar() == EOF)
            exit(1);
    } else {
        nanosleep(&pause, NULL);
    }
}

static ssize_t hear(int dealer, char *heard, ssize_t most)
{
    ssize_t length = 0, more;

    if (is_watched) {
        printf("listens\n");
        length = read(dealer, heard, most);
        printf("heard %zd\n", length);
        return length;
    }
    do {
        more = read(dealer, heard + length, 1);
        length += more > 0 ? more : 0;
    } while (more == 1 && heard[length - 1] != 0 && length < most);
    return length;
}

int main(int count, char **arguments)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(count > 1 ? atoi(arguments[1]) : 0)};
    int dealer = socket(AF_INET, SOCK_STREAM, 0);
    char heard[256];

    is_watched = count > 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(dealer, (struct sockaddr *)&address, sizeof address) != 0)
        return 1;
    say(dealer, "JOIN classic 1");
    for (;;) {
        ssize_t length = hear(dealer, heard, sizeof heard);

        if (length <= 0 || memchr(heard, 0, length) != heard + length - 1) {
            fprintf(stderr, "%zd bytes are not one message: %.*s\n", length, length > 0 ? (int)length : 0, heard);
            return 1;
        }
        if (strcmp(heard, "QUIT") == 0)
            return 0;
        if (strcmp(heard, "DECISION") == 0)
            say(dealer, "STAND");
    }
}
