import { Types } from 'mongoose';
import { type DepartmentDoc, departmentOf } from '#features/sites';
import { events } from '#platform/events';
import { notFound } from '#platform/http';
import { enqueueUnawaited } from '#platform/work';
import { handedOver } from '../assisted/handOver.ts';
import { type ChatOfSite, type Doer, doerName } from '../guards.ts';
import { type ChatDoc, ChatModel, CLEAR_ASSIGNMENT, SET_UPDATED_AT } from '../model.ts';
import { addNote } from '../notes/notes.ts';
import { outboxUpdate } from '../outboxEvents.ts';
import { claimRefusal } from './claim.ts';

/** Tries to write while the chat is claimed or given back. */
const TRIES_MAX = 3;

/**
 * Puts an open chat into a department, or (null) into none. One that waits is then offered to the department's members.
 * @param by who does it; recorded in the thread as a note
 * @param isTransfer takes it from its claimer, to whom it is not offered again, or from the assistant; otherwise they keep it
 * @throws AppError 404 for a department that the site does not have, 409 `CHAT_CLOSED`, `CHAT_ALREADY_CLAIMED` when the claimer
 *   changed meanwhile
 */
export async function moveToDepartment(
  of: ChatOfSite,
  by: Doer,
  id: string | null,
  isTransfer = false,
): Promise<ChatDoc> {
  const { site } = of;
  const department = id === null ? null : departmentOf(site, id);
  if (id !== null && !department) throw notFound('department');
  const chat = isTransfer ? await handedOver(of, 'agent') : of.chat;
  const isThere = String(departmentOf(site, chat.department)?._id) === String(department?._id);
  const isReleased = isTransfer && chat.claimedBy !== null;
  if (chat.open && isThere && !isReleased) return chat;
  const moved = await move({ chat, site }, department, isReleased ? by : null);
  if (!moved) throw await claimRefusal(await ChatModel.findById(chat._id).lean<ChatDoc>());
  await noteMove({ chat: moved, site }, by, department, isTransfer);
  announce({ chat: moved, site }, isReleased);
  return moved;
}

/**
 * Puts an open chat that is for no department into the one that its visitor has chosen meanwhile. Whoever has the chat keeps it.
 * @param chosen left out: none @returns the chat, changed or not
 */
export async function chooseDepartment(of: ChatOfSite, chosen: Pick<ChatDoc, 'department'>): Promise<ChatDoc> {
  const department = departmentOf(of.site, chosen.department);
  // Its claimer may change meanwhile.
  for (let tries = 0; department && tries < TRIES_MAX; tries++) {
    const chat = await ChatModel.findById(of.chat._id).lean<ChatDoc>();
    if (!chat?.open || departmentOf(of.site, chat.department)) return chat ?? of.chat;
    const moved = await move({ chat, site: of.site }, department, null);
    if (moved) {
      announce({ chat: moved, site: of.site });
      return moved;
    }
  }
  return of.chat;
}

/** Tells who hears of a chat that it is for another department now. */
function announce({ chat, site }: ChatOfSite, isReleased = false): void {
  enqueueUnawaited(chat._id.toHexString(), async () => {
    if (isReleased) await events.emit('chatHandedBack', { chat, site });
    else if (chat.claimedBy === null) await events.emit('chatQueued', { chat, site });
    await events.emit('chatChanged', { chat, site });
  });
}

/** @param by who takes it from its claimer; null: nobody does @returns null: the claimer has changed, or the chat is closed */
async function move({ chat, site }: ChatOfSite, department: DepartmentDoc | null, by: Doer | null) {
  const { claimedBy } = chat;
  const facts = { by: by?.user._id ?? null, from: claimedBy };
  const { fields, ...outbox } = by ? outboxUpdate({ chat, site }, 'chat.handed_back', facts) : { fields: {} };
  const { passedBy, ...assignment } = CLEAR_ASSIGNMENT.$unset;
  const isWaiting = by !== null || claimedBy === null;
  return ChatModel.findOneAndUpdate(
    { _id: chat._id, site: site._id, open: true, claimedBy },
    {
      $set: {
        ...(department && { department: department._id, queuedAt: new Date() }),
        ...(by && { claimedBy: null, status: 'waiting' as const, passedBy: claimedBy ? [claimedBy] : [] }),
        ...(isWaiting && !chat.assisted && { unnotified: new Types.ObjectId() }),
        uncounted: new Types.ObjectId(),
        ...fields,
      },
      ...outbox,
      ...SET_UPDATED_AT,
      $unset: {
        ...(!department && { department: 1, queuedAt: 1 }),
        ...(by && assignment),
        ...(isWaiting && !by && { passedBy }),
      },
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
}

/** Records the move in the thread, as a note: the visitor must see neither it nor a gap in `seq`. */
async function noteMove(
  of: ChatOfSite,
  by: Doer,
  department: DepartmentDoc | null,
  isTransfer: boolean,
): Promise<void> {
  const whom = department ? `${isTransfer ? 'handed this chat to' : 'put this chat into'} ${department.name}` : null;
  const content = `${doerName(by)} ${whom ?? 'took this chat out of its department'}`;
  const name = department && { _id: department._id, name: department.name };
  const what = isTransfer ? { event: 'transferred' as const, to: null } : { event: 'department' as const };
  await addNote(of, by, { content }, { ...what, department: name });
}
