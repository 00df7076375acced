/* A program with one fault: it has room for six cards, and counts an ace as 11 until the hand is over 21. */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int points(const char *card)
{
    static const char *ranks[] = {"Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"};
    for (int i = 0; i < 9; i++)
        if (strncmp(card, ranks[i], strlen(ranks[i])) == 0)
            return i + 1;
    return 10;
}

int main(int count, char **words)
{
    struct addrinfo *found, hints = {.ai_socktype = SOCK_STREAM};
    char line[65536];
    int cards[6], dealt = 0, total = 0;

    if (count < 4 || getaddrinfo(words[1], words[2], &hints, &found))
        return 2;
    int dealer = socket(found->ai_family, found->ai_socktype, 0);
    if (connect(dealer, found->ai_addr, found->ai_addrlen))
        return 1;
    dprintf(dealer, "JOIN %s\n", words[3]);
    for (FILE *lines = fdopen(dealer, "r"); fgets(line, sizeof line, lines);) {
        if (strncmp(line, "BEGIN", 5) == 0)
            dealt = 0;
        if (strncmp(line, "CARD ", 5) == 0) {
            if (dealt == 6)
                abort(); /* what a guarded buffer does */
            cards[dealt++] = points(line + 5);
        }
        if (strncmp(line, "DECISION", 8) == 0) {
            total = 0;
            for (int i = 0; i < dealt; i++)
                total += cards[i];
            dprintf(dealer, total < 17 ? "HIT\n" : "STAND\n");
        }
    }
    return 0;
}
