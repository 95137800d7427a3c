import { Schema } from 'mongoose';
import { defineModel } from '#platform/database';
import { events } from '#platform/events';
import { duplicateKey } from '#platform/http';

/** A lease that its owner has not renewed for so long may be taken by another node. */
export const LEASE_MS = 8_000;
/** The owner stops relying on it earlier, so that two nodes never both do. */
const HELD_MS = 6_000;
/** The interval at which leases are renewed, and those of other nodes watched. */
const EVERY_MS = 2_000;
/** The interval of looking whether a lease is still held, in long work: less than is between `HELD_MS` and `LEASE_MS`. */
const CHECK_EVERY_MS = 1_000;

/**
 * A lease, which elects the leader for one kind of work (leader election). `beat` counts the renewals, as a heartbeat: other
 * nodes watch by their own monotonic clocks whether it grows, so that no two clocks are ever compared.
 */
interface LeaseDoc {
  _id: string;
  owner: string;
  beat: number;
}

const leaseSchema = new Schema<LeaseDoc>(
  {
    _id: { type: String, required: true },
    owner: { type: String, required: true },
    beat: { type: Number, required: true },
  },
  { versionKey: false },
);
const LeaseModel = defineModel<LeaseDoc>('Lease', leaseSchema, 'leases');

/** Work that only one node of the cluster may do. What it writes must be guarded or idempotent all the same. */
export interface Lease {
  /** Whether this node has the lease at this moment. */
  isHeld(): boolean;
  /** As `isHeld`, but waits for the first try to get it. */
  take(): Promise<boolean>;
  /** Calls the listener whenever this node gets the lease after its first try. @returns a disposer */
  whenTaken(listener: () => void): () => void;
}

/** The leases of one node. */
export interface Leases {
  /** From the first call on, the node tries to get this lease and to keep it. */
  lease(name: string): Lease;
  /** The names of the leases that this node has at this moment. */
  held(): string[];
  /** One round: renews what is held, and takes what has no living owner. */
  look(): Promise<void>;
  /** Releases all leases, so that other nodes get them at once. */
  stop(): Promise<void>;
}

/** What a node knows of a lease that it wants. */
interface Wanted {
  /** On the monotonic clock; 0: another node has it. */
  heldUntil: number;
  seen: { owner: string; beat: number; at: number } | null;
  /** Resolves after the first try. */
  tried: Promise<void>;
  listeners: Set<() => void>;
}

/**
 * Does long work for which this node has the lease.
 * @param work gets a signal that also aborts when the lease is lost, because another node then begins the same work
 */
export async function whileHeld<Result>(
  lease: Lease,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setInterval(() => lease.isHeld() || end(), CHECK_EVERY_MS).unref();
  stopping.addEventListener('abort', end);
  if (stopping.aborted) end();
  try {
    return await work(ending.signal);
  } finally {
    clearInterval(timer);
    stopping.removeEventListener('abort', end);
  }
}

/** A single node has every lease, without a document or a timer. */
export const singleNodeLeases: Leases = {
  lease: () => ({ isHeld: () => true, take: async () => true, whenTaken: () => () => {} }),
  held: () => [],
  look: async () => {},
  stop: async () => {},
};

/**
 * The leases of one of several nodes.
 * @param owner the node's id
 * @param clock a monotonic clock, in milliseconds
 * @param everyMs the interval of rounds
 */
export function createLeases(owner: string, { clock = () => performance.now(), everyMs = EVERY_MS } = {}): Leases {
  const wanted = new Map<string, Wanted>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isStopped = false;

  const isHeld = (name: string) => clock() < (wanted.get(name)?.heldUntil ?? 0);

  function look(): Promise<void> {
    running = running.then(round).catch((error) => events.fail(error, 'leases'));
    return running;
  }

  async function round(): Promise<void> {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(look, everyMs).unref();
    const began = clock();
    const names = [...wanted.keys()];
    const found = await LeaseModel.find({ _id: { $in: names } }).lean<LeaseDoc[]>();
    for (const name of names) {
      const isOurs = await tryFor(
        name,
        found.find(({ _id }) => _id === name),
      );
      setHeldUntil(name, isOurs ? began + HELD_MS : 0);
    }
  }

  /** @returns whether the lease is ours from now on */
  async function tryFor(_id: string, found: LeaseDoc | undefined): Promise<boolean> {
    if (!found) return insert(_id);
    const { seen } = wanted.get(_id) as Wanted;
    const isOurs = found.owner === owner;
    const isAlive = seen?.owner !== found.owner || seen.beat !== found.beat;
    if (!isOurs && isAlive) (wanted.get(_id) as Wanted).seen = { ...found, at: clock() };
    if (!isOurs && (isAlive || clock() - seen.at < LEASE_MS)) return false;
    const { matchedCount } = await LeaseModel.updateOne(found, { $set: { owner }, $inc: { beat: 1 } });
    return matchedCount === 1;
  }

  async function insert(_id: string): Promise<boolean> {
    try {
      await LeaseModel.create({ _id, owner, beat: 0 });
      return true;
    } catch (error) {
      if (duplicateKey(error)) return false;
      throw error;
    }
  }

  function setHeldUntil(name: string, heldUntil: number): void {
    const lease = wanted.get(name) as Wanted;
    const isNew = heldUntil > 0 && !isHeld(name);
    lease.heldUntil = heldUntil;
    if (isNew) for (const listener of lease.listeners) listener();
  }

  return {
    lease(name) {
      let lease = wanted.get(name);
      if (!lease) {
        lease = { heldUntil: 0, seen: null, tried: Promise.resolve(), listeners: new Set() };
        wanted.set(name, lease);
        lease.tried = look();
      }
      const { tried, listeners } = lease;
      return {
        isHeld: () => isHeld(name),
        take: () => tried.then(() => isHeld(name)),
        whenTaken(listener) {
          void tried.then(() => listeners.add(listener));
          return () => listeners.delete(listener);
        },
      };
    },
    held: () => [...wanted.keys()].filter(isHeld),
    look,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      await LeaseModel.deleteMany({ _id: { $in: [...wanted.keys()] }, owner });
    },
  };
}
