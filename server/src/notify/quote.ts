import type { MessageDoc } from '../chats/model.ts';
import type { Quote } from '../mail/letter.ts';
import { mailName } from '../mail/names.ts';

/** Messages as a mail quotes them, with who wrote them. @param visitor how the visitor is called */
export function quotesOf(messages: MessageDoc[], visitor: string): Quote[] {
  return messages.map((message) => ({ by: writerOf(message, visitor), text: message.content }));
}

/** Who wrote a message. */
export function writerOf({ sender, authorName }: MessageDoc, visitor: string): string {
  return mailName(authorName, sender === 'visitor' ? visitor : 'Parley');
}
