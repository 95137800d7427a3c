import { createHash } from 'node:crypto';
import type { ArticleLanguage } from '#features/articles/contract';
import type { HandOverReason } from '#features/assistant/contract';
import type { ChatOfSite } from '../guards.ts';
import { append } from '../messages/messages.ts';
import { type ChatDoc, chatCache } from '../model.ts';
import { followUp, rowsWritten } from '../row/projection.ts';

/** What a visitor reads when people take over, in the languages of the widget. */
const HANDED_OVER: Record<ArticleLanguage, string> = {
  en: 'A person will take over from here.',
  ar: 'سيتولى أحد أعضاء الفريق المحادثة من هنا.',
  de: 'Ab hier antwortet ein Mensch.',
  es: 'A partir de aquí responde una persona.',
  fa: 'از اینجا به بعد یکی از اعضای تیم پاسخ می‌دهد.',
  fr: 'À partir d’ici, une personne prend le relais.',
  hi: 'यहाँ से आगे टीम का कोई सदस्य जवाब देगा।',
  ja: 'ここからは担当者が対応します。',
  pt: 'A partir daqui, uma pessoa responde.',
  ru: 'Дальше ответит сотрудник.',
  tr: 'Bundan sonra ekipten bir kişi yanıtlayacak.',
  zh: '接下来由人工客服为您解答。',
};

const UUID_PARTS = /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/;

/** An id for a message that follows from something which happens once: each try makes the same. */
export function derivedClientId(of: string): string {
  return createHash('sha256').update(of).digest('hex').replace(UUID_PARTS, '$1-$2-4$3-8$4-$5');
}

/**
 * Gives a chat that the assistant has to people, for good. One insert is the commit: its message, which no answer of the assistant
 * can pass. The chat's row, what rings and who is asked follow from the message, as from any other. Idempotent.
 * @returns whether this call did it
 */
export async function handOver({ chat, site }: ChatOfSite, reason: HandOverReason): Promise<boolean> {
  if (!chat.assisted || !chat.assistant) return false;
  const { _id } = chat;
  const appended = await append({
    chat: _id,
    site: chat.site,
    senderKey: `s:${_id}`,
    clientId: derivedClientId(`handed_over ${_id}`),
    sender: 'system',
    author: null,
    authorName: null,
    event: 'handed_over',
    content: HANDED_OVER[chat.assistant.lang],
    reason,
    createdAt: new Date(),
  });
  if (appended?.isNew) followUp({ chat, site }, appended.message);
  return appended?.isNew === true;
}

/** As `handOver`, for one who looks at the chat afterwards. @returns the chat as it is then */
export async function handedOver(of: ChatOfSite, reason: HandOverReason): Promise<ChatDoc> {
  if (!of.chat.assisted) return of.chat;
  await handOver(of, reason);
  await rowsWritten([of.site]);
  return (await chatCache.find(of.chat._id.toHexString())) ?? of.chat;
}
