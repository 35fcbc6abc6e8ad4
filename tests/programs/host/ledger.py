"""Accounts from lines of text, and how numbers and texts are formatted."""
import numpy as np

accounts = ["cash", "rent", "food", "wages", "savings"]
lines = """2024-01-03;cash;food;12.50
2024-01-05;wages;cash;1800
2024-01-07;cash;rent;650.00
2024-01-09;cash;savings;200
2024-01-11;cash;food;43.2
2024-01-15;savings;cash;20.05
2024-01-22;cash;food;7"""
balance = np.zeros(len(accounts))
turnover = [[] for _ in accounts]
for number, line in enumerate(lines.split("\n"), start=1):
    date, source, to, amount = line.strip().split(";")
    year, month, day = (int(part) for part in date.split("-"))
    amount = float(amount)
    assert source in accounts and to in accounts, f"line {number}: {line!r}"
    balance[accounts.index(source)] -= amount
    balance[accounts.index(to)] += amount
    turnover[accounts.index(to)].append((day, amount))
    print("%3d %02d.%02d.%d %-8s -> %-8s %10.2f" % (number, day, month, year, source, to, amount))
print("-" * 46)
for name, value in zip(accounts, balance):
    print(f"{name:.<12}{value:>12,.2f}")
print(f"{'total':.<12}{balance.sum():>+12.2e}")
food = turnover[accounts.index("food")]
print("food:", food, "most on day", max(food, key=lambda pair: pair[1])[0])
print("share:", ", ".join(f"{a}={v / balance[balance > 0].sum():.1%}" for a, v in zip(accounts, balance) if v > 0))
names = sorted(accounts, key=len, reverse=True)
print(names, min(names), max(names, key=len))
print("{:>10}|{:^10}|{:<10}|".format(*accounts[:3]))
print("{0}{1}{0}".format("<", ">"), "{:08.3f}".format(-3.14159), "{:#x} {:b} {:o}".format(255, 5, 8))
