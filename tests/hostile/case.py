"""What a hostile case is, and the kernels that many of them use."""

DONE, PROGRAM, COMMAND, FAILED, DEFECT = range(5)

COPY = """@cuda.jit
def copy(a, b):
    for i in range(cuda.grid(1), b.size, cuda.gridsize(1)):
        b[i] = a[i]
"""
COPY_2D = """@cuda.jit
def copy(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j]
"""
RUN_COPY = ["run", "copy.k", "--device", "cpu", "--grid", "1x32", "b=zeros(4)"]
RUN_K = ["run", "k.k", "--device", "cpu", "--grid", "1x1", "a=zeros(4)"]


class Case:
    """One call of the command in a folder with `files`; a text is written as UTF-8. `status` is
    the exit status, or those that will do; `says` a pattern for stderr; `wrote` what an array that
    the call saved as out.npy holds, in float64; `before` is called with the folder first."""

    def __init__(
        self,
        name,
        arguments,
        status,
        says="",
        files=None,
        environment=None,
        wrote=None,
        before=None,
        stdout=None,
    ):
        self.name = name
        self.arguments = arguments
        self.status = {status} if isinstance(status, int) else set(status)
        self.says = says
        self.files = files or {}
        self.environment = environment or {}
        self.wrote = wrote
        self.before = before
        self.stdout = stdout
