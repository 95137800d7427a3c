import { type UserDoc, UserModel } from '#features/auth';
import { addNote, answerChat, chatCache, chatFor, type MessageInputWithId, NoteModel } from '#features/chats';
import { MESSAGE_MAX_LENGTH } from '#features/chats/contract';
import { NOTIFICATION_SETTINGS_DEFAULTS } from '#features/settings/contract';
import { inLanguage, mailText } from '#platform/mail';
import type { MailOutcome } from '../contract.ts';
import { counted, noteAnswer } from './brakes.ts';
import { isOfClosedChat, type Parts, partsOf, post } from './posting.ts';
import { type AddressedMail, clientIdOf, type ReceiverDeps, refused } from './received.ts';

/**
 * Stores the answer of a member with the rights that the member has now. Of a chat that was closed meanwhile, it becomes a note:
 * the visitor does not expect it any more, and nothing is lost.
 * @throws AppError 403, 404, 413, 429
 */
export async function answerAsMember(received: AddressedMail, deps: ReceiverDeps): Promise<MailOutcome> {
  const { address, mail } = received;
  const [user, chat] = await Promise.all([
    UserModel.findById(address.user).lean<UserDoc>(),
    chatCache.find(address.chat.toHexString()),
  ]);
  if (!chat) return refused('gone');
  if (!user || !mayAnswer(user, mail.from)) return refused('notAllowed');
  if (await NoteModel.exists({ author: user._id, clientId: clientIdOf(received) })) return { end: 'known' };
  const caller = { user };
  const access = await chatFor(caller, chat._id.toHexString(), 'chats.reply');
  if (!(await noteAnswer(received, deps.now()))) return refused('repeated');

  return counted(deps.limits, received, async () => {
    if (!received.isKnown) await deps.limits.take('staffMessagesPerAccount', user._id.toHexString());
    const parts = await partsOf(received, access.site, deps);
    if (typeof parts === 'string') return refused(parts);
    const send = (input: MessageInputWithId) => answerChat(access, caller, input);
    const outcome = await post(received, parts, { site: access.site, send }, deps).catch(async (error) => {
      if (!isOfClosedChat(error)) throw error;
      const content = noteOf(parts, user);
      const { isNew } = await addNote(access, caller, { clientId: clientIdOf(received), content });
      return { end: isNew ? 'added' : 'known' } satisfies MailOutcome;
    });
    return outcome;
  });
}

/** Whether the account exists and wants this; a mail of another address is not the member's. */
function mayAnswer({ email, unprovedEmail, suspendedAt, notifications }: UserDoc, from: string | null): boolean {
  const { answerByMail } = { ...NOTIFICATION_SETTINGS_DEFAULTS, ...notifications };
  return answerByMail && !suspendedAt && !unprovedEmail && from === email;
}

const LATE = mailText('This answer came by mail after the chat was closed, so the visitor did not get it:');

function noteOf({ words, files }: Parts, { language }: UserDoc): string {
  const names = [...files.taken.map(({ name }) => name), ...files.left].map((name) => `[${name}]`);
  const lines = [inLanguage(LATE, language === 'auto' ? undefined : language), words.content, ...names];
  const text = lines.filter((line) => line !== '').join('\n');
  return text.slice(0, MESSAGE_MAX_LENGTH).toWellFormed();
}
