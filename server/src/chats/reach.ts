import type { Caller } from '../auth/sessions.ts';
import { bus } from '../bus.ts';
import { conflict, notFound } from '../http/errors.ts';
import type { SiteDoc } from '../sites/model.ts';
import { answerChat, type Words } from './actions.ts';
import { type Appended, findSent, newestMessage } from './append.ts';
import { type ChatDoc, ChatModel } from './model.ts';
import { afterwards } from './queue.ts';
import { type NewChat, startChat } from './start.ts';

/**
 * A member writes first: the chat begins active, claimed by the member, with these words. A repeated `clientId` answers
 * the first message; what a crash left between chat and message is taken up again.
 * @param mayStart asked before anything is stored; throws what speaks against it
 * @throws AppError 409 `CHAT_OPEN` when the visitor has an open chat, `ID_CONFLICT`
 */
export async function reachOut(
  site: SiteDoc,
  caller: Caller,
  person: NewChat,
  words: Words,
  mayStart: () => void,
): Promise<Appended & { chat: ChatDoc }> {
  const { user } = caller;
  const earlier = words.clientId ? await findSent(`u:${user._id}`, { ...words, clientId: words.clientId }) : null;
  if (earlier) return { ...earlier, chat: await chatOf(earlier, person) };
  mayStart();
  const chat = await startChat(person, user._id);
  const isOurs = chat.claimedBy?.equals(user._id) && !(await newestMessage(chat._id));
  if (!isOurs) throw conflict('CHAT_OPEN', 'This visitor already has an open chat. Please write there.');
  const appended = await answerChat({ chat, site }, caller, words);
  if (appended.isNew) {
    const claimer = { _id: user._id.toHexString(), name: user.name };
    afterwards(chat._id.toHexString(), () => bus.tell('chatClaimed', { chat, site, claimer, byHand: true }));
  }
  return { ...appended, chat };
}

async function chatOf({ message }: Appended, { visitor }: NewChat): Promise<ChatDoc> {
  const chat = await ChatModel.findById(message.chat).lean<ChatDoc>();
  if (!chat) throw notFound('chat');
  if (!chat.visitor.equals(visitor)) throw conflict('ID_CONFLICT', 'This message id was used for another text.');
  return chat;
}
