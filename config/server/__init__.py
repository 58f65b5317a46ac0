"""The web server: a gunicorn worker that slow clients can't block."""
