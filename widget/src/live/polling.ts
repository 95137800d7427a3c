import type { OpenTransport } from './protocol.ts';

const SEPARATOR = '\x1e';
const OPEN = '0';
const CLOSE = '1';
const SID = '&sid=';

/** Engine.IO's long polling, for pages and networks that block WebSockets. */
export const openPolling: OpenTransport = (origin, on) => {
  const cut = new AbortController();
  const queue: string[] = [];
  let url = `${origin}/socket.io/?EIO=4&transport=polling`;
  let sending = false;

  async function exchange(body?: string): Promise<string> {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      body: body ?? null,
      signal: cut.signal,
      cache: 'no-store',
      credentials: 'omit',
    });
    if (!response.ok) throw response;
    return response.text();
  }

  function fail(): void {
    if (cut.signal.aborted) return;
    cut.abort();
    on.closed();
  }

  function receive(packet: string): void {
    if (cut.signal.aborted) return;
    if (packet[0] === OPEN) url += SID + JSON.parse(packet.slice(1)).sid;
    on.packet(packet);
  }

  async function poll(): Promise<void> {
    while (!cut.signal.aborted) (await exchange()).split(SEPARATOR).forEach(receive);
  }

  async function flush(): Promise<void> {
    sending = true;
    while (queue.length && !cut.signal.aborted) await exchange(queue.splice(0).join(SEPARATOR));
    sending = false;
  }

  poll().catch(fail);
  return {
    send(packet) {
      queue.push(packet);
      if (!sending) flush().catch(fail);
    },
    close() {
      cut.abort();
      // `keepalive`: the page may be going away.
      if (url.includes(SID))
        fetch(url, { method: 'POST', body: CLOSE, keepalive: true, credentials: 'omit' }).catch(() => {});
    },
  };
};
