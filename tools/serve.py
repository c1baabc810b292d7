"""Serves the built book on this machine only and prints the address."""

import argparse
import functools
import http.server
import pathlib
import sys


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing about each file: the address above is what the reader needs."""

    def do_GET(self):
        """A file of the book; browsers also ask for an icon that is not there, and get nothing."""
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()


class Books(http.server.ThreadingHTTPServer):
    """A server that a reader's browser may leave in the middle of a page."""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def server(folder, port):
    """A server of `folder` on 127.0.0.1 at `port`, or at the next free one of ten, or at any."""
    handler = functools.partial(Quiet, directory=str(folder))
    for candidate in [*range(port, port + 10), 0]:
        try:
            return Books(("127.0.0.1", candidate), handler)
        except OSError:
            continue
    raise SystemExit("no port is free on 127.0.0.1")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    if not (options.folder / "index.html").exists():
        raise SystemExit(f"{options.folder} holds no index.html: run make html first")
    with server(options.folder, options.port) as books:
        print(f"The book is at http://127.0.0.1:{books.server_port}/  (Ctrl-C stops)", flush=True)
        try:
            books.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
