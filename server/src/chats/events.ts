import type { Types } from 'mongoose';
import type { SiteDoc } from '../sites/model.ts';
import type { Claimer, Receipt } from './contract.ts';
import type { ChatDoc, MessageDoc, NoteDoc } from './model.ts';

declare module '../events.ts' {
  interface Events {
    /** The chat got its first message, which is stored. */
    chatOpened: { chat: ChatDoc; site: SiteDoc };
    /**
     * The message is durable and can be shown at once; `chat` may still be the row from before it. `socketId`: the
     * visitor's socket that sent it, which receives the message as its acknowledgement instead.
     */
    messageStored: { chat: ChatDoc; site: SiteDoc; message: MessageDoc; socketId: string | undefined };
    /** As `messageStored`, but emitted after the chat's row includes the message. */
    messageAdded: { chat: ChatDoc; site: SiteDoc; message: MessageDoc };
    /** The chat has another claimer. `byHand`: a person did it and knows about the visitor; otherwise the server chose. */
    chatClaimed: { chat: ChatDoc; site: SiteDoc; claimer: Claimer; byHand: boolean };
    /** The claimer whom the server had chosen has claimed the chat by hand. */
    chatTakenUp: { chat: ChatDoc; site: SiteDoc };
    /** A member opened the chat. */
    chatViewed: { chat: ChatDoc; site: SiteDoc; userId: string };
    /** Someone started or stopped writing; `userId` null: the visitor. */
    typingChanged: { chat: ChatDoc; userId: string | null; name: string | null; isTyping: boolean };
    /** The chat is waiting again and has no claimer. */
    chatHandedBack: { chat: ChatDoc; site: SiteDoc };
    /** Someone gave the chat to a colleague, or (`to` null) back to the queue. */
    chatTransferred: { chat: ChatDoc; site: SiteDoc; by: Claimer; to: Claimer | null };
    chatClosed: { chat: ChatDoc; site: SiteDoc; closer: Claimer | null };
    /** The list row has changed. */
    chatChanged: { chat: ChatDoc; site: SiteDoc };
    noteAdded: { chat: ChatDoc; site: SiteDoc; note: NoteDoc };
    /** The chat is deleted; `chat` is its state before. `by` null: deleted because of its age, or with its visitor. */
    chatRemoved: { chat: ChatDoc; site: SiteDoc; by: Types.ObjectId | null };
    /** Messages and notes of a deleted chat are being removed; emitted again with each try until everything is gone. */
    chatErased: { chatId: string };
    receiptsMoved: { chat: ChatDoc; party: 'visitor' | 'staff'; receipt: Receipt };
  }
}
