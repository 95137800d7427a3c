import type { WidgetConfig } from 'server/contract';
import type { OwnMessage, PageStart, VisitorApp } from '../../e2e/delivery/headless-app.ts';
import type { ChatContext } from '../src/chat/context.ts';
import { queueMessage } from '../src/chat/outbox.ts';
import { createState } from '../src/chat/state.ts';
import { createStorage, OUTBOX } from '../src/chat/storage.ts';
import type { Host } from '../src/host.ts';
import { startLive } from '../src/live/live.ts';
import * as polling from '../src/live/polling.ts';

/** The widget without its panel, on a page that has the focus: its connection, outbox and receipts. */
export function start({ code, origin, changed }: PageStart & { code: string }): VisitorApp {
  const host = { origin, code, api: `${origin}/api/widget/${code}`, emit() {}, restyle() {}, end() {} };
  const storage = createStorage(code);
  const store = createState({ online: true } as WidgetConfig, onChange);
  const base: Partial<ChatContext> = {
    host: host as unknown as Host,
    store,
    storage,
    unsent: {},
    live: null,
    language: { name: 'en', locale: 'en' } as ChatContext['language'],
    forget() {},
    loadPart: (async () => polling) as unknown as ChatContext['loadPart'],
    signal: new AbortController().signal,
    panel: { isWatching: () => true } as ChatContext['panel'],
  };
  const context = base as ChatContext;

  function onChange(): void {
    context.live?.report();
    changed();
  }

  function readOutbox(): void {
    store.set({ pending: storage.outgoing() });
    context.live?.post();
  }

  readOutbox();
  storage.watch((key) => key.startsWith(OUTBOX) && readOutbox(), context.signal);
  context.live = startLive(context);
  const { state } = store;
  return {
    held: () => state.messages.map(({ chatId, seq, clientId, content }) => ({ chatId, seq, clientId, content })),
    own(): OwnMessage[] {
      const stored = state.messages.filter(({ sender }) => sender === 'visitor');
      const known = new Set(stored.map(({ clientId }) => clientId));
      const waiting = state.pending.filter(({ clientId }) => !known.has(clientId));
      return [
        ...stored.map((message) => ({ content: message.content, progress: store.progressOf(message) })),
        ...waiting.map(({ content, failed }) => ({ content, progress: failed ? 'failed' : 'sending' }) as const),
      ];
    },
    waiting: () => storage.outgoing().filter(({ failed }) => !failed).length,
    failed: () => storage.outgoing().flatMap(({ failed, content }) => (failed ? [content] : [])),
    connected: () => state.connection === 'live',
    send: (content) => queueMessage(storage, content),
    chat: () => state.chat && { _id: state.chat._id, isOpen: state.chat.status !== 'closed' },
    async close() {
      if (state.chat) await context.live?.request('close_chat', { chatId: state.chat._id });
    },
  };
}
