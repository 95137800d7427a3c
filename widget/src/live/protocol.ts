import {
  ACK_TIMEOUT_MS,
  type Ack,
  SOCKET_CONNECT_TIMEOUT_MS,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
  VISITOR_NAMESPACE,
} from 'server/contract';

/** A transport's events. They never come before `OpenTransport` has returned, and may still come after `close`. */
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
/** The answer to a request that got no acknowledgement in time. */
const TIMEOUT = { ok: false, code: 'TIMEOUT', message: '', retryable: true } as const;

export interface SocketClientOptions {
  origin: string;
  /** Loads long polling, for networks where no WebSocket works. */
  fallback(): Promise<OpenTransport>;
  /** Whether long polling is tried first, because a WebSocket got no answer some time ago. */
  prefersPolling(): boolean;
  /** The handshake's `auth`; called for each attempt. */
  auth(): object;
  /** @param unanswered whether it is long polling, after a WebSocket that got no answer at all */
  onConnect(unanswered: boolean): void;
  onDisconnect(): void;
  /** The server refused the namespace. The client tries again after its usual delay. */
  onRefused(message: string): void;
  onEvent(name: string, payload: unknown): void;
}

const openWebSocket: OpenTransport = (origin, on) => {
  let socket: WebSocket;
  try {
    socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`);
  } catch {
    // The page's Content-Security-Policy or mixed content forbids it.
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

export type SocketClient = ReturnType<typeof createSocketClient>;

/** A client of the visitors' Socket.IO 5 namespace over Engine.IO 4. */
export function createSocketClient(options: SocketClientOptions) {
  const { origin } = options;
  const pending = new Map<number, (ack: Ack) => void>();
  let transport: Transport | null = null;
  let opener: OpenTransport = openWebSocket;
  let handshakeDone = false;
  let unanswered = false;
  let connected = false;
  let failures = 0;
  let lastAck = 0;
  let heartbeat = SOCKET_CONNECT_TIMEOUT_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  /** Grows with each new attempt, so that the one before can notice that it is out of date. */
  let attempt = 0;

  function expectWithin(ms: number): void {
    clearTimeout(watchdog);
    watchdog = setTimeout(lost, ms, true);
  }

  function dial(open: OpenTransport): void {
    opener = open;
    handshakeDone = false;
    const mine = open(origin, {
      packet: (text) => transport === mine && receive(text),
      closed: () => transport === mine && lost(),
    });
    transport = mine;
    expectWithin(open === openWebSocket ? WEBSOCKET_OPEN_TIMEOUT_MS : SOCKET_CONNECT_TIMEOUT_MS);
  }

  function drop(): void {
    attempt++;
    clearTimeout(watchdog);
    clearTimeout(retry);
    transport?.close();
    transport = null;
    connected = false;
    for (const settle of [...pending.values()]) settle(OFFLINE);
  }

  function lost(silently = false): void {
    const blocked = opener === openWebSocket && !handshakeDone;
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
    const mine = attempt;
    const polling = await options.fallback().catch(() => null);
    if (mine !== attempt) return;
    if (polling) dial(polling);
    else waitAndRetry();
  }

  /** Handles one Engine.IO packet. Unknown packets are ignored: they may come from a proxy or a later version. */
  function receive(text: string): void {
    const rest = text.slice(1);
    if (text === '1') lost();
    else if (text === '2') {
      transport?.send('3');
      expectWithin(heartbeat);
    } else if (text[0] === '0') open(parse(rest));
    else if (text[0] === '4' && rest.slice(1, 1 + PREFIX.length) === PREFIX)
      receiveNamespace(rest[0], rest.slice(1 + PREFIX.length));
  }

  function open(handshake: unknown): void {
    const { pingInterval, pingTimeout } = (handshake ?? {}) as Record<string, number>;
    heartbeat = (pingInterval ?? 0) + (pingTimeout ?? 0) || SOCKET_CONNECT_TIMEOUT_MS;
    handshakeDone = true;
    expectWithin(SOCKET_CONNECT_TIMEOUT_MS);
    transport?.send(`40${PREFIX}${JSON.stringify(options.auth())}`);
  }

  /** Handles one Socket.IO packet of the visitors' namespace. */
  function receiveNamespace(type: string | undefined, body: string): void {
    if (type === '0') {
      connected = true;
      expectWithin(heartbeat);
      options.onConnect(unanswered);
    } else if (type === '1') lost();
    else if (type === '4') refused(parse(body));
    else if (type === '2' || type === '3') {
      const [, id, json = ''] = /^(\d*)(.*)/s.exec(body) ?? [];
      const values = parse(json);
      if (!Array.isArray(values)) return;
      // Not before: an overloaded server accepts connections that it cannot serve.
      failures = 0;
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
    /** Connects and stays connected. An attempt that is waiting for its delay starts at once. */
    connect(): void {
      if (transport) return;
      attempt++;
      clearTimeout(retry);
      begin();
    },
    close: drop,
    /** Drops a connection that looks dead, and connects again after a delay. */
    reset: () => lost(),
    /** Sends an event with an acknowledgement. Always resolves: with a retryable failure if the server did not answer. */
    request(event: string, ask: object): Promise<Ack> {
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
        // Not one `JSON.stringify` of an array: some pages patch `Array.prototype.toJSON`.
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
