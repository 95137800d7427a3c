import { type ChatDoc, ChatModel, messageProjection, secondBeforeNewest } from '#features/chats';
import { liveSite } from '#features/sites';
import { events } from '#platform/events';
import { withRetries } from '#platform/time';
import { ProcessedMessages, type Projection, reportLost } from '#platform/work';
import { MAX_AGE_MS, type NotifiedMessage, type NotifyDeps } from './model.ts';
import { createThrottle, pushMessage, pushMissed, RING_EVERY_MS } from './push.ts';
import { scheduleMails, scheduleMissedMails } from './schedule.ts';

const NAME = 'notices';
/** Without a checkpoint (older versions kept none), this many newest messages are checked. */
const NEWEST = 200;

/** The messages that people are, or need not be, notified of. */
const processed = new ProcessedMessages();

/** Schedules mails on messages, and rings devices when a visitor writes. @returns a disposer */
export function notifyOfMessages(deps: NotifyDeps): () => void {
  const throttle = createThrottle(RING_EVERY_MS);
  const failed = (error: unknown) => events.fail(error, 'notices');
  const stopListening = events.on('messageAdded', async (event) => {
    const { chat, site, message } = event;
    const isRinging = message.sender === 'visitor' && !chat.bot;
    // Not awaited: devices may ring later than the next message comes.
    const rung = isRinging
      ? throttle.run(chat._id.toHexString(), () => withRetries(() => pushMessage(deps, site, message), { failed }))
      : Promise.resolve();
    const scheduled = deps.mail.enabled ? withRetries(() => scheduleMails(event, deps), { failed }) : Promise.resolve();
    Promise.all([rung, scheduled]).then(() => processed.add(message), failed);
    await scheduled.catch(() => {});
  });
  return () => {
    stopListening();
    throttle.stop();
  };
}

/** Notices of messages: mails to the team and to visitors, and rings of devices. */
export function notices(deps: NotifyDeps): Projection {
  return messageProjection({
    name: NAME,
    first: () => secondBeforeNewest(NEWEST),
    fields: ['chat', 'seq', 'sender', 'rule', 'createdAt'],
    processed: processed,
    async repair(messages) {
      const recent = messages.filter(({ createdAt, rule }) => !rule && createdAt.getTime() > deps.now() - MAX_AGE_MS);
      const found = await ChatModel.find({ _id: { $in: recent.map(({ chat }) => chat) } }).lean<ChatDoc[]>();
      const chats = new Map(found.map((chat) => [chat._id.toHexString(), chat]));
      // The newest message of either side covers all earlier ones of its chat.
      const newest = new Map<string, (typeof recent)[number]>();
      for (const message of recent) {
        const side = `${message.chat} ${message.sender}`;
        // Ids that two processes made within one second are in no order.
        if (message.seq > (newest.get(side)?.seq ?? 0)) newest.set(side, message);
      }
      const late = new Set<ChatDoc>();
      for (const message of newest.values()) {
        const chat = chats.get(message.chat.toHexString());
        if (chat && (await notifyLate(deps, chat, message))) late.add(chat);
      }
      reportLost(NAME, late.size);
    },
  });
}

/** @returns whether anybody had not been notified */
async function notifyLate(deps: NotifyDeps, chat: ChatDoc, message: NotifiedMessage): Promise<boolean> {
  const isMailed = deps.mail.enabled && (await scheduleMissedMails(chat, message));
  const site = await liveSite(chat.site.toHexString());
  const isRinging = site && message.sender === 'visitor' && !chat.bot;
  return (isRinging && (await pushMissed(deps, chat, site, message))) || isMailed;
}
