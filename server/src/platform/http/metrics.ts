import { type RequestHandler, Router } from 'express';
import ipaddr from 'ipaddr.js';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { routeOf } from './endpoint/endpoint.ts';
import { notFound } from './errors.ts';
import { isPublic } from './publicAddress.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STORE_SECONDS = [0.001, 0.0025, ...SECONDS];

/** Metrics for the operator's monitoring. No label is an id or comes from a request, so their number stays bounded. */
export interface Metrics {
  /** Counts and times every request by its route's pattern. */
  requests: RequestHandler;
  /** `GET /metrics` */
  routes: Router;
  /** Registers a count of a namespace's open sockets, read at every scrape. */
  watchSockets(namespace: string, open: () => number): void;
  /** Registers a number that is read at every scrape. */
  watch(name: string, help: string, read: () => number): void;
  /** How many sockets are open now, by namespace. */
  openSockets(): Map<string, number>;
  /** Counts an acknowledgement; `outcome` is `OK` or the error code. */
  acked(namespace: string, event: string, outcome: string): void;
  messageStored(sender: string): void;
  /** Times a write of messages (`insert`) or chats' rows (`update`), which may hold several. */
  storeAnswered(command: string, seconds: number): void;
  /** Counts chats for which the reconciler found work that was lost. */
  lostWorkFound(projection: string, chats: number): void;
}

/** Creates the metrics of this process, in their own registry. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const durations = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'HTTP requests by route, method and status.',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: SECONDS,
    registers,
  });
  const sockets = new Map<string, () => number>();
  new Gauge({
    name: 'parley_sockets_open',
    help: 'Open sockets by namespace.',
    labelNames: ['namespace'] as const,
    registers,
    collect() {
      for (const [namespace, open] of sockets) this.set({ namespace }, open());
    },
  });
  const acks = new Counter({
    name: 'parley_socket_acks_total',
    help: 'Acknowledged socket events by outcome.',
    labelNames: ['namespace', 'event', 'outcome'] as const,
    registers,
  });
  const messages = new Counter({
    name: 'parley_messages_stored_total',
    help: 'Messages stored by sender.',
    labelNames: ['sender'] as const,
    registers,
  });
  const writes = new Histogram({
    name: 'parley_store_write_duration_seconds',
    help: "Durable writes of messages (insert) and chats' rows (update), each of which may hold several.",
    labelNames: ['command'] as const,
    buckets: STORE_SECONDS,
    registers,
  });
  const finds = new Counter({
    name: 'parley_reconciler_finds_total',
    help: 'Chats for which the reconciler of this node found and did work that was lost, by projection.',
    labelNames: ['projection'] as const,
    registers,
  });
  return {
    requests: (req, res, next) => {
      const stop = durations.startTimer({ method: req.method });
      res.on('finish', () => stop({ route: routeOf(req, res), status: res.statusCode }));
      next();
    },
    routes: metricsRoutes(registry),
    watchSockets: (namespace, open) => void sockets.set(namespace, open),
    watch(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    openSockets: () => new Map([...sockets].map(([namespace, open]) => [namespace, open()])),
    acked: (namespace, event, outcome) => acks.inc({ namespace, event, outcome }),
    messageStored: (sender) => messages.inc({ sender }),
    storeAnswered: (command, seconds) => writes.observe({ command }, seconds),
    lostWorkFound: (projection, chats) => finds.inc({ projection }, chats),
  };
}

function metricsRoutes(registry: Registry): Router {
  const router = Router();
  let isWatching = false;
  router.get('/metrics', async ({ ip = '' }, res) => {
    // How many sites there are, and how busy they are, is nobody's business on the internet.
    if (isPublic(ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip)) throw notFound('call');
    // Measuring the event loop wakes the process a hundred times a second, so it starts with the first scrape.
    if (!isWatching) collectDefaultMetrics({ register: registry });
    isWatching = true;
    res.setHeader('Cache-Control', 'no-store');
    res.type(registry.contentType).send(await registry.metrics());
  });
  return router;
}

/** What the health checks look at. */
export interface Health {
  /** Whether the store answers, the indexes exist, and no stop is in progress. */
  ready(): Promise<boolean>;
}

/** The health checks. `/healthz`: the process is alive. `/readyz`: it can serve requests. */
export function healthRoutes(health: Health): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => void res.json({ status: 'up' }));
  router.get('/readyz', async (_req, res) => {
    const ready = await health.ready();
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
  });
  return router;
}
