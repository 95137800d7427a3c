import {
  ACK_TIMEOUT_MS,
  type Ack,
  SOCKET_CONNECT_TIMEOUT_MS,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
  VISITOR_NAMESPACE,
} from 'server/contract';

/** What a transport reports, always after the call that opened it has returned. One that was closed may still do so. */
export interface TransportEvents {
  /** One Engine.IO packet, as text. */
  packet(text: string): void;
  /** The connection is gone. */
  closed(): void;
}

/** One Engine.IO 4 connection. */
export interface Transport {
  send(packet: string): void;
  close(): void;
}

export type OpenTransport = (origin: string, on: TransportEvents) => Transport;

/** How long a WebSocket may take to open before long polling is tried instead. */
const WEBSOCKET_OPEN_TIMEOUT_MS = 6_000;

/** What every packet of the visitors' namespace carries after its type. */
const PREFIX = `${VISITOR_NAMESPACE},`;

/** The answer to a request that could not be sent, or whose connection ended before the answer. */
const OFFLINE = { ok: false, code: 'OFFLINE', message: '', retryable: true } as const;
/** The answer to a request that nobody answered in time. */
const TIMEOUT = { ok: false, code: 'TIMEOUT', message: '', retryable: true } as const;

export interface SocketClientOptions {
  origin: string;
  /** Fetches long polling, for where no WebSocket gets through. */
  fallback(): Promise<OpenTransport>;
  /** Whether long polling goes first, since WebSockets got no answer a while ago. */
  prefersPolling(): boolean;
  /** Asked anew for each attempt. */
  auth(): object;
  /** `unanswered`: by long polling, after a WebSocket that was neither let through nor refused. */
  onConnect(unanswered: boolean): void;
  onDisconnect(): void;
  /** The server refused the namespace; the client tries again in its own time. */
  onRefused(message: string): void;
  onEvent(name: string, payload: unknown): void;
}

/** A client of the visitors' Socket.IO 5 namespace over Engine.IO 4. */
export interface SocketClient {
  isConnected(): boolean;
  /** Connects and stays connected; hurries an attempt that is waiting its turn. */
  connect(): void;
  close(): void;
  /** Drops a connection that looks dead, and connects anew before long. */
  reset(): void;
  /** Asks for an acknowledgement. Always answers, with a retryable failure where the server did not. */
  request(event: string, ask: object): Promise<Ack>;
}

const openWebSocket: OpenTransport = (origin, on) => {
  let socket: WebSocket;
  try {
    socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`);
  } catch {
    // Refused outright by the page's policy or by mixed content.
    setTimeout(on.closed);
    return { send() {}, close() {} };
  }
  socket.onmessage = ({ data }) => typeof data === 'string' && on.packet(data);
  socket.onclose = on.closed;
  return {
    send: (packet) => socket.readyState === WebSocket.OPEN && socket.send(packet),
    close: () => socket.close(),
  };
};

export function createSocketClient(options: SocketClientOptions): SocketClient {
  const { origin } = options;
  const pending = new Map<number, (ack: Ack) => void>();
  let transport: Transport | null = null;
  let opener: OpenTransport = openWebSocket;
  let shaken = false;
  let unanswered = false;
  let connected = false;
  let failures = 0;
  let lastAck = 0;
  let heartbeat = SOCKET_CONNECT_TIMEOUT_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  /** Grows with everything that makes an attempt out of date. */
  let turn = 0;

  function expectWithin(ms: number): void {
    clearTimeout(watchdog);
    watchdog = setTimeout(lost, ms, true);
  }

  function dial(open: OpenTransport): void {
    opener = open;
    shaken = false;
    const mine = open(origin, {
      packet: (text) => transport === mine && hear(text),
      closed: () => transport === mine && lost(),
    });
    transport = mine;
    expectWithin(open === openWebSocket ? WEBSOCKET_OPEN_TIMEOUT_MS : SOCKET_CONNECT_TIMEOUT_MS);
  }

  function drop(): void {
    turn++;
    clearTimeout(watchdog);
    clearTimeout(retry);
    transport?.close();
    transport = null;
    connected = false;
    for (const settle of [...pending.values()]) settle(OFFLINE);
  }

  function lost(silently = false): void {
    const blocked = opener === openWebSocket && !shaken;
    if (opener === openWebSocket) unanswered = blocked && silently;
    drop();
    if (blocked) void fallBack();
    else waitAndRetry();
  }

  function waitAndRetry(): void {
    options.onDisconnect();
    const delay = Math.min(SOCKET_RECONNECT_MAX_MS, SOCKET_RECONNECT_MIN_MS * 2 ** failures++);
    retry = setTimeout(begin, delay * (1 + Math.random() / 4));
  }

  function begin(): void {
    if (options.prefersPolling()) void fallBack();
    else dial(openWebSocket);
  }

  async function fallBack(): Promise<void> {
    const mine = turn;
    const polling = await options.fallback().catch(() => null);
    if (mine !== turn) return;
    if (polling) dial(polling);
    else waitAndRetry();
  }

  /** One Engine.IO packet. What is not understood is dropped: it may come from a proxy, or from a later version. */
  function hear(text: string): void {
    const rest = text.slice(1);
    if (text === '1') lost();
    else if (text === '2') {
      transport?.send('3');
      expectWithin(heartbeat);
    } else if (text[0] === '0') open(parse(rest));
    else if (text[0] === '4' && rest.slice(1, 1 + PREFIX.length) === PREFIX)
      hearNamespace(rest[0], rest.slice(1 + PREFIX.length));
  }

  function open(shake: unknown): void {
    const { pingInterval, pingTimeout } = (shake ?? {}) as Record<string, number>;
    heartbeat = (pingInterval ?? 0) + (pingTimeout ?? 0) || SOCKET_CONNECT_TIMEOUT_MS;
    shaken = true;
    expectWithin(SOCKET_CONNECT_TIMEOUT_MS);
    transport?.send(`40${PREFIX}${JSON.stringify(options.auth())}`);
  }

  /** One Socket.IO packet of our namespace, by its type. */
  function hearNamespace(type: string | undefined, body: string): void {
    if (type === '0') {
      connected = true;
      failures = 0;
      expectWithin(heartbeat);
      options.onConnect(unanswered);
    } else if (type === '1') lost();
    else if (type === '4') refused(parse(body));
    else if (type === '2' || type === '3') {
      const [, id, json = ''] = /^(\d*)(.*)/s.exec(body) ?? [];
      const values = parse(json);
      if (!Array.isArray(values)) return;
      if (type === '3') pending.get(Number(id))?.(isAck(values[0]) ? values[0] : OFFLINE);
      else if (typeof values[0] === 'string') options.onEvent(values[0], values[1]);
    }
  }

  function refused(error: unknown): void {
    lost();
    options.onRefused(String((error as { message?: unknown } | null)?.message));
  }

  return {
    isConnected: () => connected,
    connect() {
      if (transport) return;
      turn++;
      clearTimeout(retry);
      begin();
    },
    close: drop,
    reset: () => lost(),
    request(event, ask) {
      if (!connected) return Promise.resolve(OFFLINE);
      const id = ++lastAck;
      return new Promise((resolve) => {
        const settle = (ack: Ack) => {
          clearTimeout(timer);
          pending.delete(id);
          resolve(ack);
        };
        const timer = setTimeout(settle, ACK_TIMEOUT_MS, TIMEOUT);
        pending.set(id, settle);
        // Put together by hand: some pages patch `Array.prototype.toJSON`.
        transport?.send(`42${PREFIX}${id}[${JSON.stringify(event)},${JSON.stringify(ask)}]`);
      });
    },
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isAck(value: unknown): value is Ack {
  return typeof value === 'object' && value !== null && typeof (value as { ok?: unknown }).ok === 'boolean';
}
