import type { Types } from 'mongoose';
import { recentUsers, type UserDoc, UserModel } from './model.ts';

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
  const people = new Map<string, Person>();
  const unread = new Set<string>();
  for (const id of ids.map((id) => id.toHexString())) {
    const kept = recentUsers.get(id);
    if (kept) people.set(id, kept);
    else unread.add(id);
  }
  if (unread.size === 0) return people;
  const keep = recentUsers.reading([...unread]);
  const read = await UserModel.find({ _id: { $in: [...unread] } }).lean<UserDoc[]>();
  keep(read);
  for (const person of read) people.set(person._id.toHexString(), person);
  return people;
}
