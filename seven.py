import sys

print(len(sys.argv), sys.argv[0])
sys.exit(7)
