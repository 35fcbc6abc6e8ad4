import os
from dataclasses import dataclass, field, asdict, replace
from pathlib import Path
from typing import ClassVar, Literal, Mapping

ROOT = Path(__file__).resolve().parent


@dataclass(slots=True)
class Settings:
    block: int = 256
    dtype: Literal["f4", "f8"] = "f4"
    eps: float = 1e-6
    shape: tuple[int, int] = (16, 16)
    weights: tuple = field(default=(0.25, 0.5, 0.25))
    registry: ClassVar[Mapping[str, int]] = {"a": 1, "b": 2}

    def __post_init__(self):
        if self.block % 32:
            raise ValueError(self.block)

    @property
    def warps(self):
        return self.block // 32

    def scaled(self, k):
        return self.eps * k

    @classmethod
    def from_env(cls):
        return cls(block=int(os.environ.get("GPULIB_BLOCK", 256)))

    @staticmethod
    def grid(n, b):
        return (n + b - 1) // b


settings = Settings()
small = replace(settings, block=64)
