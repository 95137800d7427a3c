import { bus } from '../bus.ts';
import { startJobs } from '../jobs.ts';
import { deliverNotices } from './deliver.ts';
import { noticeWhatHappens, repairNotices } from './listen.ts';
import type { NotifyDeps } from './matter.ts';

/** What is due is looked for this often. */
const LOOK_EVERY_MS = 1_000;

/**
 * Mails people what they would miss: the team a chat that nobody reacts to, a visitor who left an answer, an invited
 * person the link. Nothing at all where the server sends no mail. Gives the function that stops it.
 */
export async function startNotices(deps: NotifyDeps): Promise<() => Promise<void>> {
  const { mail, now } = deps;
  if (!mail.enabled) return async () => {};
  const stopListening = noticeWhatHappens(deps);
  await repairNotices(now());
  const failed = (error: unknown) => bus.fail(error, 'notices');
  const jobs = [deliverNotices(deps), () => mail.deliverDue()];
  const stopJobs = startJobs(jobs, { everyMs: LOOK_EVERY_MS, now, failed });
  return async () => {
    stopListening();
    await Promise.all([stopJobs(), mail.stop()]);
  };
}
