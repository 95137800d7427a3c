import type { Types } from 'mongoose';
import { UserModel } from './model.ts';

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
  const distinct = [...new Map(ids.map((id) => [id.toHexString(), id])).values()];
  if (distinct.length === 0) return new Map();
  const people = await UserModel.find({ _id: { $in: distinct } }, { name: 1, email: 1, avatar: 1 }).lean<Person[]>();
  return new Map(people.map((person) => [person._id.toHexString(), person]));
}
