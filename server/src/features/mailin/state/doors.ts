import { Schema } from 'mongoose';
import { livingNodes, type OwnNode } from '#platform/cluster';
import { defineModel } from '#platform/database';
import { events } from '#platform/events';
import { MINUTE_MS } from '#platform/time';
import type { MailDoor, MailDoorState, MailInState } from '../contract.ts';
import { mailboxKey } from '../doors/imap.ts';
import { waitingMails } from '../doors/waitingMails.ts';
import type { MailIn } from '../mailIn.ts';
import { countMailIn, dayOf, mailInDays } from './days.ts';

/** A state that has not changed is stored at most this often. */
const NOTED_EVERY_MS = MINUTE_MS;

/** Whether a door works, as the last try on a node left it. The mailbox is read by one node at a time, so it is the same for all. */
interface MailDoorDoc {
  _id: 'imap' | `${MailDoor}@${string}`;
  door: MailDoor;
  /** The id and the address of the node. */
  nodeId: string;
  node: string;
  isOpen: boolean;
  since: Date;
  error: string | null;
}

const doorSchema = new Schema<MailDoorDoc>(
  {
    _id: { type: String, required: true },
    door: { type: String, required: true },
    nodeId: { type: String, required: true },
    node: { type: String, required: true },
    isOpen: { type: Boolean, required: true },
    since: { type: Date, required: true },
    error: { type: String },
  },
  { versionKey: false },
);
const MailDoorModel = defineModel<MailDoorDoc>('MailDoor', doorSchema, 'maildoors');

interface StateDeps {
  node: OwnNode;
  now: () => number;
}

/** Records how the doors of this node work, and what becomes of mails. @returns a disposer */
export function watchMailIn({ node, now }: StateDeps): () => void {
  const noted = new Map<MailDoor, { at: number; failure: string | null }>();

  async function tried(door: MailDoor, failure: string | null): Promise<void> {
    const last = noted.get(door);
    if (last?.failure === failure && now() - last.at < NOTED_EVERY_MS) return;
    noted.set(door, { at: now(), failure });
    if (!last) await removeEnded(node.id);
    const _id = door === 'imap' ? door : (`${door}@${node.id}` as const);
    const isOpen = failure === null;
    const state = { door, nodeId: node.id, node: node.address, error: failure };
    const { matchedCount } = await MailDoorModel.updateOne({ _id, isOpen }, { $set: state });
    if (matchedCount > 0) return;
    await MailDoorModel.updateOne({ _id }, { $set: { ...state, isOpen, since: new Date(now()) } }, { upsert: true });
  }

  return events.stopAll([
    events.on('mailInTried', ({ door, failure }) => tried(door, failure)),
    events.on('mailReceived', ({ door, outcome }) => countMailIn(door, outcome, now())),
  ]);
}

/** Removes the states of nodes that have ended. */
async function removeEnded(ownId: string): Promise<void> {
  const living = [...(await livingNodes()), ownId];
  await MailDoorModel.deleteMany({ _id: { $ne: 'imap' }, nodeId: { $nin: living } });
}

/** How mails come in, for platform admins. @param startedAt of this process, in milliseconds */
export async function mailInState(
  { settings, addresses }: MailIn,
  { node: own, now }: StateDeps,
  startedAt: number,
): Promise<MailInState> {
  const [states, living, days, waits] = await Promise.all([
    MailDoorModel.find().sort({ _id: 1 }).lean<MailDoorDoc[]>(),
    livingNodes(),
    mailInDays(),
    settings.imap && waitingMails(mailboxKey(settings.imap)),
  ]);
  const lastMailAt = (door: MailDoor) => days.flatMap((day) => day.lastMailAt?.[door]?.toISOString() ?? [])[0] ?? null;
  const set: (MailDoor | undefined)[] = [settings.imap ? 'imap' : undefined, settings.listener?.protocol];
  const doors = states.flatMap(({ door, nodeId, node, isOpen, since, error }): MailDoorState[] => {
    const isThere = nodeId === own.id || living.has(nodeId);
    // A port has ended with its node. A mailbox waits for the next node that reads it.
    if (!set.includes(door) || (!isThere && door !== 'imap')) return [];
    const state = { door, node, since: since.toISOString(), lastMailAt: lastMailAt(door) };
    return [{ ...state, isOpen: isOpen && isThere, error }];
  });
  if (settings.secret !== null) {
    const since = new Date(startedAt).toISOString();
    doors.push({ door: 'http', node: null, isOpen: true, since, error: null, lastMailAt: lastMailAt('http') });
  }
  const { added = 0, later = 0, refused = {} } = days.find(({ _id }) => _id === dayOf(now())) ?? {};
  const waiting = waits && { count: waits.count, since: waits.since.toISOString() };
  return { address: addresses.plain, doors, waiting, today: { added, later, refused } };
}
