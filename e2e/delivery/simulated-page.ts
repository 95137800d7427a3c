import { createContext, runInContext } from 'node:vm';
import type { Network } from './network.ts';
import type { SimulatedBrowser } from './simulated-browser.ts';

/** The clock of pages runs this many times faster, so that delays and timeouts of seconds are short. */
const PACE = 10;
/** Longer timers run at normal speed: they follow the server's heartbeat. */
const HURRIED_MAX_MS = 40_000;

/** Globals of Node that pages use unchanged. */
const PLATFORM = {
  Request,
  Response,
  Headers,
  AbortController,
  URL,
  URLSearchParams,
  ReadableStream,
  FormData,
  Blob,
  TextEncoder,
  TextDecoder,
  Event,
  CustomEvent,
  EventTarget,
  DOMException,
  crypto,
  performance,
  queueMicrotask,
};

/** A page without a screen: the product's own code with a simulated browser, clock and network. */
export interface Page<HeadlessApp> {
  app: HeadlessApp;
  /** Fires an event of the window: `online`, `pageshow`. */
  tell(event: string): void;
  /** Stops all timers, as a laptop that goes to sleep. */
  sleep(): void;
  /** Starts them again, with the clock put forward by this many milliseconds. */
  wake(afterMs: number): void;
  /** Closes the tab. */
  close(): void;
}

/** Opens a page of `origin` and runs a script that calls `start` on it. */
export function openPage<Start extends { origin: string }, HeadlessApp>(
  script: string,
  start: Start,
  { browser, network, pace = PACE }: { browser: SimulatedBrowser; network: Network; pace?: number },
): Page<HeadlessApp> {
  const events = new EventTarget();
  const inBrowser = browser.enter((key) => events.dispatchEvent(Object.assign(new Event('storage'), { key })));
  const timers = createTimers(pace);
  const { origin } = new URL(start.origin);
  const on = {
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
  };
  const page = {
    ...PLATFORM,
    ...on,
    ...timers.app,
    fetch: network.fetch,
    WebSocket: network.WebSocket,
    AbortSignal: { any: AbortSignal.any, timeout: timers.timeout },
    localStorage: inBrowser.localStorage,
    navigator: { language: 'en', languages: ['en'], onLine: true, locks: inBrowser.locks },
    location: new URL(`${origin}/dashboard/inbox`),
    document: { hidden: false, visibilityState: 'visible', title: 'Page', hasFocus: () => true, ...on },
    // Expected failures are logged, too.
    console: { log() {}, warn() {}, error() {} },
    HTMLIFrameElement: class {},
    skew: timers.skew,
  };
  const context = createContext(Object.assign(page, { window: page, self: page }));
  runInContext(CLOCK, context);
  runInContext(script, context);
  return {
    app: (context as { Headless: { start(given: Start): HeadlessApp } }).Headless.start(start),
    tell: (event) => void events.dispatchEvent(new Event(event)),
    sleep: timers.freeze,
    wake: timers.thaw,
    close() {
      events.dispatchEvent(new Event('pagehide'));
      timers.end();
      inBrowser.leave();
      network.cut();
    },
  };
}

/** The page's `Date`, which `wake` puts forward. */
const CLOCK = `{
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...args) { if (args.length) super(...args); else super(Real.now() + skew()); }
    static now() { return Real.now() + skew(); }
  };
}`;

interface Timer {
  run(): void;
  /** Milliseconds between runs; null: once. */
  every: number | null;
  handle: ReturnType<typeof setTimeout> | undefined;
}

/** The timers of one page. */
function createTimers(pace: number) {
  const timers = new Map<number, Timer>();
  let last = 0;
  let frozen = false;
  let skewMs = 0;
  const hurried = (ms: number) => (ms > HURRIED_MAX_MS ? ms : ms / pace);

  function arm(id: number, timer: Timer, ms: number): void {
    timer.handle = setTimeout(() => {
      if (frozen) return;
      if (timer.every === null) timers.delete(id);
      else arm(id, timer, timer.every);
      timer.run();
    }, ms);
  }

  function add(run: () => void, ms: number, every: number | null): number {
    const timer: Timer = { run, every, handle: undefined };
    timers.set(++last, timer);
    arm(last, timer, ms);
    return last;
  }

  function clear(id: number): void {
    clearTimeout(timers.get(id)?.handle);
    timers.delete(id);
  }

  return {
    app: {
      setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        add(() => run(...args), hurried(ms), null),
      setInterval: (run: () => void, ms = 0) => add(run, hurried(ms), hurried(ms)),
      clearTimeout: clear,
      clearInterval: clear,
    },
    /** As `AbortSignal.timeout`. */
    timeout(ms: number): AbortSignal {
      const over = new AbortController();
      add(() => over.abort(), hurried(ms), null);
      return over.signal;
    },
    skew: () => skewMs,
    freeze() {
      frozen = true;
      for (const { handle } of timers.values()) clearTimeout(handle);
    },
    thaw(afterMs: number) {
      frozen = false;
      skewMs += afterMs;
      // All that is overdue runs at once.
      for (const [id, timer] of timers) arm(id, timer, 0);
    },
    end() {
      for (const id of [...timers.keys()]) clear(id);
      frozen = true;
    },
  };
}
