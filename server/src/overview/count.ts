import { bus } from '../bus.ts';
import { type ChatDoc, ChatModel, type MessageDoc } from '../chats/model.ts';
import { prepareFigures, rebuildFigures } from './rebuild.ts';
import { record, type Tally, tallyAnswered, tallyBegun, tallyNamed } from './tally.ts';

/** The background work that keeps the figures. */
interface Counting {
  /** Counts what has happened, and ends. */
  stop(): Promise<void>;
}

/** Keeps the figures from now on; what was never counted before is counted in the background. */
export async function startFigures(): Promise<Counting> {
  const stopping = new AbortController();
  const until = new Date();
  const missing = await prepareFigures();
  const counting = startCounting();
  const rebuilt = missing ? rebuildFigures(until, stopping.signal) : Promise.resolve();
  const rebuilding = rebuilt.catch((error) => bus.fail(error, 'figures'));
  return {
    async stop() {
      stopping.abort();
      await Promise.all([counting.stop(), rebuilding]);
    },
  };
}

/**
 * Keeps the figures up with the chats, after the commit and beside the announcements. Each transition is told once, or
 * guarded by a field that is set once. A crash may cost those that were committed and not yet counted, a handful at
 * most; `rebuildFigures` counts anew.
 */
function startCounting(): Counting {
  const running = new Set<Promise<void>>();

  function count(chat: ChatDoc, work: (tally: Tally) => void | Promise<void>): void {
    if (chat.bot) return;
    const run = counted(chat, work)
      .catch((error) => bus.fail(error, 'figures'))
      .finally(() => running.delete(run));
    running.add(run);
  }

  const stopListening = bus.stopAll([
    bus.on('chatOpened', ({ chat }) => count(chat, (tally) => tallyBegun(tally, chat))),
    bus.on('chatChanged', ({ chat }) => {
      if (chat.visitorInfo.name !== null && !chat.named && chat.lastSeq > 0) count(chat, (tally) => named(tally, chat));
    }),
    bus.on('messageAdded', ({ chat, message }) => {
      if (message.sender === 'agent' && !chat.firstResponseAt) count(chat, (tally) => answered(tally, chat, message));
    }),
    bus.on('chatRemoved', ({ chat }) => {
      if (chat.lastSeq > 0) count(chat, (tally) => tallyGone(tally, chat));
    }),
  ]);

  return {
    async stop() {
      stopListening();
      await Promise.all(running);
    },
  };
}

async function counted(chat: ChatDoc, work: (tally: Tally) => void | Promise<void>): Promise<void> {
  const tally: Tally = new Map();
  await work(tally);
  await record(chat.site, tally);
}

async function named(tally: Tally, { _id }: ChatDoc): Promise<void> {
  const { modifiedCount } = await ChatModel.updateOne({ _id, named: { $ne: true } }, { $set: { named: true } });
  if (modifiedCount === 1) tallyNamed(tally);
}

/** The first message of a chat that an agent began answers nobody: its response comes at once. */
async function answered(tally: Tally, chat: ChatDoc, { seq, createdAt }: MessageDoc): Promise<void> {
  const firstResponseAt = seq === 1 ? chat.createdAt : createdAt;
  const { modifiedCount } = await ChatModel.updateOne(
    { _id: chat._id, firstResponseAt: null },
    { $set: { firstResponseAt } },
  );
  if (modifiedCount === 1) tallyAnswered(tally, { ...chat, firstResponseAt });
}

function tallyGone(tally: Tally, chat: ChatDoc): void {
  tallyBegun(tally, chat, -1);
  tallyAnswered(tally, chat, -1);
  if (chat.named) tallyNamed(tally, -1);
}
