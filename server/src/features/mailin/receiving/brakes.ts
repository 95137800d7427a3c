import { createHash } from 'node:crypto';
import type { Limits } from '#platform/http';
import { HOUR_MS } from '#platform/time';
import type { ReadMail } from '../reading/mail.ts';
import { ReplyAddressModel } from '../replyAddresses.ts';
import type { AddressedMail } from './received.ts';

/** What a mail says: its text and its files. */
function digestOf({ text, files }: ReadMail): string {
  const hash = createHash('sha256').update(text);
  for (const { digest } of files) hash.update(digest);
  return hash.digest('base64url');
}

/**
 * Notes the last answer to an address, unless the same was said a moment ago in answer to the same mail: machines that do not say that
 * they are some do so. A person may answer two mails with the same word. One guarded write, because mail servers hand over several
 * mails at the same time. Idempotent.
 * @returns whether the mail is not such a repetition
 */
export async function noteAnswer({ mail, address, id, isKnown }: AddressedMail, now: number): Promise<boolean> {
  const answer = { id, digest: digestOf(mail), inReplyTo: mail.answered[0] ?? '', at: new Date(now) };
  const isOther = [
    { 'lastAnswer.id': id },
    { 'lastAnswer.digest': { $ne: answer.digest } },
    { 'lastAnswer.inReplyTo': { $ne: answer.inReplyTo } },
    { 'lastAnswer.at': { $lt: new Date(now - HOUR_MS) } },
  ];
  const { matchedCount } = await ReplyAddressModel.updateOne(
    { _id: address._id, $or: isOther },
    { $set: { lastAnswer: answer } },
  );
  return matchedCount > 0 || isKnown;
}

/**
 * Counts a mail, unless it fails for reasons that pass: the door hands it over again.
 * @throws AppError 429, and as `work`
 */
export async function counted<Result>(
  limits: Limits,
  { address, isKnown }: AddressedMail,
  work: () => Promise<Result>,
): Promise<Result> {
  if (isKnown) return work();
  await limits.take('mailsInPerChat', address._id);
  return work().catch(async (error) => {
    await limits.refund('mailsInPerChat', address._id);
    throw error;
  });
}
