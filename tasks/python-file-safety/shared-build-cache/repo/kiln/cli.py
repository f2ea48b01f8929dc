"""`python3 -m kiln CACHE stats|keys|prune`: for the people who run the machines."""

import argparse

from kiln.cache import Cache
from kiln.stats import hit_rate


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="kiln")
    parser.add_argument("cache")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("stats", help="show how much the cache is used")
    commands.add_parser("keys", help="list what is in the cache")
    prune = commands.add_parser("prune", help="remove what has not been used for longest")
    prune.add_argument("--max-bytes", type=int, required=True)
    options = parser.parse_args(arguments)
    cache = Cache(options.cache)
    if options.command == "stats":
        counts = cache.stats()
        rate = hit_rate(counts)
        print(" ".join(f"{name}={count}" for name, count in counts.items()))
        print(f"size={cache.size()}" + (f" hit rate={rate:.0%}" if rate is not None else ""))
    elif options.command == "keys":
        print("\n".join(cache.keys()))
    else:
        print(f"removed {cache.prune(options.max_bytes)} bytes")
    return 0
