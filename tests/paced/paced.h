/* Clocks that tests set: no test may depend on how fast the machine is, or how busy.
**
** The linker puts functions of this folder in the place of those of the same name (--wrap), in a
** `kjit` of the tests' own, build/tests/paced/kjit, and in test programs.
**
** clock.c: clock_seconds(), by which deadlines and budgets go, is the machine's clock and whatever
** paced_pass() has added to it, in this process and in those that it has started.
** launches.c: clock_of_launches() stands still, but for launches: each takes a millisecond, or if
** its kernel has an array `took` of float64 as many as the kernel leaves in that array's first
** element, which is 0 again afterwards. One that takes infinitely long does not end.
** If `took` has a second element, a launch finds there how many there were before it of the kernel.
** The machine does nothing else, as load_read() has it, but that such launches take as many
** milliseconds more, in which they wait for a processor, as are in the first element of an array
** `waited` of float64. It is said to copy 100 GB/s, and to do 2000 GFLOP/s in float32 and 1000 in
** float64; its caches have a megabyte, so that to flush them takes no time. */
#ifndef KJIT_TESTS_PACED_H
#define KJIT_TESTS_PACED_H

/* So many seconds are over at once, for all processes that share the clock. */
void paced_pass(double seconds);
/* Days go by, and the caller is still at it: whoever waits for its errors notices. */
_Noreturn void paced_hang(void);

#endif
