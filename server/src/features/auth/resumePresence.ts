import type { Presence } from '#features/presence';
import { MINUTE_MS } from '#platform/time';
import { type UserDoc, UserModel } from './model.ts';

/** How long after its stop the server must have started again for that to be a restart. */
const RESTART_MAX_MS = 2 * MINUTE_MS;

/**
 * Makes a restart of the server, as for an update, what any lost connection is to visitors: who was online at the stop counts as
 * online until the dashboards have had time to connect again.
 * @param now milliseconds
 * @returns call at the stop: it keeps in the accounts who is online
 */
export async function resumePresence({
  presence,
  now,
}: {
  presence: Presence;
  now: () => number;
}): Promise<() => Promise<void>> {
  const since = new Date(now() - RESTART_MAX_MS);
  const before = await UserModel.find({ onlineAt: { $gt: since }, available: true }, 'autoAwayMinutes').lean<
    UserDoc[]
  >();
  for (const { _id, autoAwayMinutes = 0 } of before)
    presence.agentWasOnline(_id.toHexString(), autoAwayMinutes * MINUTE_MS);

  return async () => {
    const online = presence.agentsOnline();
    await UserModel.updateMany({ onlineAt: { $exists: true }, _id: { $nin: online } }, { $unset: { onlineAt: 1 } });
    await UserModel.updateMany({ _id: { $in: online } }, { $set: { onlineAt: new Date(now()) } });
  };
}
