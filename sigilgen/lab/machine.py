"""What records say about the machine that runs were made on."""

import platform


def this_machine() -> str:
    """Operating system, processor and Python, as `Linux x86_64, Python 3.11.2`."""
    return f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
