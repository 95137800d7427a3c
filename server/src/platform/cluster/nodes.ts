import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Schema } from 'mongoose';
import { defineModel } from '#platform/database';
import { events } from '#platform/events';
import type { ClusterNode, NodeProblem, OpenSockets } from './contract.ts';

/** The interval of a node's heartbeat, which it writes to its entry in the registry. */
const BEAT_EVERY_MS = 5_000;
/** A node whose heartbeat is late by this much has ended. */
const LATE_MS = 2_000;
const WATCH_EVERY_MS = 100;
/** A node without a heartbeat for so long, by the database's clock, is shown as silent. */
const SILENT_AFTER_MS = 3 * BEAT_EVERY_MS;
/** The database's clock is compared only if its answer came so soon: it is an instant within that time. */
const ANSWER_MAX_MS = 1_000;
/** A clock may differ from the database's by this much. */
const CLOCK_MAX_MS = 2_000;
const LISTED_MAX = 100;
const NO_SOCKETS: OpenSockets = { dashboards: 0, widgets: 0 };
/** A node that has ended without saying so is removed after this many seconds. */
const KEPT_S = 60;

/** The secrets that all nodes must share, by the name of their setting. */
export type SharedKeys = Record<'JWT_SECRET' | 'DATA_KEY' | 'VAPID_PRIVATE_KEY', string>;

/** A running node, as it says of itself. */
export interface NodeDoc {
  _id: string;
  /** The name of its machine, and its port. */
  address: string;
  version: string;
  /** The version of the data that it reads and writes; absent in entries of versions without numbered data. */
  dataVersion?: number;
  startedAt: Date;
  /** Started without `REDIS_URL`: no other node hears of its events. */
  alone: boolean;
  /** It signs what it sends, on the stream of its installation. */
  signs?: boolean;
  /** Fingerprints of the secrets, by the name of their setting. */
  keys: SharedKeys;
  /** Counts the heartbeats. Others watch whether it grows, so that no two clocks are ever compared. */
  beat: number;
  /** The database's time of the last heartbeat. */
  at: Date;
  /** By how much the node's clock is ahead of the database's, in milliseconds. */
  clockAheadMs: number;
  sockets: OpenSockets;
  /** Whether it hears the other nodes through Redis. */
  hears: boolean;
}

const nodeSchema = new Schema<NodeDoc>(
  {
    _id: { type: String, required: true },
    address: { type: String, required: true },
    version: { type: String, required: true },
    dataVersion: Number,
    startedAt: { type: Date, required: true },
    alone: { type: Boolean, required: true },
    signs: { type: Boolean },
    keys: { type: new Schema({ JWT_SECRET: String, DATA_KEY: String, VAPID_PRIVATE_KEY: String }, { _id: false }) },
    beat: { type: Number, required: true },
    at: { type: Date },
    clockAheadMs: { type: Number, default: 0 },
    sockets: { type: new Schema({ dashboards: Number, widgets: Number }, { _id: false }) },
    hears: { type: Boolean, default: true },
  },
  { versionKey: false },
);
nodeSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_S });
export const NodeModel = defineModel<NodeDoc>('Node', nodeSchema, 'nodes');

/** This process, as one node of possibly several. */
export interface OwnNode {
  id: string;
  /** The name of its machine and, once it listens, its port: other than the id, a restart keeps it. */
  address: string;
  version: string;
  /** Open at this moment. */
  sockets(): OpenSockets;
}

/** What a node says of itself. */
interface NodeSources extends OwnNode {
  keys: SharedKeys;
  dataVersion: number;
  /** Not alone: what it hears of the others. */
  state: (() => { isWell: boolean }) | null;
  /** The interval of heartbeats, in milliseconds. */
  everyMs?: number | undefined;
}

/** A node that may not run beside one that runs already; the message says why, for the operator. */
export class NodeRefused extends Error {}

/**
 * Enters this node in the registry of nodes, and keeps its entry alive by a heartbeat every few seconds.
 * @returns a function that removes it
 * @throws NodeRefused with a sentence if it cannot run beside a node that runs already
 */
export async function registerNode({
  id,
  address,
  version,
  dataVersion,
  keys,
  state,
  sockets,
  everyMs = BEAT_EVERY_MS,
}: NodeSources): Promise<Registration> {
  const entry = {
    address,
    version,
    dataVersion,
    startedAt: new Date(),
    alone: state === null,
    signs: true,
    keys: fingerprints(keys),
  };
  let timer: NodeJS.Timeout | undefined;
  let slowestBehindMs = 0;
  let running = beat();

  async function beat(): Promise<void> {
    const { isWell = true } = state?.() ?? {};
    const [startedWall, startedAt] = [Date.now(), performance.now()];
    const now = await NodeModel.findOneAndUpdate(
      { _id: id },
      {
        $setOnInsert: entry,
        $set: { sockets: sockets(), hears: isWell },
        $inc: { beat: 1 },
        $currentDate: { at: true },
      },
      { upsert: true, returnDocument: 'after' },
    ).lean<NodeDoc>();
    const tookMs = performance.now() - startedAt;
    if (tookMs > ANSWER_MAX_MS) return;
    const clockAheadMs = Math.round(startedWall + tookMs / 2 - now.at.getTime());
    await NodeModel.updateOne({ _id: id }, { $set: { clockAheadMs } });
    const nodes = await NodeModel.find({}, { clockAheadMs: 1 }).lean<Pick<NodeDoc, 'clockAheadMs'>[]>();
    slowestBehindMs = clockAheadMs - Math.min(...nodes.map((node) => node.clockAheadMs));
  }

  async function leave(): Promise<void> {
    clearInterval(timer);
    await running.catch(() => {});
    // Without an answer of the database, its entry expires.
    await NodeModel.deleteOne({ _id: id }).catch(() => {});
  }

  await running;
  const refusal = await refusalOf({ _id: id, ...entry }, everyMs + LATE_MS);
  if (refusal !== null) {
    await leave();
    throw new NodeRefused(refusal);
  }
  timer = setInterval(() => {
    running = running.then(beat).catch((error) => events.fail(error, 'registry of nodes'));
  }, everyMs).unref();
  return {
    async listensAt(address) {
      entry.address = address;
      await NodeModel.updateOne({ _id: id }, { $set: { address } });
    },
    slowestBehindMs: () => slowestBehindMs,
    leave,
  };
}

/** The entry of a node. */
export interface Registration {
  listensAt(address: string): Promise<void>;
  /** By how much the slowest clock of all nodes is behind the one of this node, in milliseconds. */
  slowestBehindMs(): number;
  leave(): Promise<void>;
}

/** The ids of the nodes that run. The process that has an embedded store of its own is none. */
export async function livingNodes(): Promise<Set<string>> {
  const nodes = await NodeModel.find({}, { at: 1 }).lean<Pick<NodeDoc, '_id' | 'at'>[]>();
  return new Set(nodes.filter(livenessOf(nodes)).map(({ _id }) => _id));
}

/** Whether a node with this id runs, or has ended not long ago without saying so. */
export async function isListed(id: string): Promise<boolean> {
  return (await NodeModel.exists({ _id: id })) !== null;
}

/** The addresses of all nodes that have not ended long ago. */
export async function nodeAddresses(): Promise<Set<string>> {
  const nodes = await NodeModel.find({}, { address: 1 }).lean<Pick<NodeDoc, 'address'>[]>();
  return new Set(nodes.map(({ address }) => address));
}

/** Whether the heartbeat of a listed node is recent, by the database's clock alone. */
function livenessOf(nodes: Pick<NodeDoc, 'at'>[]): (node: Pick<NodeDoc, 'at'>) => boolean {
  const newest = Math.max(...nodes.map(({ at }) => at.getTime()));
  return ({ at }) => newest - at.getTime() <= SILENT_AFTER_MS;
}

/** All nodes, in the order of their starts. The connections of this one are counted now, the others said how many they have. */
export async function listNodes(self: OwnNode): Promise<ClusterNode[]> {
  const nodes = await NodeModel.find().sort({ startedAt: 1 }).limit(LISTED_MAX).lean<NodeDoc[]>();
  const isAlive = livenessOf(nodes);
  const problemsOf = (node: NodeDoc): NodeProblem[] => [
    ...(node.hears ? [] : ['redis' as const]),
    ...(Math.abs(node.clockAheadMs) > CLOCK_MAX_MS ? ['clock' as const] : []),
    ...(isAlive(node) ? [] : ['silent' as const]),
    ...(node.version === self.version ? [] : ['version' as const]),
  ];
  return nodes.map((node) => {
    const problems = problemsOf(node);
    const sockets = problems.includes('silent') ? NO_SOCKETS : node.sockets;
    return {
      address: node.address,
      version: node.version,
      startedAt: node.startedAt.toISOString(),
      sockets: node._id === self.id ? self.sockets() : sockets,
      problems,
    };
  });
}

/** Why this node may not run beside those that run already; null: it may. */
async function refusalOf(self: Pick<NodeDoc, '_id' | 'alone' | 'keys'>, watchedMs: number): Promise<string | null> {
  const others = await NodeModel.find({ _id: { $ne: self._id } }).lean<NodeDoc[]>();
  const inTheWay = others.filter((other) => conflictOf(self, other) !== null);
  // One that has crashed is still listed for a while: only one that lives stands in the way.
  const [living] = await livingOf(inTheWay, 1, watchedMs);
  return living ? conflictOf(self, living) : null;
}

/** Which of these nodes send another heartbeat. @param enough stops watching when so many have */
async function livingOf(nodes: NodeDoc[], enough: number, watchedMs: number): Promise<NodeDoc[]> {
  const ids = nodes.map(({ _id }) => _id);
  let living: NodeDoc[] = [];
  for (let waited = 0; living.length < Math.min(enough, nodes.length) && waited < watchedMs; waited += WATCH_EVERY_MS) {
    await sleep(WATCH_EVERY_MS);
    const now = await NodeModel.find({ _id: { $in: ids } }).lean<NodeDoc[]>();
    living = now.filter(({ _id, beat }) => nodes.some((before) => before._id === _id && before.beat !== beat));
  }
  return living;
}

/**
 * The ids of nodes that are listed with an earlier version of the data than this, but have ended without leaving.
 * @param everyMs the interval of their heartbeats
 */
export async function endedNodes(dataVersion: number, everyMs = BEAT_EVERY_MS): Promise<string[]> {
  const listed = await NodeModel.find().lean<NodeDoc[]>();
  const earlier = listed.filter((node) => (node.dataVersion ?? 0) < dataVersion);
  const living = await livingOf(earlier, earlier.length, everyMs + LATE_MS);
  return earlier.map(({ _id }) => _id).filter((id) => !living.some(({ _id }) => _id === id));
}

/** The lowest version of the data that a listed node writes, but no more than `newest`. @param ended nodes not to count */
export async function oldestDataVersion(newest: number, ended: string[] = []): Promise<number> {
  const nodes = await NodeModel.find({ _id: { $nin: ended } }, { dataVersion: 1 }).lean<
    Pick<NodeDoc, 'dataVersion'>[]
  >();
  return Math.min(newest, ...nodes.map(({ dataVersion = 0 }) => dataVersion));
}

/** Whether nodes of another version of Parley are listed. @param ended nodes not to count */
export async function areOtherVersions(version: string, ended: string[] = []): Promise<boolean> {
  return (await NodeModel.exists({ _id: { $nin: ended }, version: { $ne: version } })) !== null;
}

function conflictOf(self: Pick<NodeDoc, 'alone' | 'keys'>, other: NodeDoc): string | null {
  const which = `Another Parley (${other.address}, version ${other.version}) uses the same database`;
  if (self.alone || other.alone)
    return `${which}. Stop it first. To run several nodes, set REDIS_URL for each of them: see docs/self-hosting.md.`;
  const names = (Object.keys(self.keys) as (keyof SharedKeys)[]).filter((name) => self.keys[name] !== other.keys[name]);
  if (names.length === 0) return null;
  return `${which} with another ${names.join(' and another ')}. All nodes need the same.`;
}

/** Fingerprints that tell secrets apart and do not give them away. */
function fingerprints(keys: SharedKeys): SharedKeys {
  const of = (secret: string) => createHmac('sha256', secret).update('parley node').digest('base64url');
  return {
    JWT_SECRET: of(keys.JWT_SECRET),
    DATA_KEY: of(keys.DATA_KEY),
    VAPID_PRIVATE_KEY: of(keys.VAPID_PRIVATE_KEY),
  };
}
