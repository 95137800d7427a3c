import type { Types } from 'mongoose';
import { recentUsers } from './model.ts';

/** A person as teammates see each other. */
export interface Person {
  _id: Types.ObjectId;
  name: string;
  email: string;
  /** The key of the picture's file. */
  avatar?: string | null;
}

/** The people behind some user ids, by hex id; the ids of deleted accounts are missing. */
export async function peopleById(ids: Types.ObjectId[]): Promise<Map<string, Person>> {
  if (ids.length === 0) return new Map();
  const distinct = [...new Set(ids.map((id) => id.toHexString()))];
  const found = await Promise.all(distinct.map(recentUsers.find));
  return new Map(found.flatMap((person) => (person ? [[person._id.toHexString(), person]] : [])));
}
