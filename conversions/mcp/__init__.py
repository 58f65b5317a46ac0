"""The conversions as tools for agents: the Model Context Protocol without sessions, over one route."""
