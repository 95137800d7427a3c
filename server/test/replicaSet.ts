import mongoose from 'mongoose';
import { startProxiedStore } from './proxiedStore.ts';
import { answerAgain, type Document, documentOf, messageOf } from './wireMessages.ts';

const { EJSON, Long, ObjectId } = mongoose.mongo.BSON;

const NAME = 'rs0';
const MEMBERS = 3;
/** What each member answers, whoever is the primary. */
const OF_EVERY_MEMBER = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'buildInfo', 'endSessions', 'killCursors']);
const NOT_PRIMARY = { ok: 0, code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary' };
const STEPPED_DOWN = { ok: 0, code: 11_602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'stepping down' };
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
  /** Lets the primary step down; the next member is elected after so many milliseconds. */
  elect(afterMs: number): void;
  /** Lets a fault befall the next command with this name, such as `insert messages`; 'half' and 'unconfirmed' with an election. */
  befall(name: string, fault: Fault, electedAfterMs?: number): void;
  /** The faults that have not come yet, and the commands that a secondary was asked. */
  readonly left: number;
  readonly askedOfSecondaries: string[];
  stop(): Promise<void>;
}

/**
 * Starts a store that seems to be a replica set: as one, it knows a write that is sent again by its session and number, and gives
 * the answer of the first time. The members have the same data, so a secondary can be shown not to be asked, but not to lag.
 */
export async function startReplicaSet(): Promise<ReplicaSet> {
  let primary: number | null = 0;
  let term = 1;
  let election: NodeJS.Timeout | undefined;
  const faults = new Map<string, { fault: Fault; electedAfterMs: number }>();
  const askedOfSecondaries: string[] = [];
  const answers = new Map<string, Buffer>();

  function elect(afterMs: number): void {
    const next = ((primary ?? 0) + 1) % MEMBERS;
    primary = null;
    election = setTimeout(() => {
      primary = next;
      term++;
    }, afterMs);
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
    let sent: { number: string | null; fault: Fault | undefined; electedAfterMs: number } | undefined;

    function asked(bytes: Buffer): Buffer | Document {
      sent = undefined;
      const { txnNumber, $readPreference: _, ...command } = documentOf(bytes);
      const [verb = ''] = Object.keys(command);
      if (verb === '' || OF_EVERY_MEMBER.has(verb)) return bytes;
      const name = `${verb} ${command[verb]}`;
      if (primary !== member) {
        if (primary !== null) askedOfSecondaries.push(name);
        return { ...NOT_PRIMARY, ...(txnNumber && { errorLabels: ['RetryableWriteError'] }) };
      }
      const number = txnNumber ? EJSON.stringify([command.lsid, Long.fromValue(txnNumber).toString()]) : null;
      const answer = number === null ? undefined : answers.get(number);
      if (answer) return documentOf(answerAgain(answer, 0));
      const { fault, electedAfterMs = 0 } = faultOf(name, command) ?? {};
      sent = { number, fault, electedAfterMs };
      return messageOf(bytes, fault === 'half' ? halfOf(command) : command);
    }

    function answered(bytes: Buffer): Buffer | null {
      const said = documentOf(bytes);
      if ('maxWireVersion' in said) return messageOf(bytes, { ...said, ...selfOf(member) });
      if (!sent) return bytes;
      const { number, fault, electedAfterMs } = sent;
      if (number !== null && fault !== 'half' && fault !== 'forgotten') answers.set(number, bytes);
      if (fault === 'cut' || fault === 'forgotten') return null;
      if (fault) elect(electedAfterMs);
      if (fault === 'half') return messageOf(bytes, STEPPED_DOWN);
      return fault ? messageOf(bytes, { ...said, writeConcernError: UNCONFIRMED }) : bytes;
    }
    return { asked, answered };
  }

  const store = await startProxiedStore(onConnection, MEMBERS);
  return {
    uri: `mongodb://${store.addresses}/parley?replicaSet=${NAME}&heartbeatFrequencyMS=500`,
    elect,
    befall: (name, fault, electedAfterMs = 0) => void faults.set(name, { fault, electedAfterMs }),
    get left() {
      return faults.size;
    },
    askedOfSecondaries,
    async stop() {
      clearTimeout(election);
      await store.stop();
    },
  };
}

function halfOf(command: Document): Document {
  const half = (many: unknown[]) => many.slice(0, Math.ceil(many.length / 2));
  const { documents, updates } = command;
  return { ...command, ...(documents && { documents: half(documents) }), ...(updates && { updates: half(updates) }) };
}
