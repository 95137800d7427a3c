import { type ChatDoc, ChatModel, type NoteDoc, NoteModel } from '#features/chats';
import { liveSite } from '#features/sites';
import { events } from '#platform/events';
import { withRetries } from '#platform/time';
import { markedProjection, marksIn, type Projection } from '#platform/work';
import { type NoteOfChat, notePath, storeMentions } from './mentions.ts';
import { MAX_AGE_MS, type NotifyDeps } from './model.ts';
import { pushMentioned } from './push.ts';
import { scheduleMentionMail } from './schedule.ts';

/**
 * Notifies members of notes that mention them. The note is stored with a mark, which is removed when they are notified:
 * what a crash leaves is found by the reconciler (decision 008).
 * @returns a disposer
 */
export function notifyOfMentions(deps: NotifyDeps): () => void {
  const failed = (error: unknown) => events.fail(error, 'notices of mentions');
  return events.on('noteAdded', ({ chat, site, note }) => {
    // Not awaited: devices may ring later than the next event of the chat comes.
    if (note.unnotified) withRetries(() => notify(deps, { chat, site, note }), { failed }).catch(failed);
  });
}

/** Notices of notes that mention members. */
export const mentionNotices = (deps: NotifyDeps): Projection =>
  markedProjection(
    'mentions',
    marksIn({
      model: NoteModel,
      mark: '_id',
      filter: { unnotified: true },
      finish: (note) => notifyLate(deps, note),
    }),
  );

async function notifyLate(deps: NotifyDeps, note: NoteDoc): Promise<void> {
  const [chat, site] = await Promise.all([
    ChatModel.findById(note.chat).lean<ChatDoc>(),
    liveSite(note.site.toHexString()),
  ]);
  if (chat && site) await notify(deps, { chat, site, note });
  else await unmark(note);
}

/** Idempotent, except that a device can ring twice. */
async function notify(deps: NotifyDeps, of: NoteOfChat): Promise<void> {
  const { chat, note } = of;
  const unread = chat.bot ? [] : await storeMentions(of);
  const [first] = unread;
  // Older mentions are only listed behind the bell.
  if (first && note.createdAt.getTime() > deps.now() - MAX_AGE_MS) {
    if (deps.mail.enabled) await scheduleMentionMail(chat, note.createdAt.getTime());
    await pushMentioned(deps, of, { users: unread.map(({ user }) => user), path: notePath(first) });
  }
  await unmark(note);
}

async function unmark({ _id }: NoteDoc): Promise<void> {
  await NoteModel.updateOne({ _id }, { $unset: { unnotified: 1 } });
}
