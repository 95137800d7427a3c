import { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import { copyToChats, storedText } from '#features/chats';
import { CONTACT_FIELDS, type ContactBody } from '#features/presence/contract';
import { type SiteDoc, SiteModel } from '#features/sites';
import { events } from '#platform/events';
import { conflict, notFound, sentence } from '#platform/http';
import { type PersonNoteDoc, type VisitorAccess, type VisitorDoc, VisitorModel } from './model.ts';

/** Blocks or unblocks a visitor's messages. Idempotent; `sweepCopies` finishes the copies to the chats after a crash. */
export async function setBlocked({ visitor, site }: VisitorAccess, blocked: boolean): Promise<void> {
  const changed = await VisitorModel.findOneAndUpdate(
    { _id: visitor._id, erasedAt: null },
    { $set: { blocked, unmarked: true } },
    { returnDocument: 'after' },
  ).lean<VisitorDoc>();
  await updateChats(changed, site);
}

/**
 * Stores what a member corrected of name, address and phone number, for all chats of the visitor. What the website's
 * identity has proved cannot be changed; `sweepCopies` finishes the copies to the chats after a crash.
 * @throws AppError 409 `IDENTIFIED`, 404 when erased meanwhile
 */
export async function correctContact(
  { visitor, site }: VisitorAccess,
  { user }: Caller,
  contact: ContactBody,
): Promise<VisitorDoc> {
  const fields = CONTACT_FIELDS.filter(
    (field) => contact[field] !== undefined && contact[field] !== (visitor[field] ?? ''),
  );
  if (fields.length === 0) return visitor;
  const given = fields.filter((field) => contact[field] !== '');
  const unknown = fields.filter((field) => contact[field] === '');
  const mayChange = fields.map((field) => ({
    $or: [{ verified: { $ne: true } }, { [field]: null }, { corrected: field }],
  }));
  const changed = await VisitorModel.findOneAndUpdate(
    { _id: visitor._id, erasedAt: null, $and: mayChange },
    {
      $set: {
        unmarked: true,
        ...Object.fromEntries(given.map((field) => [field, contact[field]])),
        ...Object.fromEntries(unknown.map((field) => [field, null])),
      },
      $addToSet: { corrected: { $each: fields } },
    },
    { returnDocument: 'after' },
  ).lean<VisitorDoc>();
  if (!changed) throw await whyNot(visitor);
  await updateChats(changed, site);
  await events.emit('visitorEdited', { visitor: changed, site, by: user._id, fields });
  return changed;
}

async function whyNot({ _id }: VisitorDoc): Promise<Error> {
  if (!(await VisitorModel.exists({ _id, erasedAt: null }))) return notFound('visitor');
  return conflict(
    'IDENTIFIED',
    sentence('The website has proved this about the visitor. It can only be changed there.'),
  );
}

/**
 * Writes the note on a person, or removes it when it is empty. A guarded write: of two authors who have seen the same
 * version, the second one is told.
 * @param version the version that the author has seen; undefined: there was no note
 * @throws AppError 409 `NOTE_CHANGED`, 404 when the visitor was erased meanwhile
 */
export async function writePersonNote(
  { visitor, site }: VisitorAccess,
  { user }: Caller,
  { content: written, version }: { content: string; version?: string },
): Promise<PersonNoteDoc | null> {
  const { _id } = visitor;
  const content = storedText(site, written);
  const seen = version === undefined ? { note: null } : { 'note.version': version };
  const note: PersonNoteDoc = {
    version: new Types.ObjectId(),
    content,
    author: user._id,
    authorName: user.name,
    at: new Date(),
  };
  const changed = await VisitorModel.findOneAndUpdate(
    { _id, erasedAt: null, ...seen },
    content === '' ? { $unset: { note: 1 } } : { $set: { note } },
    { returnDocument: 'after' },
  ).lean<VisitorDoc>();
  if (!changed) {
    if (!(await VisitorModel.exists({ _id, erasedAt: null }))) throw notFound('visitor');
    throw conflict('NOTE_CHANGED', sentence('Somebody else has changed this note meanwhile.'));
  }
  await events.emit('visitorEdited', { visitor: changed, site, by: user._id, fields: ['note'] });
  return changed.note ?? null;
}

/** Copies what members set to the chats, and repeats it if it has changed meanwhile. */
async function updateChats(visitor: VisitorDoc | null, site: SiteDoc): Promise<void> {
  for (let known = visitor; known; ) {
    const { _id, blocked, name, email, corrected = [] } = known;
    await copyToChats(
      { visitor: _id, site },
      {
        blocked,
        ...(corrected.includes('name') && { 'visitorInfo.name': name }),
        ...(corrected.includes('email') && { 'visitorInfo.email': email }),
      },
    );
    const { matchedCount } = await VisitorModel.updateOne({ _id, blocked, name, email }, { $unset: { unmarked: 1 } });
    known = matchedCount === 1 ? null : await VisitorModel.findById(_id).lean<VisitorDoc>();
  }
}

/** Finishes the copies to the chats that a crash interrupted. */
export async function sweepCopies(_now: number, signal: AbortSignal): Promise<void> {
  for await (const visitor of VisitorModel.find({ unmarked: true }).lean<VisitorDoc>().cursor()) {
    if (signal.aborted) return;
    const site = await SiteModel.findOne({ _id: visitor.site, deletedAt: null }).lean<SiteDoc>();
    if (site) await updateChats(visitor, site);
  }
}
