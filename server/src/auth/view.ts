import type { User } from './contract.ts';
import type { UserDoc } from './model.ts';

/** The account as its owner sees it. */
export function userView(user: UserDoc): User {
  return { _id: user._id.toHexString(), name: user.name, email: user.email, role: user.role, avatar: null };
}
