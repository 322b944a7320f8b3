"""Programs that deploy Turnout, and their tests. They run in the top folder, as modules."""
