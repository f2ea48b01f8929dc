"""`python3 -m printfarm --journal FILE ...`: for the people in the hall."""

import argparse
import sys

from printfarm.jobs import JobError
from printfarm.journal import JournalError
from printfarm.report import copies_by_customer, failures
from printfarm.service import Service


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="printfarm")
    parser.add_argument("--journal", required=True)
    commands = parser.add_subparsers(dest="command", required=True)
    submit = commands.add_parser("submit")
    submit.add_argument("customer")
    submit.add_argument("model")
    submit.add_argument("--copies", type=int, default=1)
    commands.add_parser("list")
    commands.add_parser("report")
    options = parser.parse_args(arguments)
    try:
        service = Service(options.journal)
    except (JournalError, JobError, OSError) as error:
        print(f"printfarm: {error}", file=sys.stderr)
        return 1
    try:
        return run(service, options)
    finally:
        service.close()


def run(service: Service, options: argparse.Namespace) -> int:
    if options.command == "submit":
        print(service.submit(options.customer, options.model, options.copies))
    elif options.command == "list":
        for job in service.jobs():
            print(f"{job.id}  {job.state:<8}  {job.copies:>3} x {job.model}  {job.customer}")
    else:
        for customer, copies in copies_by_customer(service.jobs()).items():
            print(f"{copies:>6}  {customer}")
        for line in failures(service.jobs()):
            print(f"failed  {line}")
    return 0
