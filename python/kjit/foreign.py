"""Functions in CUDA C or C that kernels call: cuda.declare_device(), cuda.CUSource."""
from kjit.types import Signature, evaluated


class CUSource:
    """CUDA C as a text, for link=."""

    def __init__(self, text, name="text.cu"):
        self.text, self.name = text, name


def link_list(link):
    """What link= names, one thing or several."""
    return list(link) if isinstance(link, (list, tuple, set)) else [link] if link else []


def link_text(link):
    text = getattr(link, "text", None)
    return f"cuda.CUSource({text!r})" if text is not None else repr(str(link))


class Declared:
    """A function whose text is linked with the kernels that call it."""

    def __init__(self, name, sig, link=None, use_cooperative=False, abi="numba"):
        self.name, self.links, self.use_cooperative, self.abi = name, link_list(link), use_cooperative, abi
        self.sig = evaluated(sig) if isinstance(sig, str) else sig
        if not isinstance(self.sig, Signature) or self.sig.return_type is None:
            raise TypeError(f"Return type must be provided for device declarations: {sig!r} has none")

    def declaration(self):
        """As a .k file has it."""
        args = "".join(f"{arg!r}, " for arg in self.sig.args)
        words = [repr(self.name), repr(f"{self.sig.return_type!r}({args})"), f"link=[{', '.join(map(link_text, self.links))}]"]
        words += ["use_cooperative=True"] if self.use_cooperative else []
        words += [f"abi={self.abi!r}"] if self.abi != "numba" else []
        return f"cuda.declare_device({', '.join(words)})"

    def __call__(self, *args):
        raise TypeError(f"{self.name} is a device function: kernels call it, the host cannot")

    def __repr__(self):
        return f"<kjit declared device function {self.name}>"
