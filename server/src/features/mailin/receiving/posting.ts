import { type Appended, type MessageInputWithId, refuseIfFull, sendFile } from '#features/chats';
import type { SiteDoc } from '#features/sites';
import type { PictureSender } from '#platform/files';
import { AppError } from '#platform/http';
import type { MailOutcome, MailRefusal } from '../contract.ts';
import { type SortedFiles, sortFiles } from './files.ts';
import { type AddressedMail, clientIdOf, type ReceiverDeps, refused, senderKeyOf } from './received.ts';
import { type Words, wordsOf } from './words.ts';

/** What a mail says, and its files. */
export interface Parts {
  words: Words;
  files: SortedFiles;
}

/** How the parts of a mail become messages. */
interface Post {
  site: SiteDoc;
  /** The sender's address, where it is not the one that was written to. */
  from?: string;
  send(input: MessageInputWithId): Promise<Appended>;
}

/** Takes a mail apart. @returns why there is nothing to store */
export async function partsOf(mail: AddressedMail, site: SiteDoc, deps: ReceiverDeps): Promise<Parts | MailRefusal> {
  const files = await sortFiles(mail, site, deps);
  const words = await wordsOf(mail, { chat: mail.address.chat, site, mailIn: deps.mailIn }, files.left);
  return words.content === '' && files.taken.length === 0 ? (files.reason ?? 'empty') : { words, files };
}

/**
 * Stores the text of a mail, then its files, each as a message of its own. What an earlier try has stored is found by its id.
 * @throws AppError as `send`, and 413 `SITE_FULL`
 */
export async function post(
  mail: AddressedMail,
  { words: { content, ...about }, files }: Parts,
  { site, from, send }: Post,
  deps: ReceiverDeps,
): Promise<MailOutcome> {
  const senderKey = senderKeyOf(mail.address);
  const came = { ...(from !== undefined && { from }), subject: about.subject };
  const stored: Appended[] = [];
  if (content !== '' && !mail.isKnown) {
    const input = { clientId: clientIdOf(mail), content, mail: { ...came, ...about } };
    await refuseIfFull(deps.usage, site, senderKey, input);
    stored.push(await send(input));
  }
  const sender: PictureSender = mail.address.user
    ? { pool: 'staff', key: senderKey }
    : { pool: 'visitors', key: `mail:${mail.address._id}` };
  for (const { name, index, received } of files.taken) {
    const query = { name, clientId: clientIdOf(mail, index) };
    const whole = content === '' ? { ...came, ...about } : came;
    const sent = await sendFile(received, { site, senderKey, query, sender }, deps, (input) =>
      send({ ...input, mail: whole }),
    ).catch((error) => {
      // The first part says what becomes of a mail to a closed chat.
      if (isOfClosedChat(error) && stored.length === 0 && !mail.isKnown) throw error;
      return ignoreRefusal(error);
    });
    if (sent) stored.push(sent);
  }
  if (stored.some(({ isNew }) => isNew)) return { end: 'added' };
  return stored.length > 0 || mail.isKnown ? { end: 'known' } : refused('unreadable');
}

/** Whether a message was refused because its chat was closed before. */
export const isOfClosedChat = (error: unknown) => error instanceof AppError && error.code === 'CHAT_CLOSED';

/** A picture that is none, or a chat that was closed meanwhile, is no reason to lose the other parts of a mail. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof AppError && error.status < 500) return null;
  throw error;
}
