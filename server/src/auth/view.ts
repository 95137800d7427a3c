import { pictureUrl } from '../files/view.ts';
import type { Device, User } from './contract.ts';
import type { SessionDoc, UserDoc } from './model.ts';

/** The account as its owner sees it. */
export function userView(user: UserDoc): User {
  const { name, email, role, available } = user;
  return { _id: user._id.toHexString(), name, email, role, avatar: pictureUrl(user.avatar), available };
}

/** A signed-in device as the account's owner sees it. */
export function deviceView({ _id, userAgent, createdAt, lastUsedAt }: SessionDoc, currentId: string): Device {
  const id = _id.toHexString();
  const times = { createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt.toISOString() };
  return { _id: id, current: id === currentId, userAgent, ...times };
}
