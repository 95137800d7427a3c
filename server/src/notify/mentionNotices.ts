import { Types } from 'mongoose';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { type NoteDoc, NoteModel } from '../chats/noteModel.ts';
import { lastIdOf, type Projection, reportLost } from '../chats/reconciler.ts';
import { events } from '../events.ts';
import { withRetries } from '../retry.ts';
import { liveSite } from '../sites/guards.ts';
import { DAY_MS } from '../time.ts';
import { type NoteOfChat, notePath, storeMentions } from './mentions.ts';
import type { NotifyDeps } from './model.ts';
import { ringMentioned } from './push.ts';
import { scheduleMentionMail } from './schedule.ts';

const NAME = 'mentions';
/** Notes that a repair reads at a time. */
const BATCH = 200;
/** Of older notes only the bell tells: a mail or a ring would be out of date. */
const MAX_AGE_MS = DAY_MS;
/** Before every note. */
const NO_NOTE = new Types.ObjectId('0'.repeat(24));

/**
 * Notifies members of notes that mention them. The note is stored with a mark, which is removed when they are notified:
 * what a crash leaves is found by the reconciler (decision 008).
 * @returns a disposer
 */
export function notifyOfMentions(deps: NotifyDeps): () => void {
  const failed = (error: unknown) => events.fail(error, 'notices of mentions');
  return events.on('noteAdded', ({ chat, site, note }) => {
    // Not awaited: devices may ring later than the next event of the chat comes.
    if (note.unnotified) withRetries(() => settle(deps, { chat, site, note }), { failed }).catch(failed);
  });
}

/** Notices of notes that mention members. */
export function mentionNotices(deps: NotifyDeps): Projection {
  return {
    name: NAME,
    first: async () => 0,
    check: async ({ until }) => (await NoteModel.exists(markedUpTo(until))) !== null,
    async repair({ until }, signal) {
      let after = NO_NOTE;
      while (!signal.aborted) {
        const notes = await NoteModel.find(markedUpTo(until, after)).sort({ _id: 1 }).limit(BATCH).lean<NoteDoc[]>();
        reportLost(NAME, notes.length);
        for (const note of notes)
          await settleLate(deps, note).catch((error) => events.fail(error, 'notices of mentions'));
        if (notes.length < BATCH) break;
        after = notes.at(-1)?._id ?? after;
      }
      return until;
    },
  };
}

const markedUpTo = (second: number, after = NO_NOTE) => ({
  unnotified: true as const,
  _id: { $gt: after, $lte: lastIdOf(second) },
});

async function settleLate(deps: NotifyDeps, note: NoteDoc): Promise<void> {
  const [chat, site] = await Promise.all([
    ChatModel.findById(note.chat).lean<ChatDoc>(),
    liveSite(note.site.toHexString()),
  ]);
  if (chat && site) await settle(deps, { chat, site, note });
  else await unmark(note);
}

/** Idempotent, except that a device can ring twice. */
async function settle(deps: NotifyDeps, of: NoteOfChat): Promise<void> {
  const { chat, note } = of;
  const unread = chat.bot ? [] : await storeMentions(of);
  const [first] = unread;
  if (first && note.createdAt.getTime() > deps.now() - MAX_AGE_MS) {
    if (deps.mail.enabled) await scheduleMentionMail(chat, note.createdAt.getTime());
    await ringMentioned(deps, of, { users: unread.map(({ user }) => user), path: notePath(first) });
  }
  await unmark(note);
}

async function unmark({ _id }: NoteDoc): Promise<void> {
  await NoteModel.updateOne({ _id }, { $unset: { unnotified: 1 } });
}
