"""Keeps marked blocks in configuration files up to date."""

from hostkeeper.apply import Change, apply_plan
from hostkeeper.blocks import BlockError
from hostkeeper.plan import Item, PlanError, load_plan

__all__ = ["BlockError", "Change", "Item", "PlanError", "apply_plan", "load_plan"]
