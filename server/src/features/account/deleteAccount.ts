import { removeApiKeysOf } from '#features/apikeys';
import {
  type ConfirmDeps,
  confirm,
  removePicture,
  removeResetLinks,
  type SessionCaller,
  type Sessions,
  type UserDoc,
  UserModel,
} from '#features/auth';
import type { Confirmation } from '#features/auth/contract';
import { releaseChats } from '#features/chats';
import { removeViewsOf } from '#features/inbox';
import { sitesOfUser, sitesOwnedBy } from '#features/sites';
import { dropMember, removeInvitesBy } from '#features/team';
import { removeOne } from '#platform/database';
import { events } from '#platform/events';
import { conflict, sentence, unauthorized } from '#platform/http';
import { forgetDevicesOf } from '#platform/push';
import type { Job } from '#platform/work';

declare module '#platform/events' {
  interface Events {
    /** The account and the data kept of it are deleted. */
    accountDeleted: { userId: string };
  }
}

/** The most interrupted deletions that one round finishes; the next round takes more. */
const BATCH = 100;

export interface DeleteAccountDeps extends ConfirmDeps {
  sessions: Sessions;
}

/**
 * Deletes the caller's account. A tombstone (`deletedAt`) is written first, from which on sign-in is refused;
 * `finishDeletions` completes what a crash interrupts. Messages and notes belong to the chats: they stay, under the name
 * with which they were written.
 * @throws AppError 422 for a wrong password or second step, 409 while the account owns sites
 */
export async function deleteAccount(deps: DeleteAccountDeps, caller: SessionCaller, body: Confirmation): Promise<void> {
  const { user } = caller;
  await confirm(deps, caller, body);
  if ((await sitesOwnedBy(user._id)).length > 0) throw ownsSites();
  const { modifiedCount } = await UserModel.updateOne(
    { _id: user._id, deletedAt: { $exists: false } },
    { $set: { deletedAt: new Date(deps.now()) } },
  );
  deps.sessions.forgetUser(user._id.toHexString());
  if (modifiedCount === 0) throw unauthorized();
  if (!(await remove(deps.sessions, user))) throw ownsSites();
}

/** A job that completes deletions of accounts which a crash interrupted. */
export function finishDeletions(sessions: Sessions): Job {
  return async (_now, signal) => {
    const leaving = await UserModel.find({ deletedAt: { $gt: new Date(0) } })
      .limit(BATCH)
      .lean<UserDoc[]>();
    for (const user of leaving) {
      if (signal.aborted) return;
      // A failure is logged only, so that the other accounts are still deleted.
      await remove(sessions, user).catch((error) => events.fail(error, 'deleting an account'));
    }
  };
}

/**
 * Deletes an account's data and then the account itself. Every step is idempotent and may run twice at once.
 * @returns false where the account owns a site and therefore stays
 */
async function remove(sessions: Sessions, { _id, avatar, widget }: UserDoc): Promise<boolean> {
  const userId = _id.toHexString();
  const sites = await sitesOfUser(_id);
  if (sites.some(({ owner }) => owner.equals(_id))) {
    // A site was made or handed over during the deletion: it must not be left without an owner.
    await UserModel.updateOne({ _id }, { $unset: { deletedAt: 1 } });
    return false;
  }
  await sessions.endAll(_id, 'account_deleted');
  for (const site of sites) {
    await releaseChats(site, _id);
    await dropMember(site, userId, _id);
  }
  await removeApiKeysOf(_id);
  await removeInvitesBy(_id);
  await removeResetLinks(_id);
  await forgetDevicesOf(_id);
  await removeViewsOf(_id);
  for (const picture of [avatar, widget?.logo]) await removePicture(picture);
  const removed = await removeOne(UserModel, { _id, deletedAt: { $exists: true } });
  if (removed) await events.emit('accountDeleted', { userId });
  return true;
}

function ownsSites() {
  return conflict(
    'OWNS_SITES',
    sentence('You still own sites. Delete them, or hand them over to a colleague, and try again.'),
  );
}
