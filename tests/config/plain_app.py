"""A WSGI application without Django: a path for each way in which a client can be slow, one for how it was started."""

import gc
import os
import time
from pathlib import Path
from wsgiref.headers import Headers

from config.server.channel import Channel
from config.server.lanes import HandedOver, Lane

BIG = Path(os.environ.get("BIG_FILE", "/dev/null"))
MADE_BYTES = 6_000_000


def parts():
    with BIG.open("rb") as file:
        while part := file.read(1_000_000):
            yield part


class Made(list):
    """A response that is made before it is sent, as those of Django are; it leaves a file when it is let go."""

    streaming = False

    def close(self):
        BIG.with_name("closed").touch()


def waiting_bytes():
    """The memory of all responses of this worker that wait for their clients."""
    channels = [each for each in gc.get_objects() if isinstance(each, Channel)]
    pieces = [piece for each in channels for piece in list(each._outbox) if isinstance(piece, memoryview)]
    return sum({id(each.obj): len(each.obj) for each in pieces}.values())


def application(environ, start_response):
    body: object = [b"ok"]
    headers = Headers([("Content-Type", "application/octet-stream")])
    status = "200 OK"
    match environ["PATH_INFO"]:
        case "/read":
            try:
                received = environ["wsgi.input"].read()
            except OSError:
                status, body = "400 Bad Request", [b"unreadable"]
            else:
                body = [str(len(received)).encode()]
        case "/refuse":
            status, body = "413 Content Too Large", [b"too large"]
        case "/file":
            headers["Content-Length"] = str(BIG.stat().st_size)
            body = environ["wsgi.file_wrapper"](BIG.open("rb"))
        case "/slice":
            file = BIG.open("rb")
            file.seek(1_000)
            headers["Content-Length"] = "500"
            body = environ["wsgi.file_wrapper"](file)
        case "/stream":
            body = (bytes(1_000_000) for _ in range(20))
        case "/made":
            body = Made([os.urandom(MADE_BYTES)])
        case "/waiting":
            body = [str(waiting_bytes()).encode()]
        case "/parts":
            body = parts()
        case "/garbage":
            body = [b"looked for" if gc.isenabled() else b"kept"]
        case "/slow":
            BIG.with_name("slow").touch()
            time.sleep(1)
        case "/convert" | "/convert-now" as path:
            if environ["server.lane"] is not Lane.CONVERSIONS:
                raise HandedOver(Lane.CONVERSIONS)
            if path == "/convert":
                with BIG.with_name("started").open("a") as file:
                    file.write(environ.get("HTTP_X_FORWARDED_FOR", "") + "\n")
            while path == "/convert" and not BIG.with_name("converted").exists():
                time.sleep(0.05)
        case "/crash":
            raise RuntimeError("crash")
    if isinstance(body, list):
        headers["Content-Length"] = str(len(body[0]))
    start_response(status, headers.items())
    return body
