"""Deploys a stack: each step is a module."""
