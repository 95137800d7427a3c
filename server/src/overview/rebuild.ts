import { before, pageOf } from '../chats/lists.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '../chats/model.ts';
import { MarkModel } from '../search/model.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import { FigureModel } from './model.ts';
import { record, type Tally, tallyAnswered, tallyBegun, tallyNamed } from './tally.ts';

/** Another number whenever other figures are counted: the next start counts all anew. */
const MARK = 'figures:2';
const BATCH = 200;

/**
 * Empties the figures, if they were never made or somebody removed their mark, so that counting may begin.
 * @returns whether `rebuildFigures` has to count what happened before
 */
export async function prepareFigures(): Promise<boolean> {
  if (await MarkModel.exists({ _id: MARK })) return false;
  await FigureModel.deleteMany({});
  return true;
}

/**
 * Counts all chats that began before a moment, batch by batch, while newer ones are counted as they come. A crash
 * leaves no mark, and the next start begins again.
 */
export async function rebuildFigures(until: Date, signal: AbortSignal): Promise<void> {
  for await (const site of SiteModel.find({ deletedAt: null }, { _id: 1 }).lean<SiteDoc[]>().cursor()) {
    await record(site._id, await tallySite(site, until, signal));
    if (signal.aborted) return;
  }
  await MarkModel.updateOne({ _id: MARK }, { $set: { at: until } }, { upsert: true });
}

async function tallySite({ _id: site }: Pick<SiteDoc, '_id'>, until: Date, signal: AbortSignal): Promise<Tally> {
  const tally: Tally = new Map();
  const begun = { site, bot: false, status: { $in: ['waiting', 'active', 'closed'] }, createdAt: { $lt: until } };
  for (let cursor: string | null = ''; cursor !== null && !signal.aborted; ) {
    const found: ChatDoc[] = await ChatModel.find({ $and: [begun, cursor === '' ? {} : before('createdAt', cursor)] })
      .sort({ createdAt: -1, _id: -1 })
      .limit(BATCH + 1)
      .lean<ChatDoc[]>();
    const page = pageOf('createdAt', found, BATCH);
    const chats = page.chats.filter(({ lastSeq }) => lastSeq > 0);
    const responses = await findResponses(chats);
    for (const chat of chats) {
      tallyBegun(tally, chat);
      if (chat.visitorInfo.name !== null) tallyNamed(tally);
      const firstResponseAt = chat.firstResponseAt ?? responses.get(chat._id.toHexString());
      if (firstResponseAt) tallyAnswered(tally, { ...chat, firstResponseAt });
    }
    await remember(chats, responses);
    cursor = page.nextCursor;
  }
  return tally;
}

/** When chats that do not know it got their first response. */
async function findResponses(chats: ChatDoc[]): Promise<Map<string, Date>> {
  const open = chats.filter(({ firstResponseAt }) => !firstResponseAt);
  const responses = new Map<string, Date>();
  if (open.length === 0) return responses;
  const messages = await MessageModel.find(
    { chat: { $in: open.map(({ _id }) => _id) }, sender: 'agent' },
    { chat: 1, seq: 1, createdAt: 1 },
  )
    .sort({ seq: -1 })
    .lean<MessageDoc[]>();
  for (const { chat, createdAt } of messages) responses.set(chat.toHexString(), createdAt);
  return responses;
}

/** Writes on the chats what has been counted of them, so that it is not counted again. */
async function remember(chats: ChatDoc[], responses: Map<string, Date>): Promise<void> {
  const named = chats.filter((chat) => chat.visitorInfo.name !== null && !chat.named).map(({ _id }) => _id);
  if (named.length > 0) await ChatModel.updateMany({ _id: { $in: named } }, { $set: { named: true } });
  for (const [_id, firstResponseAt] of responses)
    await ChatModel.updateOne({ _id, firstResponseAt: null }, { $set: { firstResponseAt } });
}
