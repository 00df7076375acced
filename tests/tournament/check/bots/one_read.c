/* A program with one fault: it takes what one read returns for one message, but ends its own lines with LF. */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words)
{
    struct addrinfo *found, hints = {.ai_socktype = SOCK_STREAM};
    char heard[4096];
    ssize_t length;

    if (count < 4 || getaddrinfo(words[1], words[2], &hints, &found))
        return 2;
    int dealer = socket(found->ai_family, found->ai_socktype, 0);
    if (connect(dealer, found->ai_addr, found->ai_addrlen))
        return 1;
    dprintf(dealer, "JOIN %s\n", words[3]);
    while ((length = read(dealer, heard, sizeof heard - 1)) > 0) {
        heard[length] = 0;
        if (strncmp(heard, "DECISION", 8) == 0)
            dprintf(dealer, "STAND\n");
    }
    return 0;
}
