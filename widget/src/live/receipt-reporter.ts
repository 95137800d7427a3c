import type { Store } from '../chat/state.ts';
import type { Connection } from './connection.ts';
import type { Conversation } from './conversation.ts';

/**
 * Tells the server which messages the visitor has received and read: each receipt once per connection.
 * @param isWatching whether the newest message is on screen, in a page that has the focus
 */
export function createReceiptReporter(
  store: Store,
  conversation: Conversation,
  connection: Connection,
  isWatching: () => boolean,
) {
  let reported = { chatId: '', received: 0, read: 0 };

  return {
    /** Call on a new connection: the last receipts may have been lost with the old one. */
    restart(): void {
      reported.chatId = '';
    },
    /** Call after every change of the conversation, of the panel or of the page's focus. */
    report(): void {
      const { chat, connection: state } = store.state;
      const seq = conversation.lastReceived();
      if (!chat || !seq) return;
      const chatId = chat._id;
      if (seq > chat.readSeq && isWatching()) {
        conversation.markRead(seq);
        return;
      }
      if (state !== 'live') return;
      if (reported.chatId !== chatId) reported = { chatId, received: 0, read: 0 };
      for (const [what, upTo] of [
        ['received', seq],
        ['read', chat.readSeq],
      ] as const) {
        if (upTo <= reported[what]) continue;
        reported[what] = upTo;
        void connection.request(what, { chatId, seq: upTo });
      }
    },
  };
}
