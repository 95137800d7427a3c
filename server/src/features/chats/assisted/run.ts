import { Types } from 'mongoose';
import type { AnswerSource } from '#features/assistant/contract';
import type { ChatOfSite } from '../guards.ts';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { append } from '../messages/messages.ts';
import { type ChatDoc, ChatModel } from '../model.ts';
import { followUp } from '../row/projection.ts';
import { derivedClientId } from './handOver.ts';

/** Messages that a run looks at; in so many, the last question and what was said before it are. */
const READ_MAX = 40;

/** One attempt of the assistant to answer what a visitor has asked up to a message. */
export interface AssistantRunOf {
  run: Types.ObjectId;
  upTo: number;
}

/** Only a chat that the assistant still has with this run. */
const withRun = ({ _id }: ChatDoc, { run }: AssistantRunOf) => ({
  _id,
  open: true as const,
  assisted: true as const,
  'assistant.run': run,
});

/**
 * Begins a run, if the message is still the newest one of the chat and the assistant has it. A run before it ends with that.
 * @returns null: there is nothing to answer any more
 */
export async function beginRun({ chat }: ChatOfSite, upTo: number, since: Date): Promise<AssistantRunOf | null> {
  const run = new Types.ObjectId();
  const { modifiedCount } = await ChatModel.updateOne(
    { _id: chat._id, open: true, assisted: true, blocked: false, lastSeq: upTo },
    { $set: { 'assistant.run': run, 'assistant.since': since, 'assistant.upTo': upTo }, $inc: { rev: 1 } },
  );
  return modifiedCount > 0 ? { run, upTo } : null;
}

/** Ends a run to which there is no question any more. */
export async function dropRun({ chat }: ChatOfSite, of: AssistantRunOf): Promise<void> {
  const gone = { 'assistant.run': 1, 'assistant.since': 1, 'assistant.upTo': 1, waitingSince: 1 } as const;
  await ChatModel.updateOne(withRun(chat, of), { $unset: gone, $inc: { rev: 1 } });
}

/** Whether the chat still has this run. */
export async function hasRun({ chat }: ChatOfSite, of: AssistantRunOf): Promise<boolean> {
  return (await ChatModel.exists(withRun(chat, of))) !== null;
}

/** What a visitor has asked since the last answer, and what was said before; both without deleted messages, oldest first. */
export async function readQuestion(
  { chat }: ChatOfSite,
  { upTo }: AssistantRunOf,
): Promise<{ asked: MessageDoc[]; before: MessageDoc[] }> {
  const newest = await MessageModel.find({ chat: chat._id, seq: { $lte: upTo } })
    .sort({ seq: -1 })
    .limit(READ_MAX)
    .lean<MessageDoc[]>();
  const last = newest.findIndex(({ sender }) => sender !== 'visitor');
  const at = last < 0 ? newest.length : last;
  const shown = (messages: MessageDoc[]) => messages.filter(({ deletedAt }) => !deletedAt).reverse();
  return { asked: shown(newest.slice(0, at)), before: shown(newest.slice(at)) };
}

/** An answer of the assistant. */
interface Answer {
  content: string;
  sources: AnswerSource[];
  /** What the site calls the assistant; null: it has no name of its own. */
  name: string | null;
}

/**
 * Stores an answer in one insert, right behind the question: where anything stands there already, such as an agent's answer, the
 * message with which people took over, or more of the visitor, nothing is stored. Idempotent.
 * @returns whether it is stored
 */
export async function storeAnswer(
  of: ChatOfSite,
  run: AssistantRunOf,
  { content, sources, name }: Answer,
): Promise<boolean> {
  const { chat } = of;
  if (!(await hasRun(of, run))) return false;
  const appended = await append(
    {
      chat: chat._id,
      site: chat.site,
      senderKey: `a:${chat._id}`,
      clientId: derivedClientId(`answer ${run.run}`),
      sender: 'assistant',
      author: null,
      authorName: name,
      event: null,
      content,
      sources,
      createdAt: new Date(),
    },
    run.upTo,
  );
  if (appended?.isNew) followUp(of, appended.message);
  return appended !== null;
}
