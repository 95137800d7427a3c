import { Types } from 'mongoose';
import { PAGE_LIMIT_DEFAULT, type PageQuery } from '../contract.ts';
import { badRequest } from '../errors.ts';
import { sentence } from '../sentence.ts';

/** Cursor pagination: a page of a list, and the cursor of the next one; null: this is the last. */
export interface PageOf<Item> {
  items: Item[];
  nextCursor: string | null;
}

/**
 * Reads a page of a list.
 * @param find reads up to so many of the items behind the query's cursor: one more than the page has, to see whether there
 *   is a next one
 * @param cursorOf the cursor behind an item
 */
export async function readPage<Item>(
  { limit = PAGE_LIMIT_DEFAULT }: PageQuery,
  find: (limit: number) => PromiseLike<Item[]>,
  cursorOf: (item: Item) => string,
): Promise<PageOf<Item>> {
  return toPage(await find(limit + 1), limit, cursorOf);
}

/** A page of what was found, where more than the limit was looked for. */
export function toPage<Item>(found: Item[], limit: number, cursorOf: (item: Item) => string): PageOf<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: found.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** The cursor of lists with the newest id first. */
export function idCursor({ _id }: { _id: Types.ObjectId }): string {
  return _id.toHexString();
}

/** The id of such a cursor. @throws AppError 400 for an invalid one */
export function idBehind(cursor: string): Types.ObjectId {
  if (!/^[0-9a-f]{24}$/.test(cursor)) throw invalidCursor();
  return new Types.ObjectId(cursor);
}

/** The filter for what follows such a cursor; without one, for everything. @throws AppError 400 for an invalid one */
export function olderThan(cursor: string | undefined): { _id?: { $lt: Types.ObjectId } } {
  return cursor === undefined ? {} : { _id: { $lt: idBehind(cursor) } };
}

/** The cursor of lists in the order of a time. The id breaks ties. */
export function timeCursor(at: Date | number, id: string): string {
  return `${Number(at)}-${id}`;
}

/** The time and the id of such a cursor. @throws AppError 400 for an invalid one */
export function timeBehind(cursor: string): { at: Date; id: string } {
  const [, ms, id] = cursor.match(/^(\d{1,15})-([0-9a-f]{24})$/) ?? [];
  if (ms === undefined || id === undefined) throw invalidCursor();
  return { at: new Date(Number(ms)), id };
}

/** Thrown for a cursor that none of the list's pages gave. */
export function invalidCursor() {
  return badRequest('INVALID_CURSOR', sentence('This cursor is not valid.'));
}
