import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { EncodedEvent } from '#platform/events';
import type { Entries, Entry, SentEntry } from './entries.ts';

/** The length of the stream, about: a node that pauses for longer has to ask for everything. */
const KEPT_MAX = 10_000;
/** Entries that wait while Redis is away; older ones are dropped, which the other nodes notice. */
const UNSENT_MAX = 10_000;
const READ_MAX = 500;
const BLOCK_MS = 1_000;
/** Redis is well if it answered a read within this time. A read without news takes `BLOCK_MS`. */
const WELL_MS = 3 * BLOCK_MS;
/** After this long without an answer the connection is opened anew: it may be half-open. */
const SILENT_MAX_MS = 10_000;
const RETRY_MS = 200;
/** The pause after Redis has refused an entry; the next one is tried with the next event or sign of life. */
const REFUSED_MS = 1_000;
const CONNECT_MAX_MS = 2_000;

/** The connection to Redis, opened anew by itself whenever it breaks. Commands fail at once while it is broken. */
export type Redis = ReturnType<typeof openRedis>;

/** Opens a connection; `failed` is called for each try that fails. */
export function openRedis(url: string, failed: (error: unknown) => void) {
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: CONNECT_MAX_MS, reconnectStrategy: RETRY_MS },
  });
  client.on('error', failed);
  client.connect().catch(failed);
  return client;
}

export interface StreamDeps {
  url: string;
  /** Its name in Redis. */
  key: string;
  entries: Entries;
  /** The id of this node. */
  node: string;
  /** Whether a node of which nothing was read yet runs: entries of one that has ended may be written again by anybody. */
  isListed: (node: string) => Promise<boolean>;
  /** Receives each event of another node, in order; the next ones wait for the promise. */
  received: (event: EncodedEvent, from: string) => Promise<void> | undefined;
  /** Another node has sent something that did not arrive here. */
  missed: (from: string) => void;
  failed: (error: unknown) => void;
}

/** The bounded stream of events between the nodes. What a node sends arrives once and in order, or is known to be missed. */
export interface Stream {
  /** Sends an event to the other nodes, with all others of this turn. Never waits. */
  publish(event: EncodedEvent): void;
  /** Resolves when reading has begun: what the other nodes sent before never arrives here. */
  begun: Promise<void>;
  /** Whether events of the other nodes can reach this one at this moment. */
  isWell(): boolean;
  /** How long the last event of another node was on its way, by this node's clock and the clock of Redis; in milliseconds. */
  lagMs(): number;
  /** Number of entries that wait for Redis. */
  unsent(): number;
  /** Number of entries that no node has written, or none that runs. */
  refused(): number;
  stop(): Promise<void>;
}

/** Opens the stream: it publishes and reads until it is stopped. */
export function openStream(deps: StreamDeps): Stream {
  const writer = createWriter(deps);
  const reader = createReader(deps);
  return {
    publish: writer.publish,
    unsent: writer.unsent,
    refused: reader.refused,
    begun: reader.begun,
    isWell: reader.isWell,
    lagMs: reader.lagMs,
    async stop() {
      await Promise.all([writer.stop(), reader.stop()]);
    },
  };
}

/** An entry on its way. */
type Unsent = Pick<Entry, 'count'> & { sent: SentEntry };

function createWriter({ url, key, entries: { encode }, node, failed }: StreamDeps) {
  let redis = open();
  let turn: EncodedEvent[] = [];
  /** Entries without an answer of Redis, in order. */
  const entries: Unsent[] = [];
  let count = 0;
  /** The number of the next entry to send. */
  let next = 1;
  let answeredAt = performance.now();
  let retryAt = 0;
  let flushed: NodeJS.Immediate | undefined;

  function open(): Redis {
    const opened = openRedis(url, failed);
    opened.on('ready', () => {
      next = entries[0]?.count ?? next;
      retryAt = 0;
      answeredAt = performance.now();
      send();
    });
    return opened;
  }

  function publish(event: EncodedEvent): void {
    turn.push(event);
    flushed ??= setImmediate(flush);
  }

  function flush(): void {
    clearImmediate(flushed);
    flushed = undefined;
    if (turn.length > 0) entries.push({ count: ++count, sent: encode({ node, count, events: turn }) });
    turn = [];
    if (entries.length > UNSENT_MAX) entries.splice(0, entries.length - UNSENT_MAX);
    if (entries.length > 1 && redis.isReady && performance.now() - answeredAt > SILENT_MAX_MS) reopen();
    send();
  }

  function send(): void {
    const [oldest] = entries;
    if (!oldest || !redis.isReady || performance.now() < retryAt) return;
    for (let at = Math.max(0, next - oldest.count); at < entries.length; at++) add(entries[at] as Unsent);
  }

  function add(entry: Unsent): void {
    next = entry.count + 1;
    const trim = { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: KEPT_MAX } } as const;
    redis.xAdd(key, '*', entry.sent, trim).then(
      () => answered(entry),
      () => {
        // Redis refuses (no memory), or the connection is gone: what waits is not tried again with each event.
        next = Math.min(next, entry.count);
        retryAt = performance.now() + REFUSED_MS;
      },
    );
  }

  function answered({ count: upTo }: Unsent): void {
    answeredAt = performance.now();
    while (entries[0] && entries[0].count <= upTo) entries.shift();
    if (entries.length === 0) next = count + 1;
  }

  function reopen(): void {
    redis.destroy();
    answeredAt = performance.now();
    redis = open();
  }

  return {
    publish,
    unsent: () => entries.length,
    async stop() {
      flush();
      for (let waited = 0; entries.length > 0 && redis.isReady && waited < CONNECT_MAX_MS; waited += RETRY_MS)
        await sleep(RETRY_MS);
      redis.destroy();
    },
  };
}

function createReader({ url, key, entries: { decode }, node, isListed, received, missed, failed }: StreamDeps) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let redis = openRedis(url, failed);
  /** The id of the last entry read; undefined: nothing was read yet. */
  let last: string | undefined;
  /** The number of the last entry of each node. */
  const counts = new Map<string, number>();
  let readAt = Number.NEGATIVE_INFINITY;
  let lag = 0;
  let refused = 0;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const running = run();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await read();
      } catch (error) {
        if (signal.aborted) return;
        failed(error);
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async function read(): Promise<void> {
    if (!redis.isReady) {
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      return;
    }
    last ??= (await inTime(redis.xRevRange(key, '+', '-', { COUNT: 1 })))?.[0]?.id ?? '0-0';
    begin();
    const answer = await inTime(redis.xRead({ key, id: last }, { COUNT: READ_MAX, BLOCK: BLOCK_MS }));
    readAt = performance.now();
    const [stream] = (answer ?? []) as { messages: { id: string; message: SentEntry }[] }[];
    for (const { id, message } of stream?.messages ?? []) {
      last = id;
      if (message.n === node) continue;
      const entry = decode(message);
      if (entry) await take(entry, id);
      else refused++;
    }
  }

  /** A half-open connection never answers, so it has a timeout. */
  async function inTime<Answer>(pending: Promise<Answer>): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        redis.destroy();
        redis = openRedis(url, failed);
        reject(new Error('Redis does not answer.'));
      }, SILENT_MAX_MS).unref();
    });
    pending.catch(() => {});
    return Promise.race([pending, late]).finally(() => clearTimeout(timer));
  }

  async function take({ node: from, count, events }: Entry, id: string): Promise<void> {
    const before = counts.get(from);
    // Without an answer of the database the entry is accepted, so that it is not lost.
    if (before === undefined && !(await isListed(from).catch(() => true))) {
      refused++;
      return;
    }
    if (before !== undefined && count <= before) return;
    const ahead = before === undefined ? 1 : count - before;
    // A number so far ahead is ignored after this entry, or all that follows would count as received.
    if (ahead > KEPT_MAX) counts.delete(from);
    else counts.set(from, count);
    if (ahead > 1) missed(from);
    lag = Date.now() - Number.parseInt(id, 10);
    for (const event of events) {
      const full = received(event, from);
      if (full) await full;
    }
  }

  return {
    begun,
    isWell: () => performance.now() - readAt < WELL_MS,
    lagMs: () => lag,
    refused: () => refused,
    async stop() {
      stopping.abort();
      redis.destroy();
      await running;
    },
  };
}
