import type { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import { events } from '#platform/events';
import { type AppError, conflict, notFound, sentence } from '#platform/http';
import { type SiteDoc, SiteModel } from './model.ts';

/** The lists that are part of a site. */
type ListName = 'departments' | 'rules';
type EntryOf<Name extends ListName> = NonNullable<SiteDoc[Name]>['list'][number];

/** What an edit makes of a list, and the names of what it changed. */
export interface EditedList<Entry> {
  list: Entry[];
  fields: string[];
}

/** Tries to write while other changes of the same list come between. */
const TRIES_MAX = 5;

/**
 * Changes one of a site's lists with optimistic locking.
 * @throws AppError 404 when the site is being deleted, 409 `SETTINGS_CHANGED`
 */
export async function changeList<Name extends ListName>(
  { _id }: SiteDoc,
  { user }: Caller,
  name: Name,
  edit: (list: EntryOf<Name>[], site: SiteDoc) => EditedList<EntryOf<Name>>,
): Promise<SiteDoc> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const stored = await SiteModel.findOne({ _id, deletedAt: null }).lean<SiteDoc>();
    if (!stored) throw notFound('site');
    const before = stored[name];
    const { list, fields } = edit(before?.list ?? [], stored);
    const rev = before?.rev ?? 0;
    const changed = await SiteModel.findOneAndUpdate(
      { _id, deletedAt: null, [`${name}.rev`]: before ? rev : { $exists: false } },
      { $set: { [name]: { list, rev: rev + 1 } } },
      { returnDocument: 'after' },
    ).lean<SiteDoc>();
    if (!changed) continue;
    await events.emit('siteUpdated', {
      site: changed,
      by: user._id,
      fields: fields.map((field) => `${name}.${field}`),
    });
    return changed;
  }
  throw changedMeanwhile();
}

/** Puts the entries with these ids first, in this order; ids that are unknown are ignored. */
export function inOrder<Entry extends { _id: Types.ObjectId }>(list: Entry[], ids: string[]): Entry[] {
  const wanted = new Map(ids.map((id, at) => [id.toLowerCase(), at]));
  const position = ({ _id }: Entry) => wanted.get(_id.toHexString()) ?? ids.length;
  return list.toSorted((a, b) => position(a) - position(b));
}

/** Where the entry with this id stands in a list. @param absent what is thrown when it does not */
export function positionOf(list: { _id: Types.ObjectId }[], id: string, absent: () => AppError): number {
  const at = list.findIndex(({ _id }) => _id.toHexString() === id.toLowerCase());
  if (at < 0) throw absent();
  return at;
}

/** 409: there is a newer version than the one that was changed. */
export function changedMeanwhile() {
  return conflict('SETTINGS_CHANGED', sentence('Somebody else has changed this meanwhile.'));
}
