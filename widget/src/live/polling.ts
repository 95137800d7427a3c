import { VISITOR_NAMESPACE, type VisitorPoll } from 'server/contract';
import type { Endpoint } from '../host.ts';
import { call } from '../http.ts';
import type { OpenTransport } from './protocol.ts';

const PREFIX = `${VISITOR_NAMESPACE},`;
/** The handshake: without an answer for that long, the connection counts as dead. A poll takes at most 25 seconds. */
const OPEN = '0{"pingInterval":25000,"pingTimeout":20000}';
const PING = '2';
const CONNECTED = `40${PREFIX}{}`;

/**
 * Long polling over the visitors' HTTP calls, for pages and networks that block WebSockets. To the socket client it looks like one
 * connection, but every call may go to another server: what happened between two polls is found as after a reconnection.
 */
export const pollingOf =
  ({ api }: Endpoint): OpenTransport =>
  (_, on) => {
    const cut = new AbortController();
    let token: string;
    let speaks: string;

    const ask = <Data>(what: string, body: object) => call<Data>(`${api}/${what}`, body, token, 'POST', cut.signal);

    function receive(packet: string): void {
      if (!cut.signal.aborted) on.packet(packet);
    }

    async function poll(): Promise<void> {
      let at: string | undefined;
      for (;;) {
        const reply = await ask<VisitorPoll>('poll', { at, speaks });
        if (!reply.ok) return refuse(reply);
        at = reply.at;
        receive(PING);
        if (reply.missed) receive(CONNECTED);
        for (const [name, payload] of reply.events)
          receive(`42${PREFIX}[${JSON.stringify(name)},${JSON.stringify(payload)}]`);
      }
    }

    function refuse({ code, retryable, status }: { code: string; retryable: boolean; status: number }): void {
      if (cut.signal.aborted) return;
      if (retryable && status !== 401) on.closed();
      else receive(`44${PREFIX}${JSON.stringify({ message: code })}`);
    }

    async function request(id: string, [event, payload]: unknown[]): Promise<void> {
      const reply = await ask('requests', { event, ask: payload });
      receive(`43${PREFIX}${id}[${JSON.stringify(reply)}]`);
    }

    queueMicrotask(() => receive(OPEN));
    return {
      send(packet) {
        const [, type, id, json = ''] = /^4(\d)[^,]*,(\d*)(.*)/s.exec(packet) ?? [];
        if (type === '0') {
          ({ visitorToken: token, speaks } = JSON.parse(json));
          void poll();
        } else if (id) void request(id, JSON.parse(json));
      },
      close: () => cut.abort(),
    };
  };
