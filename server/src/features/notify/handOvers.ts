import { type ChatDoc, ChatModel } from '#features/chats';
import { isOnlineFor, liveSite, type SiteDoc } from '#features/sites';
import { events } from '#platform/events';
import { withRetries } from '#platform/time';
import { markedProjection, marksIn, type Projection } from '#platform/work';
import { MAX_AGE_MS, type NotifyDeps } from './model.ts';
import { pushNewClaimer, pushUnsnoozed, pushWaiting } from './push.ts';
import { forgetMailsBefore, scheduleWaitingMail } from './schedule.ts';

/**
 * Notifies people of chats that wait again, of those that the assistant leaves to them, and of those that a colleague has given to them or that are back from a snooze.
 * The write that does it marks the chat, and the mark is removed when they are notified: what a crash leaves is found by the reconciler (decision 008).
 * @returns a disposer
 */
export function notifyOfHandOvers(deps: NotifyDeps): () => void {
  const failed = (error: unknown) => events.fail(error, 'notices of a chat handed over');
  const onHandOver = async ({ chat, site }: { chat: ChatDoc; site: SiteDoc }) => {
    if (!chat.unnotified) return;
    const notified = withRetries(() => notify(deps, chat, site, deps.now()), { failed }).catch(failed);
    // Devices may ring later than the next event of the chat comes.
    if (chat.claimedBy === null) await notified;
  };
  return events.stopAll([
    // Of one whom a member has taken from the assistant, the reconciler looks whether anybody is there for it.
    events.on('messageAdded', (event) =>
      event.message.event === 'handed_over' && event.message.reason !== 'agent' ? onHandOver(event) : undefined,
    ),
    events.on('chatHandedBack', onHandOver),
    events.on('chatQueued', onHandOver),
    events.on('chatClaimed', onHandOver),
    events.on('chatWoken', onHandOver),
  ]);
}

/** Notices of chats that were handed over. */
export const handOvers = (deps: NotifyDeps): Projection =>
  markedProjection(
    'handOvers',
    marksIn({ model: ChatModel, mark: 'unnotified', finish: (chat) => notifyLate(deps, chat) }),
  );

async function notifyLate(deps: NotifyDeps, chat: ChatDoc): Promise<void> {
  const at = chat.unnotified?.getTimestamp().getTime() ?? 0;
  const site = at > deps.now() - MAX_AGE_MS ? await liveSite(chat.site.toHexString()) : null;
  if (site) await notify(deps, chat, site, at);
  else await unmark(chat);
}

/** Idempotent, except that a device can ring twice. @param at when the chat was handed over, in milliseconds */
async function notify(deps: NotifyDeps, chat: ChatDoc, site: SiteDoc, at: number): Promise<void> {
  if (chat.claimedBy !== null) await (chat.handedBy === undefined ? pushUnsnoozed : pushNewClaimer)(deps, chat, site);
  else if (chat.open) {
    const isFirst = chat.assistant?.reason !== undefined && chat.firstResponseAt === undefined;
    const isOffline = isFirst && !isOnlineFor(site, chat, deps.presence, deps.now());
    if (deps.mail.enabled && chat.queuedAt) await forgetMailsBefore(chat, chat.queuedAt);
    if (deps.mail.enabled) await scheduleWaitingMail(chat, at, isOffline);
    await pushWaiting(deps, chat, site);
  }
  await unmark(chat);
}

/** Removes the mark, except if the chat was handed over again. */
async function unmark({ _id, unnotified }: ChatDoc): Promise<void> {
  await ChatModel.updateOne({ _id, unnotified: unnotified ?? null }, { $unset: { unnotified: 1, woken: 1 } });
}
