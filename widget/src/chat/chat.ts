import type { Message, VisitorChat, VisitorMessageBody, WidgetConfig } from 'server/contract';
import type { Chat, Frame } from '../frame.ts';
import { call } from '../http.ts';
import { createConnection } from './connection.ts';
import { createOutbox, type SendAck } from './outbox.ts';
import { createSeen } from './seen.ts';
import { createState } from './state.ts';
import { createStorage } from './storage.ts';
import { createPanel } from './view/panel.ts';

/** Wires the chat together. It draws nothing and asks nothing until it is opened or has a conversation to go on with. */
export function startChat(frame: Frame): Chat {
  const { origin, code, emit } = frame;
  const life = new AbortController();
  const { signal } = life;
  const storage = createStorage(code);
  const store = createState(frame.config, changed);
  const connection = createConnection({ place: frame, storage, store, onConnect, onHeard, onConfig, onEnd: frame.end });
  const outbox = createOutbox({
    storage,
    lock: `parley:${code}`,
    overSocket: (body) => connection.request('send_message', body),
    overHttp,
    onSent,
    onFailed: (failure) => emit('error', failure),
    onChange: readOutbox,
  });
  const panel = createPanel(frame, store, {
    draft: storage.draft(),
    onDraft: storage.keepDraft,
    onSend: outbox.add,
    onRetry: outbox.retry,
    onRemove: outbox.remove,
    onLook: () => seen.report(),
  });
  const seen = createSeen(store, connection, panel.isWatching);
  let unread = 0;

  function changed(): void {
    panel.render();
    seen.report();
    const count = store.unread();
    const { chat, pending, link } = store.state;
    const goesOn = pending.length > 0 || count > 0 || (chat !== null && chat.status !== 'closed');
    // Before the server has answered, an empty thread means nothing.
    if (goesOn || link === 'live') storage.keepGoesOn(goesOn);
    if (count === unread) return;
    unread = count;
    emit('unread', count);
  }

  function readOutbox(): void {
    store.set({ pending: storage.outgoing() });
  }

  function onConnect(): void {
    seen.restart();
    outbox.hurry();
  }

  function onHeard(messages: Message[]): void {
    const waiting = new Set(storage.outgoing().map(({ clientId }) => clientId));
    for (const message of messages) {
      if (message.sender === 'agent') emit('message:received', message);
      // The acknowledgement was lost, the message was not.
      else if (waiting.has(message.clientId)) outbox.remove(message.clientId);
    }
  }

  function onConfig(config: WidgetConfig): void {
    frame.restyle(config);
    store.set({ config });
  }

  async function onSent(message: Message, chat: VisitorChat): Promise<void> {
    await connection.settle({ chat, messages: [message] });
    emit('message:sent', message);
  }

  async function overHttp(body: VisitorMessageBody): Promise<SendAck> {
    const url = `${origin}/api/widget/${encodeURIComponent(code)}/messages`;
    const reply = await call<{ message: Message; chat: VisitorChat }>(url, body, storage.token());
    if (!reply.ok && reply.status === 401) connection.renew();
    return reply;
  }

  function wake(): void {
    if (document.visibilityState !== 'visible') return;
    connection.wake();
    seen.report();
  }

  function listen(): void {
    storage.watch(() => {
      readOutbox();
      outbox.hurry();
    }, signal);
    addEventListener('online', wake, { signal });
    addEventListener('focus', () => seen.report(), { signal });
    document.addEventListener('visibilitychange', wake, { signal });
    addEventListener('pageshow', ({ persisted }) => persisted && wake(), { signal });
    addEventListener('pagehide', connection.pause, { signal });
  }

  listen();
  readOutbox();
  if (storage.goesOn()) connection.start();

  return {
    open(focus) {
      storage.keepOpen(true);
      panel.open(focus);
      connection.start();
      seen.report();
    },
    close() {
      storage.keepOpen(false);
      return panel.close();
    },
    destroy() {
      life.abort();
      connection.stop();
      outbox.stop();
      panel.close();
    },
  };
}
