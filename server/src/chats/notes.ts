import { randomUUID } from 'node:crypto';
import type { Types } from 'mongoose';
import type { Caller } from '../auth/sessions.ts';
import { events } from '../events.ts';
import { conflict, duplicateKey } from '../http/errors.ts';
import { idCursor, readPage } from '../http/pager.ts';
import { storedText } from './cardNumbers.ts';
import { NOTE_PAGE } from './contract.ts';
import type { ChatOfSite } from './guards.ts';
import { enqueueUnawaited } from './keyedQueue.ts';
import type { MessageInput } from './lifecycle.ts';
import { type NoteDoc, NoteModel } from './model.ts';

/**
 * Stores a note of the team on a chat, open or closed. Idempotent: a repeated `clientId` returns the first note.
 * @throws AppError 409 `ID_CONFLICT` when the author used this `clientId` for another note
 */
export async function addNote(
  { chat, site }: ChatOfSite,
  { user }: Caller,
  input: MessageInput,
  event: NoteDoc['event'] = null,
): Promise<{ note: NoteDoc; isNew: boolean }> {
  const { clientId } = input;
  const content = storedText(site, input.content);
  const named = { clientId: (clientId ?? randomUUID()).toLowerCase(), content, author: user._id };
  const made = new NoteModel({
    ...named,
    chat: chat._id,
    site: site._id,
    authorName: user.name,
    ...(event && { event }),
    createdAt: new Date(),
  });
  try {
    await made.save();
  } catch (error) {
    if (!duplicateKey(error)) throw error;
    const note = await NoteModel.findOne({ author: named.author, clientId: named.clientId }).lean<NoteDoc>();
    if (!note?.chat.equals(chat._id) || note.content !== content)
      throw conflict('ID_CONFLICT', 'This note id was already used for a different note.');
    return { note, isNew: false };
  }
  const note = made.toObject();
  enqueueUnawaited(chat._id.toHexString(), () => events.emit('noteAdded', { chat, site, note }));
  return { note, isNew: true };
}

/** Reads a page of a chat's notes, oldest first, and whether there are older ones. @param before a note's id */
export async function readNotes(
  chat: Types.ObjectId,
  { before, limit = NOTE_PAGE }: { before?: string; limit?: number },
): Promise<{ notes: NoteDoc[]; more: boolean }> {
  const filter = { chat, ...(before === undefined ? {} : { _id: { $lt: before } }) };
  const find = (most: number) => NoteModel.find(filter).sort({ _id: -1 }).limit(most).lean<NoteDoc[]>();
  const { items, nextCursor } = await readPage({ limit }, find, idCursor);
  return { notes: items.reverse(), more: nextCursor !== null };
}
