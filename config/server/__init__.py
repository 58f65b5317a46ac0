"""The web server: a gunicorn worker that slow clients cannot hold, and what it is made of."""
