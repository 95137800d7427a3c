import { bus } from '../bus.ts';
import { startJobs } from '../jobs.ts';
import { deliverNotices, noticeIsAwaited } from './deliver.ts';
import { noticeWhatHappens, repairNotices } from './listen.ts';
import type { NotifyDeps } from './matter.ts';
import { ringDevices } from './push.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * Tells people what they would miss: the team a chat that nobody reacts to, by push and mail, a visitor who left an answer,
 * an invited person the link. Where the server sends no mail, only devices ring. Gives the function that stops it.
 * @param everyMs how often is looked for what is due, while anything waits for its time
 */
export async function startNotices(deps: NotifyDeps, everyMs = LOOK_EVERY_MS): Promise<() => Promise<void>> {
  const { mail, now } = deps;
  const stopListening = bus.stopAll([ringDevices(deps), ...(mail.enabled ? [noticeWhatHappens(deps)] : [])]);
  if (mail.enabled) await repairNotices(now());
  const jobs = startJobs([deliverNotices(deps), ...(mail.enabled ? [async () => mail.deliverDue()] : [])], {
    everyMs,
    now,
    failed: (error) => bus.fail(error, 'notices'),
    isAwaited: async () => (await noticeIsAwaited(mail)) || mail.isAwaited(),
  });
  const stopWaking = bus.on('deliveryAwaited', jobs.wake);
  return async () => {
    stopListening();
    stopWaking();
    await Promise.all([jobs.stop(), mail.stop()]);
  };
}
