from typing import Any, NamedTuple

CONTEXT: int
SAID: Any
STYLE: dict[str, str]

class Remark(NamedTuple):
    file: str
    line: int
    column: int
    text: str

class Remarks(list[Remark]):
    text: str
    def __init__(self, text: str) -> None: ...
    def _repr_html_(self) -> str: ...

class Finding(NamedTuple):
    rule: str
    advice: bool
    kernel: str
    message: str
    note: str | None
    element: str | None
    times: int
    at: Any
    other: Any
    text: str
    def _repr_html_(self) -> str: ...

class Findings(list[Finding]):
    def _repr_html_(self) -> str: ...

def cell(kind: str, text: Any) -> str: ...
def marked(text: str, begin: int, end: int) -> str: ...
def table(file: str, said: dict[int, list[str]], spans: dict[int, tuple[int, int]] | None = ...) -> str: ...
def place_table(at: Any) -> str: ...

class Facts(list[dict[str, Any]]):
    def _repr_html_(self) -> str: ...
