import type { Types } from 'mongoose';
import { pictureUrl } from '#platform/files';
import type { Device, User } from './contract.ts';
import { type SessionDoc, type UserDoc, userCache } from './model.ts';

/** A person as teammates see each other. */
export interface Person {
  _id: Types.ObjectId;
  name: string;
  email: string;
  /** The key of the picture's file. */
  avatar?: string | null;
}

/** The people with these user ids, by hex id; deleted accounts are left out. */
export async function peopleById(ids: Types.ObjectId[]): Promise<Map<string, Person>> {
  if (ids.length === 0) return new Map();
  const distinct = [...new Set(ids.map((id) => id.toHexString()))];
  const found = await Promise.all(distinct.map(userCache.find));
  return new Map(found.flatMap((person) => (person ? [[person._id.toHexString(), person]] : [])));
}

/** The account as its owner sees it. @param mail whether there is any, so that the address can be proved */
export function userView(user: UserDoc, mail = { enabled: false }): User {
  const { name, email, role, available, autoAwayMinutes, singleKeyShortcuts, language, unprovedEmail } = user;
  return {
    _id: user._id.toHexString(),
    name,
    email,
    role,
    avatar: pictureUrl(user.avatar),
    available,
    ...(autoAwayMinutes && { autoAwayMinutes }),
    ...(singleKeyShortcuts === false && { singleKeyShortcuts }),
    ...(language && language !== 'auto' && { language }),
    ...(unprovedEmail && mail.enabled && { unprovedEmail }),
  };
}

/** A signed-in device as the account's owner sees it. */
export function deviceView({ _id, userAgent, createdAt, lastUsedAt }: SessionDoc, currentId: string): Device {
  const id = _id.toHexString();
  const times = { createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt.toISOString() };
  return { _id: id, current: id === currentId, userAgent, ...times };
}
