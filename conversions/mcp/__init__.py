"""The conversions as tools for agents: the Model Context Protocol, stateless, on one route."""
