import { inLanguage, type MailContent, type MailText, mailText, type Quote } from '#platform/mail';
import { type MessageDoc, MessageModel } from '../messageModel.ts';

type Written = Pick<MessageDoc, '_id' | 'content' | 'formatted' | 'editedAt' | 'deletedAt'>;

/**
 * A queued mail with the messages that it quotes as they are now, because it may wait for hours. A deleted message is left
 * out; a copy of a whole chat says that it was deleted, and marks corrected ones.
 * @returns null when all quoted messages are deleted
 */
export async function withCurrentQuotes(content: MailContent): Promise<MailContent | null> {
  const ids = content.text.flatMap((part) => (isOfMessage(part) ? [part.message] : []));
  if (ids.length === 0) return content;
  const written = await MessageModel.find(
    { _id: { $in: ids } },
    { content: 1, formatted: 1, editedAt: 1, deletedAt: 1 },
  ).lean<Written[]>();
  const byId = new Map(written.map((message) => [message._id.toHexString(), message]));
  const isCopy = content.kind === 'transcript';
  const text = content.text.flatMap((part) =>
    isOfMessage(part) ? quoteNow(part, byId.get(part.message), isCopy ? content : null) : [part],
  );
  return text.some(isOfMessage) ? { ...content, text } : null;
}

function isOfMessage(part: MailContent['text'][number]): part is Quote & { message: string } {
  return typeof part !== 'string' && 'message' in part && part.message !== undefined;
}

function quoteNow(quote: Quote, message: Written | undefined, copy: MailContent | null): Quote[] {
  if (!message) return [];
  const say = (text: MailText) => inLanguage(text, copy?.language);
  if (message.deletedAt) return copy ? [{ ...quote, text: say(mailText('Message deleted')), formatted: false }] : [];
  const by = copy && message.editedAt ? say(mailText('{name} (edited)', { name: quote.by })) : quote.by;
  return [{ ...quote, by, text: message.content, formatted: message.formatted }];
}
