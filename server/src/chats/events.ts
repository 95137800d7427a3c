import type { Types } from 'mongoose';
import type { SiteDoc } from '../sites/model.ts';
import type { Claimer, Receipt } from './contract.ts';
import type { ChatDoc, MessageDoc, NoteDoc } from './model.ts';

declare module '../events.ts' {
  interface Events {
    /** The first message of a chat stands. */
    chatOpened: { chat: ChatDoc; site: SiteDoc };
    /**
     * The message is durable, and is to be shown at once: `chat` may be as it was before. `socketId`: the visitor's socket that
     * sent it, and is answered with it.
     */
    messageStored: { chat: ChatDoc; site: SiteDoc; message: MessageDoc; socketId: string | undefined };
    /** The same, once the chat's row has it. */
    messageAdded: { chat: ChatDoc; site: SiteDoc; message: MessageDoc };
    /** The chat has another claimer. `byHand`: somebody did it, and knows of the visitor; else the server chose. */
    chatClaimed: { chat: ChatDoc; site: SiteDoc; claimer: Claimer; byHand: boolean };
    /** The claimer that the server chose claimed by hand. */
    chatTakenUp: { chat: ChatDoc; site: SiteDoc };
    /** A member opened the chat. */
    chatViewed: { chat: ChatDoc; site: SiteDoc; userId: string };
    /** Somebody writes, or ceased to; `userId` null: the visitor. */
    typingChanged: { chat: ChatDoc; userId: string | null; name: string | null; isTyping: boolean };
    /** The chat waits again, without claimer. */
    chatHandedBack: { chat: ChatDoc; site: SiteDoc };
    /** Somebody gave the chat to a colleague, or (`to` null) back to the queue. */
    chatTransferred: { chat: ChatDoc; site: SiteDoc; by: Claimer; to: Claimer | null };
    chatClosed: { chat: ChatDoc; site: SiteDoc; closer: Claimer | null };
    /** The list row is other than it was. */
    chatChanged: { chat: ChatDoc; site: SiteDoc };
    noteAdded: { chat: ChatDoc; site: SiteDoc; note: NoteDoc };
    /** The chat is gone for everybody; `chat` is as it was. `by` null: it was time, or went with its visitor. */
    chatRemoved: { chat: ChatDoc; site: SiteDoc; by: Types.ObjectId | null };
    /** Messages and notes of a deleted chat are going; told again until all is gone. */
    chatErased: { chatId: string };
    receiptsMoved: { chat: ChatDoc; party: 'visitor' | 'staff'; receipt: Receipt };
  }
}
