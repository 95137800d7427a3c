import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EncodedEvent, events, type Plain } from '#platform/events';
import { withRetries } from '#platform/time';
import { signedEntries } from './entries.ts';
import { openFormerStream } from './formerStream.ts';
import { isListed } from './nodes.ts';
import { openRedis, openStream, type Redis } from './stream.ts';

/** The interval at which a node says that it is there. */
const BEAT_EVERY_MS = 2_000;
/** A node without an event for so long is forgotten, with its people. Time in which Redis was away does not count. */
const FORGOTTEN_AFTER_MS = 45_000;
/** The longest time that a start waits for the events of other nodes. */
const HEARING_MAX_MS = 2_000;
const BEAT = 'beat';
const LEFT = 'left';
/** With more events than this on their way through the listeners, reading waits. */
const PENDING_MAX = 1_000;

/** What the cluster asks of the node's sockets. */
export interface NodeSockets {
  /** Whether an event with these ids may concern any socket of this node. */
  areConcerned(data: Plain): boolean;
  /** Events were missed: clients have to ask for what is new. */
  missed(): void;
}

/** What a node shows of its part in the cluster. */
export interface ClusterState {
  /** Whether Redis answers. */
  isWell: boolean;
  lagMs: number;
  unsent: number;
  /** Entries that no node has written, or none that runs. */
  refused: number;
  /** The other nodes whose events reach this one. */
  others: string[];
}

/** This node's part in a cluster of several. */
export interface Cluster {
  /** The id of this node. */
  node: string;
  /** Begins the names of all keys of this installation in Redis. */
  prefix: string;
  /** The connection for whatever is counted for all nodes. */
  redis: Redis;
  /** Delivers an event of another node that was found otherwise than in the stream. */
  deliver(event: EncodedEvent): void;
  /** Starts to send and receive events. Resolves when it hears the other nodes, or after a while if Redis does not answer. */
  join(sockets: NodeSockets): Promise<void>;
  state(): ClusterState;
  /** Tells the others that this node leaves, and ends. */
  stop(): Promise<void>;
}

interface ClusterDeps {
  url: string;
  /** Only the nodes know it. */
  secret: string;
  /** The name of the installation. */
  name: string;
  /** Receives failures of Redis, at most one for each interruption. */
  failed: (error: unknown) => void;
}

/** Opens this node's connections to the other nodes. */
export function openCluster({ url, secret, name, failed }: ClusterDeps): Cluster {
  const prefix = `parley:${name}`;
  const node = randomUUID().slice(0, 8);
  let isBroken = false;
  const failedOnce = (error: unknown) => {
    if (!isBroken) failed(error);
    isBroken = true;
  };
  const redis = openRedis(url, failedOnce);
  redis.on('ready', () => {
    isBroken = false;
  });
  const options = { url, node, isListed, received, missed, failed: failedOnce };
  const stream = openStream({ ...options, key: `${prefix}:events`, entries: signedEntries(secret, name) });
  let former: ReturnType<typeof openFormerStream> | undefined;
  /** The time for which each other node was silent, in milliseconds. */
  const silent = new Map<string, number>();
  const dispatch = createDispatch(() => sockets?.missed());
  let sockets: NodeSockets | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Other nodes may have sent the state of their sockets before this node listened. */
  let isLate = false;

  function received(event: EncodedEvent, from: string): Promise<void> | undefined {
    if (event.name === LEFT) return forget(from);
    if (!silent.has(from)) {
      void events.emit('nodeCame', { node: from });
      if (isLate) askForList(from);
    }
    silent.set(from, 0);
    return event.name === BEAT ? undefined : deliver(event);
  }

  function deliver(event: EncodedEvent): Promise<void> | undefined {
    return sockets?.areConcerned(event.data) === false ? undefined : dispatch(event);
  }

  function publish(event: EncodedEvent): void {
    stream.publish(event);
    former?.publish(event);
  }

  function missed(from: string): void {
    askForList(from);
    sockets?.missed();
  }

  function askForList(of: string): void {
    publish({ name: 'listAsked', data: { of } });
  }

  function forget(from: string): undefined {
    if (silent.delete(from)) void events.emit('nodeGone', { node: from });
  }

  function beat(): void {
    publish({ name: BEAT, data: null });
    if (!stream.isWell()) return;
    for (const [other, ms] of silent) {
      silent.set(other, ms + BEAT_EVERY_MS);
      if (ms >= FORGOTTEN_AFTER_MS) forget(other);
    }
  }

  return {
    node,
    prefix,
    redis,
    deliver: (event) => void deliver(event),
    async join(self) {
      sockets = self;
      former = openFormerStream(options);
      events.publishWith(publish);
      const begun = Promise.all([stream.begun, former.begun]);
      isLate = !(await Promise.race([begun.then(() => true), sleep(HEARING_MAX_MS, false, { ref: false })]));
      if (isLate) void stream.begun.then(self.missed);
      // Only now that it listens: the other nodes answer with the state of their sockets.
      timer = setInterval(beat, BEAT_EVERY_MS).unref();
      beat();
    },
    state: () => ({
      isWell: stream.isWell(),
      lagMs: stream.lagMs(),
      unsent: stream.unsent(),
      refused: stream.refused(),
      others: [...silent.keys()],
    }),
    async stop() {
      clearInterval(timer);
      events.publishWith(undefined);
      publish({ name: LEFT, data: null });
      await Promise.all([stream.stop(), former?.stop()]);
      redis.destroy();
    },
  };
}

/**
 * Hands the events of other nodes to the listeners: those of one chat, or else of one site, one after the other. While the
 * database does not answer, they are tried again.
 * @param missed called when one was given up
 * @returns a function that returns a promise when reading has to wait
 */
function createDispatch(missed: () => void): (event: EncodedEvent) => Promise<void> | undefined {
  const tails = new Map<string, Promise<void>>();
  async function receive(event: EncodedEvent): Promise<void> {
    const failed = (error: unknown) => events.fail(error, `${event.name} of another node`);
    await withRetries(() => events.receive(event), { failed }).catch((error) => {
      failed(error);
      missed();
    });
  }
  return (event) => {
    const { chatId, siteId } = (event.data ?? {}) as { chatId?: unknown; siteId?: unknown };
    const key = String(chatId ?? siteId ?? '');
    const tail = (tails.get(key) ?? Promise.resolve())
      .then(() => receive(event))
      .then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return tails.size > PENDING_MAX ? tail : undefined;
  };
}
