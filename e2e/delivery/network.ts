import { createSocketClass, type Direction, type Fault, type Faults, type PageSocket } from './websocket.ts';

/** A browser's user agent: without one, the server takes a visitor for a bot. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** One page's network, with faults that can be switched on. */
export interface Network {
  fetch: typeof fetch;
  WebSocket: new (url: string) => PageSocket;
  /** Everything that arrived over it. */
  heard: string[];
  /** Ends every open connection and request. */
  cut(): void;
  /** Refuses all connections and requests, or accepts them again. */
  setDown(down: boolean): void;
  /** Drops everything that the server sends over the open connections, without closing them: a half-open connection. */
  swallowAnswers(): void;
  /** Delays everything by this many milliseconds. */
  setLag(ms: number): void;
  /** Applies the fault to the next event or acknowledgement in this direction. */
  injectFault(direction: Direction, fault: Fault): void;
  /** Removes all faults. */
  heal(): void;
}

const FAIR = { down: false, lagMs: 0 };

/** Node's fetch leaves a body pending for ever if it is aborted just after the headers have come; browsers do not. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    work.then(resolve, reject);
  });
}

/** A network without faults. */
export function createNetwork(): Network {
  const faults: Faults = { ...FAIR, next: {} };
  const heard: string[] = [];
  const sockets = new Set<PageSocket>();
  let cutting = new AbortController();

  async function wait(signal: AbortSignal): Promise<void> {
    if (faults.lagMs > 0) await new Promise((done) => setTimeout(done, faults.lagMs));
    if (faults.down || signal.aborted) throw new TypeError('The network is down');
  }

  return {
    heard,
    async fetch(input, init = {}) {
      const own = init.signal ?? (input instanceof Request ? input.signal : null);
      const signal = AbortSignal.any([cutting.signal, ...(own ? [own] : [])]);
      if (faults.down) throw new TypeError('The network is down');
      const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : {}));
      headers.set('User-Agent', BROWSER);
      const answer = fetch(input, { ...init, headers, signal }).then(async (response) => {
        return { response, text: await response.text() };
      });
      const { response, text } = await unlessAborted(answer, signal);
      // The server has done it, even if the answer is lost.
      await wait(signal);
      heard.push(text);
      return new Response(text, { status: response.status, headers: response.headers });
    },
    WebSocket: createSocketClass({ faults, sockets, hear: (text) => heard.push(text) }),
    cut() {
      cutting.abort();
      cutting = new AbortController();
      for (const socket of [...sockets]) socket.fail();
    },
    setDown(down) {
      faults.down = down;
      if (down) this.cut();
    },
    swallowAnswers() {
      for (const socket of sockets) socket.swallows = true;
    },
    setLag(ms) {
      faults.lagMs = ms;
    },
    injectFault(direction, fault) {
      faults.next[direction] = fault;
    },
    heal() {
      Object.assign(faults, { ...FAIR, next: {} });
    },
  };
}
