import { type ConfirmDeps, confirmPassword, confirmSecondStep, type SecondFactor } from '../auth/guards.ts';
import { type UserDoc, UserModel } from '../auth/model.ts';
import { dropPicture } from '../auth/pictures.ts';
import { dropResetLinks } from '../auth/reset.ts';
import type { Caller, Sessions } from '../auth/sessions.ts';
import { release } from '../chats/transfer.ts';
import { events } from '../events.ts';
import { conflict, unauthorized } from '../http/errors.ts';
import type { Job } from '../jobs.ts';
import { forgetDevicesOf } from '../push/devices.ts';
import { sitesOf, sitesOwnedBy } from '../sites/guards.ts';
import { dropMember } from '../team/members.ts';
import { dropInvitesBy } from '../team/model.ts';
import type { LeaveBody } from './contract.ts';

declare module '../events.ts' {
  interface Events {
    /** The account and what was kept of it are gone. */
    accountDeleted: { userId: string };
  }
}

/** More than one round's worth of people who left halfway is left to the next. */
const BATCH = 100;

/** What leaving takes. */
export interface LeaveDeps extends ConfirmDeps {
  sessions: Sessions;
  secondFactor: SecondFactor;
  /** Milliseconds */
  now: () => number;
}

/**
 * Deletes the caller's account. A mark comes first, and nobody signs in any more from then on; what a crash leaves is
 * removed by `finishLeaving`. Messages and notes belong to the chats, and stay under the name that they were written by.
 * @throws AppError 422 for a wrong password or second step, 409 while the account owns sites
 */
export async function leave(deps: LeaveDeps, { user }: Caller, body: LeaveBody): Promise<void> {
  await confirmPassword(deps, user, body.currentPassword);
  await confirmSecondStep(deps.secondFactor, user, body);
  if ((await sitesOwnedBy(user._id)).length > 0) throw ownsSites();
  const { modifiedCount } = await UserModel.updateOne(
    { _id: user._id, deletedAt: { $exists: false } },
    { $set: { deletedAt: new Date(deps.now()) } },
  );
  deps.sessions.forgetUser(user._id.toHexString());
  if (modifiedCount === 0) throw unauthorized();
  if (!(await remove(deps.sessions, user))) throw ownsSites();
}

/** Finishes deletions of accounts that a crash cut short. */
export function finishLeaving(sessions: Sessions): Job {
  return async (_now, signal) => {
    const leaving = await UserModel.find({ deletedAt: { $gt: new Date(0) } })
      .limit(BATCH)
      .lean<UserDoc[]>();
    for (const user of leaving) {
      if (signal.aborted) return;
      // One that fails keeps no other waiting.
      await remove(sessions, user).catch((error) => events.fail(error, 'deleting an account'));
    }
  };
}

/** Each step may be repeated, also by two at once; the account itself goes last. Says false, and lets the account live, when it owns a site. */
async function remove(sessions: Sessions, { _id, avatar, widget }: UserDoc): Promise<boolean> {
  const userId = _id.toHexString();
  const sites = await sitesOf(_id);
  if (sites.some(({ owner }) => owner.equals(_id))) {
    // A site was made or handed over in the very moment: it must not be left without an owner.
    await UserModel.updateOne({ _id }, { $unset: { deletedAt: 1 } });
    return false;
  }
  await sessions.endAll(_id, 'account_deleted');
  for (const site of sites) {
    await release(site, _id);
    await dropMember(site, userId, _id);
  }
  await dropInvitesBy(_id);
  await dropResetLinks(_id);
  await forgetDevicesOf(_id);
  for (const picture of [avatar, widget?.logo]) await dropPicture(picture);
  const { deletedCount } = await UserModel.deleteOne({ _id, deletedAt: { $exists: true } });
  if (deletedCount === 1) await events.emit('accountDeleted', { userId });
  return true;
}

function ownsSites() {
  return conflict('OWNS_SITES', 'You still own sites. Delete them, or hand them over to a colleague, and try again.');
}
