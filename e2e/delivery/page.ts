import { createContext, runInContext } from 'node:vm';
import type { Browser } from './browser.ts';
import type { Line } from './line.ts';

/** Pages live so many times faster than we do: their pauses and time-outs of seconds pass in no time. */
const PACE = 10;
/** Longer waits follow the server's clock, which nobody hurries: the heartbeat. */
const HURRIED_MAX_MS = 40_000;

/** What pages use of the platform as it is. */
const PLATFORM = {
  ...{ Request, Response, Headers, AbortController, URL, URLSearchParams, ReadableStream, FormData, Blob },
  ...{ TextEncoder, TextDecoder, Event, CustomEvent, EventTarget, DOMException, crypto, performance, queueMicrotask },
};

/** A page without a screen: real code of the product with a browser's, a clock's and a line's means. */
export interface Page<Face> {
  face: Face;
  /** Tells the page something that browsers tell: `online`, `pageshow`. */
  tell(event: string): void;
  /** Stops all of its timers, as a lid that is shut. */
  sleep(): void;
  /** The lid is opened so many milliseconds later by every clock. */
  wake(afterMs: number): void;
  /** Gone, as by a click on its cross. */
  close(): void;
}

/** Opens a page of `origin` and runs a script that calls `start` on it. */
export function openPage<Start extends { origin: string }, Face>(
  script: string,
  start: Start,
  { browser, line, pace = PACE }: { browser: Browser; line: Line; pace?: number },
): Page<Face> {
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
    ...{ ...PLATFORM, ...on, ...timers.face, fetch: line.fetch, WebSocket: line.WebSocket },
    AbortSignal: { any: AbortSignal.any, timeout: timers.timeout },
    localStorage: inBrowser.localStorage,
    navigator: { language: 'en', languages: ['en'], onLine: true, locks: inBrowser.locks },
    location: new URL(`${origin}/dashboard/inbox`),
    document: { hidden: false, visibilityState: 'visible', title: 'Page', hasFocus: () => true, ...on },
    // Every failure that is meant is told here, too.
    console: { log() {}, warn() {}, error() {} },
    HTMLIFrameElement: class {},
    skew: timers.skew,
  };
  const context = createContext(Object.assign(page, { window: page, self: page }));
  runInContext(CLOCK, context);
  runInContext(script, context);
  return {
    face: (context as { Headless: { start(given: Start): Face } }).Headless.start(start),
    tell: (event) => void events.dispatchEvent(new Event(event)),
    sleep: timers.freeze,
    wake: timers.thaw,
    close() {
      events.dispatchEvent(new Event('pagehide'));
      timers.end();
      inBrowser.leave();
      line.cut();
    },
  };
}

/** The page's clock, which a sleep puts forward. */
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
    face: {
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
