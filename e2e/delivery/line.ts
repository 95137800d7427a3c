import { createSocketClass, type PageSocket } from './websocket.ts';

/** What an ordinary browser says it is: without one, a visitor counts as a machine. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export type Direction = 'up' | 'down';
/** What may happen to one event or acknowledgement on its way. */
export type Mishap = 'lost' | 'doubled';

/** One page's line to the server, which fails in every way that a line can. */
export interface Line {
  fetch: typeof fetch;
  WebSocket: new (url: string) => PageSocket;
  /** Everything that arrived over it, as it came. */
  heard: string[];
  /** Ends every connection and request that is open. */
  cut(): void;
  /** Refuses everything, or no more. */
  setDown(down: boolean): void;
  /** From now on keeps to itself what the server sends over the connections that are open: nobody is told they are dead. */
  deafen(): void;
  /** Holds everything up by so many milliseconds. */
  setLag(ms: number): void;
  /** Befalls the next event or acknowledgement in that direction. */
  befall(direction: Direction, mishap: Mishap): void;
  /** Works again as a line should. */
  heal(): void;
}

/** The state of a line that its parts look at. */
export interface Weather {
  down: boolean;
  lagMs: number;
  next: Partial<Record<Direction, Mishap>>;
}

const FAIR = { down: false, lagMs: 0 };

/** A line without faults, until it is told otherwise. */
export function createLine(): Line {
  const weather: Weather = { ...FAIR, next: {} };
  const heard: string[] = [];
  const sockets = new Set<PageSocket>();
  let cutting = new AbortController();

  async function wait(signal: AbortSignal): Promise<void> {
    if (weather.lagMs > 0) await new Promise((done) => setTimeout(done, weather.lagMs));
    if (weather.down || signal.aborted) throw new TypeError('The line is down');
  }

  return {
    heard,
    async fetch(input, init = {}) {
      const own = init.signal ?? (input instanceof Request ? input.signal : null);
      const signal = AbortSignal.any([cutting.signal, ...(own ? [own] : [])]);
      if (weather.down) throw new TypeError('The line is down');
      const said = init.headers && {
        headers: { ...Object.fromEntries(new Headers(init.headers)), 'User-Agent': BROWSER },
      };
      const response = await fetch(input, { ...init, ...said, signal });
      const text = await response.text();
      // The server has done it, whether the page learns of it or not.
      await wait(signal);
      heard.push(text);
      return new Response(text, { status: response.status, headers: response.headers });
    },
    WebSocket: createSocketClass({ weather, sockets, hear: (text) => heard.push(text) }),
    cut() {
      cutting.abort();
      cutting = new AbortController();
      for (const socket of [...sockets]) socket.fail();
    },
    setDown(down) {
      weather.down = down;
      if (down) this.cut();
    },
    deafen() {
      for (const socket of sockets) socket.isDeaf = true;
    },
    setLag(ms) {
      weather.lagMs = ms;
    },
    befall(direction, mishap) {
      weather.next[direction] = mishap;
    },
    heal() {
      Object.assign(weather, { ...FAIR, next: {} });
    },
  };
}
