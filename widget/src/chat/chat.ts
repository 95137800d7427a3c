import type { Message, VisitorChat, VisitorMessageBody, WidgetConfig } from 'server/contract';
import type { Chat, Frame } from '../frame.ts';
import { createConnection } from './connection.ts';
import { call, useKit } from './kit.ts';
import { createOutbox, type SendAck } from './outbox.ts';
import { createSeen } from './seen.ts';
import { createState } from './state.ts';
import { createStorage } from './storage.ts';
import { createPanel } from './view/panel.ts';

/** Wires the chat together. It draws nothing and asks nothing until it is opened or has a conversation to go on with. */
export function startChat(frame: Frame): Chat {
  useKit(frame.kit);
  const { api, code, emit } = frame;
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
  const panel = createPanel(frame, store, storage, outbox, () => seen.report());
  const seen = createSeen(store, connection, panel.isWatching);
  let unread = 0;

  function changed(): void {
    panel.render();
    seen.report();
    const count = store.unread();
    const { chat, pending, link } = store.state;
    const goesOn = pending.length > 0 || count > 0 || (chat !== null && chat.status !== 'closed');
    // Before the server has answered, an empty thread means nothing.
    if (goesOn || link === 'live') storage.write('on', goesOn ? '1' : '');
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
    for (const message of messages) {
      if (message.sender === 'agent') emit('message:received', message);
      // Even if the acknowledgement gets lost, the message did not.
      else outbox.remove(message.clientId);
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
    const reply = await call<{ message: Message; chat: VisitorChat }>(`${api}/messages`, body, storage.read('token'));
    if (!reply.ok && reply.status === 401) connection.renew();
    return reply;
  }

  function wake(): void {
    if (document.hidden) return;
    connection.wake();
    seen.report();
  }

  storage.watch(() => {
    readOutbox();
    outbox.hurry();
  }, signal);
  for (const type of ['online', 'focus', 'visibilitychange', 'pageshow']) addEventListener(type, wake, { signal });
  addEventListener('pagehide', connection.pause, { signal });
  readOutbox();
  if (storage.read('on')) connection.start();

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
