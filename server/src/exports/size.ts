import type { ChatDoc } from '../chats/model.ts';
import { AppError } from '../http/errors.ts';
import { PDF_CHATS_MAX, PDF_MESSAGES_MAX } from './contract.ts';

/**
 * Counts the chats that are to go into one PDF.
 * @throws AppError 422 `EXPORT_TOO_LARGE`, as soon as there are too many
 */
export async function countForPdf(batches: AsyncIterable<ChatDoc[]>): Promise<number> {
  let chats = 0;
  let messages = 0;
  for await (const batch of batches) {
    chats += batch.length;
    for (const { lastSeq } of batch) messages += lastSeq;
    if (chats > PDF_CHATS_MAX || messages > PDF_MESSAGES_MAX) throw tooLarge();
  }
  return chats;
}

function tooLarge(): AppError {
  const [chats, messages] = [PDF_CHATS_MAX, PDF_MESSAGES_MAX].map((most) => most.toLocaleString('en-US'));
  return new AppError(
    422,
    'EXPORT_TOO_LARGE',
    `A PDF holds up to ${chats} chats with ${messages} messages, and here are more. Please choose a website, a supporter or fewer days, or take TXT, which has no limit.`,
  );
}
