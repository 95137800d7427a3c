import { MessageModel } from '#features/chats';
import { markBounced } from '#features/visitors';
import { events } from '#platform/events';
import { AppError } from '#platform/http';
import type { MailOutcome, MailRefusal } from '../contract.ts';
import type { Envelope, MailIn, Receive } from '../mailIn.ts';
import type { ReadMail } from '../reading/mail.ts';
import { MailUnreadable } from '../reading/reader.ts';
import { findReplyAddress, ReplyAddressModel } from '../replyAddresses.ts';
import { answerAsMember } from './memberMail.ts';
import { type AddressedMail, clientIdOf, idOf, type ReceiverDeps, refused, senderKeyOf } from './received.ts';
import { appendAsVisitor } from './visitorMail.ts';

/** Creates what every door does with each mail. */
export function createReceiver(deps: ReceiverDeps): Receive {
  return async (raw, envelope) => {
    const outcome = await take(raw, envelope, deps);
    void events.emit('mailReceived', { door: envelope.door, outcome });
    return outcome;
  };
}

async function take(raw: Uint8Array, envelope: Envelope, deps: ReceiverDeps): Promise<MailOutcome> {
  const mail = await deps.mailIn.reader.read(raw).catch(reasonOf);
  if (typeof mail === 'string') return refused(mail);
  if (await deps.mailIn.checks.take(mail, envelope)) return { end: 'check' };
  const tokens = tokensOf(mail, envelope, deps.mailIn);
  const sender = envelope.from ?? mail.returnPath;
  if (mail.machine === 'report' || (sender === '' && mail.bounce)) return takeReport(mail, tokens, deps.now());
  if (await isOurs(mail, deps)) return refused('own');
  if (mail.machine !== null || sender === '') return refused(mail.machine === 'list' ? 'list' : 'automatic');
  const address = await findReplyAddress(tokens, mail.answered);
  if (!address) return refused('unknown');
  return answer({ mail, address, id: idOf(mail, raw), isKnown: false }, deps);
}

/** @throws what may pass: too many mails wait to be read */
function reasonOf(error: unknown): MailUnreadable['reason'] {
  if (error instanceof MailUnreadable) return error.reason;
  throw error;
}

function tokensOf({ recipients }: ReadMail, { to }: Envelope, { addresses }: MailIn): string[] {
  return [...new Set([...to, ...recipients])].flatMap((address) => addresses.tokenIn(address) ?? []);
}

/** Whether Parley itself has sent it: such a mail may come back in many ways. */
async function isOurs({ from, messageId }: ReadMail, { mailIn }: ReceiverDeps): Promise<boolean> {
  if (from !== null && (mailIn.addresses.isOurs(from) || from === mailIn.sender)) return true;
  return messageId !== null && (await ReplyAddressModel.exists({ sentIds: messageId })) !== null;
}

/**
 * Takes a report that a mail of ours could not be delivered: a visitor's address that does not exist is marked, so that nothing more
 * is mailed there. Other reports are no news.
 * @param tokens of the addresses that the report came to
 */
async function takeReport({ bounce }: ReadMail, tokens: string[], now: number): Promise<MailOutcome> {
  if (!bounce?.status.startsWith('5')) return refused('report');
  const address = await findReplyAddress(tokens, bounce.messageId === null ? [] : [bounce.messageId]);
  if (!address || address.user) return refused('report');
  const { recipient, status } = bounce;
  await markBounced(address.visitor, { email: recipient ?? address.to, status }, now);
  return { end: 'bounce' };
}

/** Appends a mail to the chat of its address, and to nothing else. */
async function answer(mail: AddressedMail, deps: ReceiverDeps): Promise<MailOutcome> {
  const isKnown = await isStored(mail);
  if (!isKnown && mail.address.expiresAt.getTime() <= deps.now()) return refused('expired');
  const append = mail.address.user ? answerAsMember : appendAsVisitor;
  const outcome = await append({ ...mail, isKnown }, deps).catch(refusalOf);
  if (outcome.end !== 'refused') return outcome;
  if (isKnown) return { end: 'known' };
  return outcome.reason === 'full' ? { end: 'later', reason: 'full' } : outcome;
}

/** Whether an earlier try, on any node, has stored its first part. */
async function isStored(mail: AddressedMail): Promise<boolean> {
  const clientId = { $in: [clientIdOf(mail), clientIdOf(mail, 0)] };
  return (await MessageModel.exists({ senderKey: senderKeyOf(mail.address), clientId })) !== null;
}

const REASONS: Record<number, MailRefusal> = { 403: 'notAllowed', 404: 'gone', 413: 'full', 429: 'tooMany' };

/** @throws what may pass: the door tries again */
function refusalOf(error: unknown): MailOutcome {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  // Another node has stored it at the same moment, cut in another place.
  if (error.code === 'ID_CONFLICT') return { end: 'known' };
  const reason = REASONS[error.status];
  if (!reason) throw error;
  return refused(reason);
}
