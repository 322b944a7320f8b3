"""Rehearses deployments in an emulator of AWS."""
