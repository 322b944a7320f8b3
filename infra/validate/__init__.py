"""Checks the deployment without an account."""
