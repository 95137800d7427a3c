import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web page with the widget, on an origin of its own. */
export interface Host {
  origin: string;
  url: string;
  stop(): Promise<void>;
}

interface HostPageOptions {
  parleyOrigin: string;
  /** The script tag as the dashboard shows it. */
  embedCode: string;
  /** Serve the page with the strictest Content-Security-Policy that the widget supports. */
  strict?: boolean;
  /** Without a doctype, as old pages. */
  quirks?: boolean;
}

/** Serves a page with the embed code on every path of `127.0.0.1`, which is another origin than Parley's `localhost`. */
export async function startHostPage({
  parleyOrigin,
  embedCode,
  strict = false,
  quirks = false,
}: HostPageOptions): Promise<Host> {
  const html = (quirks ? '' : '<!doctype html>') + pageWith(embedCode);
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (strict) response.setHeader('Content-Security-Policy', strictPolicy(parleyOrigin));
    response.end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    url: `${origin}/pricing`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function pageWith(embedCode: string): string {
  return `<html lang="en">
  <head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>Pricing - Example shop</title><link rel="icon" href="data:," /></head>
  <body><main><h1>Pricing</h1><p>Everything costs ten.</p></main>${embedCode}</body>
</html>`;
}

function strictPolicy(origin: string): string {
  return [
    "default-src 'none'",
    `script-src ${origin}`,
    `connect-src ${origin} ${origin.replace('http', 'ws')}`,
    "style-src 'none'",
    `img-src ${origin} data:`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
