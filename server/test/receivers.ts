import { once } from 'node:events';
import { Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { selfMade } from './certificate.ts';

const HOST = 'hooks.example.com';
const MORE_HOSTS = ['hooks.slack.com', 'discord.com', 'prod-01.westeurope.logic.azure.com', 'api.telegram.org'];

/** A request as it came. */
export interface Request {
  path: string;
  headers: Record<string, string>;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are looked into field by field
  payload: any;
}

/** What is answered: a status, or with more. */
export type Answer = number | { status: number; headers?: Record<string, string>; body?: string };

/** A receiver of webhooks of the test's own, over https with a certificate that it made itself. */
export interface Receiver {
  /** Connects to it, whatever the name. */
  agent: Agent;
  certificate: string;
  port: number;
  /** An address at the receiver; its certificate is valid for the hosts of chat services, too. */
  url(path: string, host?: string): string;
  /** All requests that came for this path so far, answered or not. */
  received(path: string): Request[];
  /** How requests for this path are answered from now on; until then with 204. */
  answer(path: string, how: (request: Request) => Answer | Promise<Answer>): void;
  stop(): Promise<void>;
}

/** Connects to a port of this machine, whatever the name. */
export const agentTo = (cert: string) =>
  new Agent({
    ca: cert,
    lookup: (_host, { all }, done) =>
      all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
  });

/** Starts a receiver. */
export async function startReceiver(): Promise<Receiver> {
  const certificate = selfMade(HOST, ...MORE_HOSTS);
  const requests: Request[] = [];
  const answers = new Map<string, (request: Request) => Answer | Promise<Answer>>();
  const server = createServer(certificate, async (req, res) => {
    const body = await text(req);
    const { url: path = '', headers } = req;
    const request = { path, headers: headers as Record<string, string>, body, payload: body && JSON.parse(body) };
    requests.push(request);
    const answer = (await answers.get(path)?.(request)) ?? 204;
    const { status, headers: more = {}, body: said = '' } = typeof answer === 'number' ? { status: answer } : answer;
    res.writeHead(status, more).end(said);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    agent: agentTo(certificate.cert),
    certificate: certificate.cert,
    port,
    url: (path, host = HOST) => `https://${host}:${port}${path}`,
    received: (path) => requests.filter((request) => request.path === path),
    answer: (path, how) => void answers.set(path, how),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
