/* Many test programs linked into one, where each one's main() has the program's name. Runs that
** whose name this was started by, through a link. */
#include <libgen.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define TEST(name) int name(int argc, char **argv);
#include TESTS
#undef TEST

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } tests[] = {
#define TEST(name) { #name, name },
#include TESTS
    };

    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (!strcmp(basename(argv[0]), tests[i].name))
            return tests[i].run(argc, argv);
    fprintf(stderr, "%s: there is no such test\n", argv[0]);
    return 1;
}
