# Keys of dictionaries: objects of frozen data classes by their fields, and keys that are alike, many of each kind.
from dataclasses import dataclass


@dataclass(frozen=True)
class Launch:
    blocks: int
    threads: tuple = (32, 1)


times = {Launch(1): 0.5, Launch(2, (8, 8)): 0.25}
times[Launch(1, (32, 1))] += 1
print(times, Launch(2) in times, times[Launch(2, (8, 8))], {(Launch(1), "a"): 1}[Launch(1.0), "a"])
kinds = {complex(i, i): i for i in range(40000)}, {complex(i, -i): i for i in range(40000)}
print(len(kinds[0]), kinds[0][7 + 7j], kinds[1][7 - 7j], 7 - 7j in kinds[0])
ranges = {range(i, i + 3): i for i in range(40000)}
print(len(ranges), ranges[range(7, 10, 1)], range(7, 11) in ranges, {range(0): 1}[range(5, 5)], {range(3, 4, 9): 2}[range(3, 4)])
