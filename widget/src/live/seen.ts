import type { Store } from '../chat/state.ts';
import type { Connection } from './connection.ts';
import type { Ledger } from './ledger.ts';

/** Tells the server how far this browser has got, and each thing once per connection. */
export interface Seen {
  /** Call after every change of the conversation, of the panel or of the page's focus. */
  report(): void;
  /** A new connection: the server may not have heard the last reports. */
  restart(): void;
}

/** `isWatching`: the newest message is on screen in a page that has the focus. */
export function createSeen(store: Store, ledger: Ledger, connection: Connection, isWatching: () => boolean): Seen {
  let told = { chatId: '', received: 0, read: 0 };

  return {
    restart() {
      told.chatId = '';
    },
    report() {
      const { chat, link } = store.state;
      const seq = ledger.lastHeard();
      if (!chat || !seq) return;
      const chatId = chat._id;
      if (seq > chat.readSeq && isWatching()) return ledger.markRead(seq);
      if (link !== 'live') return;
      if (told.chatId !== chatId) told = { chatId, received: 0, read: 0 };
      for (const [what, upTo] of [
        ['received', seq],
        ['read', chat.readSeq],
      ] as const) {
        if (upTo <= told[what]) continue;
        told[what] = upTo;
        void connection.request(what, { chatId, seq: upTo });
      }
    },
  };
}
