import type { Types } from 'mongoose';
import { type Caller, type Sessions, type UserDoc, UserModel } from '#features/auth';
import type { PlatformRole } from '#features/auth/contract';
import { removeInvitesBy } from '#features/team';
import { events } from '#platform/events';
import { conflict, forbidden, notFound, sentence } from '#platform/http';
import type { AccountPatch } from './contract.ts';

declare module '#platform/events' {
  interface Events {
    /** The account is suspended: sign-in is refused and its sessions are ended. */
    accountSuspended: { userId: string; by: Types.ObjectId | null };
    accountRestored: { userId: string; by: Types.ObjectId | null };
    platformRoleChanged: { userId: string; role: PlatformRole; by: Types.ObjectId | null };
  }
}

/**
 * The guard of the platform admins' calls. It gives no access to sites or chats, which require membership.
 * @throws AppError 403
 */
export async function platformAdmin({ user }: Caller): Promise<void> {
  if (user.role !== 'parley_admin') throw forbidden();
}

/** An account for a platform admin. @throws AppError 403, 404 */
export async function accountFor(caller: Caller, { id }: { id: string }): Promise<UserDoc> {
  await platformAdmin(caller);
  const account = await UserModel.findOne({ _id: id, deletedAt: null }).lean<UserDoc>();
  if (!account) throw notFound('user');
  return account;
}

/**
 * Suspends or restores an account, or sets its role on the instance. The sessions of a suspended person have ended before
 * this resolves.
 * @param by null: the OpenID Connect provider decides it
 * @throws AppError 409 `OWN_ACCOUNT` for suspending oneself, `LAST_ADMIN` where no platform admin would be left
 */
export async function changeAccount(
  sessions: Sessions,
  by: Types.ObjectId | null,
  account: UserDoc,
  { suspended, role }: AccountPatch,
): Promise<UserDoc> {
  if (suspended && by?.equals(account._id))
    throw conflict('OWN_ACCOUNT', sentence('You cannot suspend your own account.'));
  const mayBeLast = account.role === 'parley_admin' && (suspended === true || role === 'user');
  if (mayBeLast) await anotherAdmin(account);
  const changed = await UserModel.findOneAndUpdate(
    { _id: account._id, deletedAt: null },
    {
      $set: { ...(role ? { role } : {}), ...(suspended ? { suspendedAt: account.suspendedAt ?? new Date() } : {}) },
      ...(suspended === false ? { $unset: { suspendedAt: 1 } } : {}),
    },
    { returnDocument: 'after' },
  ).lean<UserDoc>();
  if (!changed) throw notFound('user');
  if (mayBeLast) await anotherAdmin(account).catch((refusal) => undo(account, refusal));
  await follow(sessions, by, account, changed);
  return changed;
}

/**
 * Checks that another platform admin exists. Called before and after the write: two admins who demote each other at once
 * are both refused.
 */
async function anotherAdmin({ _id }: UserDoc): Promise<void> {
  const living = { suspendedAt: null, deletedAt: null };
  if (await UserModel.exists({ role: 'parley_admin', _id: { $ne: _id }, ...living })) return;
  throw conflict('LAST_ADMIN', sentence('This is the last account that can administer this server.'));
}

async function undo({ _id, role, suspendedAt }: UserDoc, refusal: unknown): Promise<never> {
  await UserModel.updateOne({ _id }, { $set: { role }, ...(suspendedAt ? {} : { $unset: { suspendedAt: 1 } }) });
  throw refusal;
}

async function follow(sessions: Sessions, by: Types.ObjectId | null, before: UserDoc, after: UserDoc): Promise<void> {
  const userId = after._id.toHexString();
  sessions.forgetUser(userId);
  if (after.role !== before.role) await events.emit('platformRoleChanged', { userId, role: after.role, by });
  if (after.suspendedAt) await sessions.endAll(after._id, 'suspended');
  if (after.suspendedAt) await removeInvitesBy(after._id);
  if (after.suspendedAt && !before.suspendedAt) await events.emit('accountSuspended', { userId, by });
  if (!after.suspendedAt && before.suspendedAt) await events.emit('accountRestored', { userId, by });
}
