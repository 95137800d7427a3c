import { randomBytes } from 'node:crypto';
import type { Types } from 'mongoose';
import { removeChats } from '#features/chats';
import type { SiteDoc } from '#features/sites';
import { DUPLICATE_KEY, sendWrites } from '#platform/database';
import { unavailable } from '#platform/http';
import { hashToken } from './guards.ts';
import { type VisitorDoc, VisitorModel } from './model.ts';

const TOKEN_BYTES = 32;

/** A person in the history of another chat. */
export interface ImportedPerson {
  /** The same in every import of the site. */
  key: string;
  name: string | null;
  email: string | null;
  /** Milliseconds */
  firstAt: number;
  lastAt: number;
}

/** @returns the people that imports have stored under these keys, by key */
export async function findImportedPeople(site: Types.ObjectId, keys: string[]): Promise<Map<string, VisitorDoc>> {
  const people = await VisitorModel.find({ site, importKey: { $in: keys } }).lean<VisitorDoc[]>();
  return new Map(people.map((person) => [person.importKey ?? '', person]));
}

/**
 * Stores people of another chat, each once. They are never visitors who have been on the site: anybody can say an e-mail address
 * in the widget, and would see the conversations of its owner. Nobody has their tokens.
 * @param importRun the id of the import
 * @returns them by key, with those of earlier imports
 */
export async function storePeople(
  site: Types.ObjectId,
  importRun: Types.ObjectId,
  people: ImportedPerson[],
): Promise<Map<string, VisitorDoc>> {
  const updates = people.map(({ key, name, email, firstAt, lastAt }) => {
    const person: Partial<VisitorDoc> = {
      tokenHash: hashToken(randomBytes(TOKEN_BYTES).toString('base64url')),
      name,
      email,
      userAgent: '',
      location: null,
      bot: false,
      page: null,
      blocked: false,
      createdAt: new Date(firstAt),
      lastSeenAt: new Date(lastAt),
      importRun,
    };
    return { q: { site, importKey: key }, u: { $setOnInsert: person }, upsert: true };
  });
  const { writeErrors } = await sendWrites({ update: VisitorModel.collection.name, updates });
  if (writeErrors.some(({ code }) => code !== DUPLICATE_KEY)) throw unavailable();
  return findImportedPeople(
    site,
    people.map(({ key }) => key),
  );
}

/** Removes the chats of those among some people who were erased while an import stored their chats. Idempotent. */
export async function removeErased(site: SiteDoc, visitors: Types.ObjectId[]): Promise<void> {
  const erased = await VisitorModel.find({ _id: { $in: visitors }, erasedAt: { $exists: true } }, { _id: 1 }).lean();
  for (const { _id } of erased) await removeChats(site, { visitor: _id });
}
