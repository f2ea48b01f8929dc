"""One plain function per command: values in, a result value out. No Click, no printing."""
