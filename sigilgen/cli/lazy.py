"""A Click group that imports a command only when it runs, so that `sigil --help` stays fast."""

import importlib
from collections.abc import Collection, Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """Resolves each command from `module:attribute` on first use; those in `hidden` run but are not listed."""

    def __init__(
        self,
        *,
        commands_at: Mapping[str, str],
        summaries: Mapping[str, str],
        hidden: Collection[str] = (),
        **attributes: Any,  # noqa: ANN401  (Click's own attributes, passed on as they came)
    ) -> None:
        super().__init__(**attributes)
        self._commands_at = commands_at
        self._summaries = summaries
        self._hidden = hidden

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (the signature is Click's)
        return sorted(self._commands_at)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  (likewise)
        if cmd_name not in self._commands_at:
            return None
        module, _, attribute = self._commands_at[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101  (a registry entry that is not a command is our bug)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            if (option := f"--{error.command_name}") in self._options(ctx):
                message = f"No such command {error.command_name!r}. Did you mean '{ctx.command_path} {option}'?"
                raise click.UsageError(message, ctx=ctx) from None
            names = self.list_commands(ctx)
            raise click.NoSuchCommand(error.command_name, possibilities=names, ctx=ctx) from None

    def _options(self, ctx: click.Context) -> list[str]:
        """Every way to write an option of this group: some people take one for a command."""
        return [written for parameter in self.get_params(ctx) for written in parameter.opts]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, self._summaries[name]) for name in self.list_commands(ctx) if name not in self._hidden]
            )
