import type { Types } from 'mongoose';
import { bus } from '../bus.ts';
import type { SiteDoc } from '../sites/model.ts';
import { eachSite } from '../sites/walk.ts';
import { siteFull, textBytes, type Usage } from '../usage/counter.ts';
import { type Bytes, UsageModel } from '../usage/model.ts';
import type { Words } from './actions.ts';
import { findSent } from './append.ts';
import { type MessageDoc, MessageModel, NoteModel } from './model.ts';

const BATCH = 500;
const DAY_MS = 86_400_000;
/** However well all was counted, now and then it is counted anew. */
const RECOUNT_AFTER_MS = 7 * DAY_MS;

/** What a message counts for. The one that closes a chat is Parley's own, and counts nothing. */
type Measured = Pick<MessageDoc, 'content' | 'event' | 'file'>;

/** How much a message takes. */
function messageBytes({ content, event, file }: Measured): Bytes {
  return { text: event === 'closed' ? 0 : textBytes(content), files: file?.size ?? 0 };
}

/**
 * Refuses what a site has no room for. What was sent before is let through: its retry is answered as ever.
 * @throws AppError 413 `SITE_FULL`
 */
export async function needRoom(usage: Usage, { _id }: SiteDoc, senderKey: string, words: Words): Promise<void> {
  if (words.kept || usage.fits(_id.toHexString(), { text: textBytes(words.content) })) return;
  const { clientId, content } = words;
  if (clientId !== undefined && (await findSent(senderKey, { clientId, content }))) return;
  throw siteFull(senderKey.startsWith('v:'));
}

/** Counts messages and notes as they come. Gives the function that stops it. */
export function countStorage(): () => void {
  return bus.stopAll([
    bus.on('messageStored', ({ message }) =>
      bus.tell('storageGrew', { siteId: message.site.toHexString(), ...messageBytes(message) }),
    ),
    bus.on('noteAdded', ({ note }) =>
      bus.tell('storageGrew', { siteId: note.site.toHexString(), text: textBytes(note.content), files: 0 }),
    ),
  ]);
}

/** How much the messages and notes of a chat take. */
export function bytesOfChat(chat: Types.ObjectId): Promise<Bytes> {
  return sumUp({ chat });
}

async function sumUp(of: object): Promise<Bytes> {
  const sum = { text: 0, files: 0 };
  const fields = { content: 1, event: 1, 'file.size': 1 };
  for await (const message of MessageModel.find(of, fields).lean<Measured>().cursor({ batchSize: BATCH })) {
    const { text, files } = messageBytes(message);
    sum.text += text;
    sum.files += files;
  }
  const notes = NoteModel.find(of, { content: 1 }).lean<{ content: string }>().cursor({ batchSize: BATCH });
  for await (const { content } of notes) sum.text += textBytes(content);
  return sum;
}

/** Counts anew what sites store that were never counted, not for long, or by a process that died. */
export function recountSites(usage: Usage) {
  return async (now: number, signal: AbortSignal): Promise<void> => {
    const since = new Date(now - RECOUNT_AFTER_MS);
    await eachSite(signal, async ({ _id: site }) => {
      if (await UsageModel.exists({ _id: site, countedAt: { $gt: since } })) return;
      // By their own time: an id knows whole seconds only, and what is younger than that would not be counted by anybody.
      await usage.recount(site.toHexString(), (before) => sumUp({ site, createdAt: { $lt: before } }));
    });
  };
}
