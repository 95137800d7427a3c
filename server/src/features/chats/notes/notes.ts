import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { peopleById } from '#features/auth';
import { memberOf, type SiteDoc } from '#features/sites';
import { events } from '#platform/events';
import { conflict, duplicateKey, idCursor, invalid, readPage, sentence } from '#platform/http';
import { enqueueUnawaited } from '#platform/work';
import { NOTE_PAGE, type NoteBody } from '../contract.ts';
import type { ChatOfSite, Doer } from '../guards.ts';
import { storedText } from '../messages/cardNumbers.ts';
import { type MentionedMember, type NoteDoc, NoteModel } from './noteModel.ts';

/**
 * Stores a note of the team on a chat, open or closed. Idempotent: a repeated `clientId` returns the first note.
 * @throws AppError 409 `ID_CONFLICT` when the author used this `clientId` for another note, 422 when somebody mentioned is
 *   not a member of the site
 */
export async function addNote(
  { chat, site }: ChatOfSite,
  { user }: Doer,
  input: NoteBody,
  more: Pick<NoteDoc, 'event' | 'until' | 'to' | 'department'> = {},
): Promise<{ note: NoteDoc; isNew: boolean }> {
  const { clientId } = input;
  const content = storedText(site, input.content);
  const named = { clientId: (clientId ?? randomUUID()).toLowerCase(), content, author: user._id };
  const mentions = await mentionedMembers(site, input.mentions ?? [], user._id);
  const made = new NoteModel({
    ...named,
    chat: chat._id,
    site: site._id,
    authorName: user.name,
    ...(user.isRule && { byRule: true }),
    ...more,
    ...(mentions.length > 0 && { mentions, unnotified: true }),
    createdAt: new Date(),
  });
  try {
    await made.save();
  } catch (error) {
    if (!duplicateKey(error)) throw error;
    const note = await NoteModel.findOne({ author: named.author, clientId: named.clientId }).lean<NoteDoc>();
    if (!note?.chat.equals(chat._id) || note.content !== content)
      throw conflict('ID_CONFLICT', sentence('This note id was already used for a different note.'));
    return { note, isNew: false };
  }
  const note = made.toObject();
  enqueueUnawaited(chat._id.toHexString(), () => events.emit('noteAdded', { chat, site, note }));
  return { note, isNew: true };
}

/** The mentioned members, each once, without the author. Unknown and foreign ids are refused alike. */
async function mentionedMembers(site: SiteDoc, ids: string[], author: Types.ObjectId): Promise<MentionedMember[]> {
  const distinct = [...new Set(ids.map((id) => id.toLowerCase()))].map((id) => new Types.ObjectId(id));
  const members = distinct.filter((user) => memberOf(site, user));
  const people = await peopleById(members);
  if (people.size < distinct.length)
    throw invalid([{ msg: sentence('Somebody you mentioned is not on the team of this website'), path: 'mentions' }]);
  const others = [...people.values()].filter(({ _id }) => !_id.equals(author));
  return others.map(({ _id, name }) => ({ user: _id, name }));
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
