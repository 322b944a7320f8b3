"""Runs MiniStack on loopback, and adds what the stack needs and MiniStack lacks:
python -m infra.rehearse.emulator PROXY CERTIFICATE KEY

PROXY is the port of a proxy for HTTPS. It leads clients to https://*.cloudfront.net, names that do
not resolve.
"""

import asyncio
import contextvars
import json
import os
import re
import ssl
import string
import sys
import threading

from ministack import app
from ministack.core import iam_evaluator
from ministack.services import apigateway, cloudfront
from ministack.services.cloudformation import provisioners

GATEWAY, (PROXY, CERTIFICATE, KEY) = int(os.environ["GATEWAY_PORT"]), sys.argv[1:]


def with_routes(handle):
    """Gives an API the routes of its OpenAPI body."""

    def handled(*arguments, **named):
        api, attributes = handle(*arguments, **named)
        *_, properties = (a for a in arguments if isinstance(a, dict))
        apigateway._routes[api], apigateway._integrations[api] = {}, {}
        for path, methods in properties["Body"]["paths"].items():
            for method, operation in methods.items():
                verb = "ANY" if method.startswith("x-") else method.upper()
                make_route(api, f"{verb} {path}", operation["x-amazon-apigateway-integration"])
        return api, attributes

    return handled


def make_route(api, key, integration):
    _, _, made = apigateway._create_integration(api, {"integrationUri": integration["uri"]})
    target = f"integrations/{json.loads(made)['integrationId']}"
    apigateway._create_route(api, {"routeKey": key, "target": target})


def on_loopback(parse):
    """Makes this process the API's host for CloudFront, because MiniStack calls no host of AWS."""

    def parsed(element):
        origin = parse(element)
        local = re.sub(r"^(\w+\.execute-api)\..*", r"\1.localhost", origin["domain_name"])
        return origin | {"domain_name": local}

    return parsed


async def tunnel(reader, writer):
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, KEY)
    await writer.start_tls(context)
    answers, requests = await asyncio.open_connection("127.0.0.1", GATEWAY)
    await asyncio.gather(pump(reader, requests), pump(answers, writer), return_exceptions=True)


async def pump(source, sink):
    while data := await source.read(65536):
        sink.write(data)
        await sink.drain()
    sink.close()


async def proxy():
    await (await asyncio.start_server(tunnel, "127.0.0.1", int(PROXY))).serve_forever()


api = provisioners._RESOURCE_HANDLERS["AWS::ApiGatewayV2::Api"]
api |= {name: with_routes(api[name]) for name in ("create", "update")}
cloudfront._dataplane_origin = on_loopback(cloudfront._dataplane_origin)
cloudfront._origin_connect_target = lambda origin, https: ("127.0.0.1", GATEWAY, False)
cloudfront._check_viewer_protocol_policy = lambda *_: None  # TLS ends at the proxy
# The policy of the site's bucket requires TLS, so each request counts as one over TLS.
iam_evaluator._request_origin = contextvars.ContextVar("origin", default=("127.0.0.1", True))
string.punctuation = ""  # MiniStack ignores ExcludePunctuation

del sys.argv[1:]
threading.Thread(target=asyncio.run, args=(proxy(),), daemon=True).start()
app.main()
