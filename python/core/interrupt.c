/* Ctrl-C while a kernel runs on the processor. Python takes note of a signal, and raises
** KeyboardInterrupt when its own code goes on. So that this is early, the launch leaves out the
** blocks that have not begun. A second interrupt, while those that have begun go on, ends the
** process, as it ends programs that know nothing of Python: a block that never ends cannot be
** stopped.
**
** A program that handles interrupts itself, by signal.signal(), has replaced this handler. */
#include "python/core/core.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sigaction before; /* Python's own, which takes note */
static volatile sig_atomic_t asked;

/* Python's code hears of signals in the main thread. */
static int is_main_thread(void)
{
    return syscall(SYS_gettid) == getpid();
}

static void handle(int number)
{
    static const char waits[] = "kjit: the kernel ends with the blocks that have begun; Ctrl-C "
                                "again ends Python\n";

    before.sa_handler(number);
    if (!kjit_running_call() || !is_main_thread())
        return;
    if (asked) {
        signal(number, SIG_DFL);
        raise(number); /* once this returns */
        return;
    }
    asked = 1;
    ssize_t written = write(STDERR_FILENO, waits, sizeof waits - 1);
    (void)written;
    kjit_stop_running();
}

/* Whether the program leaves interrupts to Python. */
static int raises(void)
{
    PyObject *signals = PyImport_ImportModule("signal");
    PyObject *now = signals ? PyObject_CallMethod(signals, "getsignal", "i", SIGINT) : NULL;
    PyObject *usual = signals ? PyObject_GetAttrString(signals, "default_int_handler") : NULL;
    int same = now && now == usual;

    Py_XDECREF(signals);
    Py_XDECREF(now);
    Py_XDECREF(usual);
    PyErr_Clear();
    return same;
}

void interrupt_watch(void)
{
    struct sigaction now;

    if (!raises() || sigaction(SIGINT, NULL, &now) != 0 || now.sa_flags & SA_SIGINFO ||
        now.sa_handler == handle || now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)
        return;
    before = now;
    now.sa_handler = handle;
    sigaction(SIGINT, &now, NULL);
}

int interrupt_raised(void)
{
    if (!asked)
        return 0;
    asked = 0;
    return PyErr_CheckSignals() < 0;
}
