import { EventEmitter, once } from 'node:events';
import mongoose from 'mongoose';
import { startLaggingStore } from './laggingStore.ts';
import { startProxiedStore } from './proxiedStore.ts';
import { answerAgain, type Document, documentOf, messageOf } from './wireMessages.ts';

const { EJSON, Long, ObjectId } = mongoose.mongo.BSON;

const NAME = 'rs0';
const MEMBERS = 3;
/** What a secondary answers, too. */
const READS = new Set(['find', 'aggregate', 'count', 'distinct']);
/** What each member answers, whoever is the primary. */
const OF_EVERY_MEMBER = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'buildInfo', 'endSessions', 'killCursors']);
const NOT_PRIMARY = { ok: 0, code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary' };
const STEPPED_DOWN = { ok: 0, code: 11_602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'stepping down' };
/** So the driver sends a write again that has a number; commands without one it never does. */
const RETRYABLE = ['RetryableWriteError'];
const UNCONFIRMED = { code: 11_602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'stepping down' };

/**
 * What goes wrong with a command: its answer is lost after it was carried out (`cut`), and a database that only speaks the protocol
 * carries it out once more when it is sent again (`forgotten`); only the first half of its documents is written before the primary
 * steps down (`half`), or all of them, but no majority confirms that (`unconfirmed`).
 */
type Fault = 'cut' | 'forgotten' | 'half' | 'unconfirmed';

/** Three members, of which one at a time takes writes. */
export interface ReplicaSet {
  uri: string;
  /** From now on the secondaries get nothing of what is written. */
  lag(): Promise<void>;
  /**
   * Cuts the primary off from the secondaries, which lag from now on. What it writes waits for a majority, if it is asked to wait for
   * one, and is undone with the next election.
   */
  isolate(): Promise<void>;
  /** Lets the primary step down; the next member is elected after so many milliseconds. */
  elect(afterMs: number): void;
  /** Lets a fault befall the next command with this name, such as `insert messages`; 'half' and 'unconfirmed' with an election. */
  befall(name: string, fault: Fault, electedAfterMs?: number): void;
  /** The faults that have not come yet, the writes that wait for a majority, and the commands that a secondary was asked. */
  readonly left: number;
  readonly waiting: readonly string[];
  readonly askedOfSecondaries: string[];
  stop(): Promise<void>;
}

/**
 * Starts a store that seems to be a replica set: as one, it knows a write that is sent again by its session and number, and gives
 * the answer of the first time. The members have the same data, until they are told to lag.
 */
export async function startReplicaSet(): Promise<ReplicaSet> {
  let primary: number | null = 0;
  let term = 1;
  let election: NodeJS.Timeout | undefined;
  const faults = new Map<string, { fault: Fault; electedAfterMs: number }>();
  const askedOfSecondaries: string[] = [];
  const answers = new Map<string, Buffer>();
  let isLagging = false;
  /** Since the primary is cut off: the numbers of the writes that it makes, and the names of those that wait. */
  let isolation: { numbers: string[]; waiting: string[] } | null = null;
  const turns = new EventEmitter<{ idle: []; undone: [] }>().setMaxListeners(0);
  let running = 0;
  /** Resolves when commands may go on. */
  let gate = Promise.resolve();

  /** Does something while the store has nothing else to do. */
  function alone(work: () => Promise<void>): Promise<void> {
    gate = gate.then(async () => {
      if (running > 0) await once(turns, 'idle');
      await work();
    });
    return gate;
  }

  function lag(): Promise<void> {
    isLagging = true;
    return alone(() => secondaries.catchUp());
  }

  async function isolate(): Promise<void> {
    await lag();
    isolation = { numbers: [], waiting: [] };
  }

  function elect(afterMs: number): void {
    const next = ((primary ?? 0) + 1) % MEMBERS;
    primary = null;
    const ready = isolation ? alone(undo) : undefined;
    election = setTimeout(async () => {
      await ready;
      primary = next;
      term++;
    }, afterMs);
  }

  async function undo(): Promise<void> {
    await secondaries.rollBack();
    for (const number of isolation?.numbers ?? []) answers.delete(number);
    isolation = null;
    turns.emit('undone');
  }

  function faultOf(name: string, { documents, updates }: Document) {
    const found = faults.get(name);
    if (found?.fault === 'half' && (documents ?? updates)?.length < 2) return undefined;
    faults.delete(name);
    return found;
  }

  const selfOf = (member: number): Document => ({
    setName: NAME,
    hosts: store.addresses,
    me: store.addresses[member],
    setVersion: 1,
    secondary: primary !== member,
    isWritablePrimary: primary === member,
    ismaster: primary === member,
    ...(primary !== null && { primary: store.addresses[primary] }),
    ...(primary === member && { electionId: new ObjectId(term.toString(16).padStart(24, '0')) }),
  });

  function onConnection(member: number) {
    let sent:
      | { name: string; number: string | null; waits: boolean; fault?: Fault | undefined; electedAfterMs: number }
      | undefined;

    async function asked(bytes: Buffer): Promise<Buffer | Document> {
      sent = undefined;
      const { txnNumber, $readPreference: _, ...command } = documentOf(bytes);
      const [verb = ''] = Object.keys(command);
      if (verb === '' || OF_EVERY_MEMBER.has(verb)) return bytes;
      await gate;
      const name = `${verb} ${command[verb]}`;
      if (primary !== member) {
        if (primary !== null) askedOfSecondaries.push(name);
        if (isLagging && READS.has(verb)) return secondaries.read(command);
        return { ...NOT_PRIMARY, ...(txnNumber && { errorLabels: RETRYABLE }) };
      }
      if (isolation && command.readConcern?.level === 'majority') return secondaries.read(command);
      const number = txnNumber ? EJSON.stringify([command.lsid, Long.fromValue(txnNumber).toString()]) : null;
      const waits = command.writeConcern?.w === 'majority';
      const answer = number === null ? undefined : answers.get(number);
      if (answer) return (waits && (await unconfirmed(name, answer))) || documentOf(answerAgain(answer, 0));
      const { fault, electedAfterMs = 0 } = faultOf(name, command) ?? {};
      sent = { name, number, waits, fault, electedAfterMs };
      running++;
      return messageOf(bytes, fault === 'half' ? halfOf(command) : command);
    }

    async function answered(bytes: Buffer): Promise<Buffer | null> {
      const said = documentOf(bytes);
      if ('maxWireVersion' in said) return messageOf(bytes, { ...said, ...selfOf(member) });
      if (!sent) return bytes;
      const { name, number, waits, fault, electedAfterMs } = sent;
      if (number !== null && fault !== 'half' && fault !== 'forgotten') answers.set(number, bytes);
      if (number !== null) isolation?.numbers.push(number);
      if (--running === 0) turns.emit('idle');
      if (fault === 'cut' || fault === 'forgotten') return null;
      if (fault) elect(electedAfterMs);
      if (fault === 'half') return messageOf(bytes, STEPPED_DOWN);
      if (fault === 'unconfirmed') return messageOf(bytes, { ...said, writeConcernError: UNCONFIRMED });
      const refusal = waits && (await unconfirmed(name, bytes));
      return refusal ? messageOf(bytes, refusal) : bytes;
    }

    return { asked, answered };
  }

  /** Waits for a majority while there is none. @returns the answer if none has come; null: it is confirmed */
  async function unconfirmed(name: string, answer: Buffer): Promise<Document | null> {
    if (!isolation) return null;
    isolation.waiting.push(name);
    await once(turns, 'undone');
    return { ...documentOf(answer), writeConcernError: UNCONFIRMED, errorLabels: RETRYABLE };
  }

  const store = await startProxiedStore(onConnection, MEMBERS);
  const secondaries = await startLaggingStore(store.directUri);
  return {
    uri: `mongodb://${store.addresses}/parley?replicaSet=${NAME}&heartbeatFrequencyMS=500`,
    lag,
    isolate,
    elect,
    befall: (name, fault, electedAfterMs = 0) => void faults.set(name, { fault, electedAfterMs }),
    get left() {
      return faults.size;
    },
    get waiting() {
      return isolation?.waiting ?? [];
    },
    askedOfSecondaries,
    async stop() {
      clearTimeout(election);
      await secondaries.stop();
      await store.stop();
    },
  };
}

function halfOf(command: Document): Document {
  const half = (many: unknown[]) => many.slice(0, Math.ceil(many.length / 2));
  const { documents, updates } = command;
  return { ...command, ...(documents && { documents: half(documents) }), ...(updates && { updates: half(updates) }) };
}
