import { Types } from 'mongoose';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import type { AssistantInChat, ChatDoc } from '../model.ts';

/** The row after an answer of the assistant, or after the message with which people take over; others leave it as it is. */
export function withAssistant(
  row: ChatDoc,
  waitingSince: Date | undefined,
  { sender, event, reason, createdAt }: MessageDoc,
): ChatDoc {
  if (!row.assistant) return row;
  const { run, since, upTo, ...assistant } = row.assistant;
  if (sender === 'assistant') {
    const asked = { ...assistant, ...(waitingSince && { askedAt: waitingSince }) };
    return { ...row, assistant: { ...asked, answers: assistant.answers + 1 } };
  }
  if (event !== 'handed_over') return row;
  const { assisted, ...ofPeople } = row;
  return {
    ...ofPeople,
    assistant: { ...assistant, ...(reason && { reason }) },
    // The visitor goes on waiting, now for a person.
    waitingSince: waitingSince ?? assistant.askedAt ?? createdAt,
    unnotified: new Types.ObjectId(),
  };
}

/** What a rebuilt row says of the assistant: the fields that are set, and those that go. */
interface Rebuilt {
  set: Partial<Pick<ChatDoc, 'assistant' | 'unnotified'>>;
  gone: { assisted?: 1 };
}

/** Reads from the messages of a chat what its row says of the assistant. */
export async function rebuiltAssistant({ _id: chat, assisted, assistant, lastSeq }: ChatDoc): Promise<Rebuilt> {
  if (!assistant) return { set: {}, gone: {} };
  const [answers, over, newer] = await Promise.all([
    MessageModel.countDocuments({ chat, sender: 'assistant' }),
    MessageModel.findOne({ chat, event: 'handed_over' }).lean<MessageDoc>(),
    MessageModel.exists({ chat, seq: { $gt: lastSeq }, sender: 'assistant' }),
  ]);
  const { run, since, upTo, ...rest } = assistant;
  const state: AssistantInChat = { ...(over || newer ? rest : assistant), answers };
  if (!over || !assisted) return { set: { assistant: state }, gone: {} };
  const reason = over.reason && { reason: over.reason };
  return { set: { assistant: { ...state, ...reason }, unnotified: new Types.ObjectId() }, gone: { assisted: 1 } };
}
