import { type Message, TYPING_EVERY_MS, type VisitorChat, type WidgetConfig } from 'server/contract';
import type { Desk } from '../chat/desk.ts';
import type { Outgoing } from '../chat/storage.ts';
import { call } from '../http.ts';
import { type Connection, createConnection } from './connection.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createLock } from './lock.ts';
import { createNews } from './news.ts';
import { createPostman, type SendAck } from './postman.ts';
import { createSeen } from './seen.ts';

/** The chat's line to the server. */
export interface Live extends Pick<Connection, 'request' | 'introduce' | 'reportPage'>, Pick<Ledger, 'changeChat'> {
  /** Sends what waits in the outbox. */
  post(): void;
  /** Tells the server how far the visitor has got, and the page what is new. Call after every change. */
  report(): void;
  /** The visitor writes, or ceased to. */
  reportTyping(isTyping: boolean): void;
  /** Takes a stored message with what the server said of its chat. */
  takeSent(message: Message, chat: VisitorChat): Promise<void>;
  /** Reads what stands before the oldest message held. */
  readBack(): Promise<void>;
  stop(): void;
}

/** Opens the session, connects, and sends what waits. `readOutbox`: what waits has changed. */
export function startLive(desk: Desk, readOutbox: () => void): Live {
  const { frame, outbox, panel, signal, storage, store } = desk;
  const lock = createLock(`parley:${frame.code}`);
  const ledger = createLedger(store);
  const connection = createConnection({
    ...desk,
    ledger,
    place: frame,
    lock,
    onConfig,
    onError: (failure) => frame.emit('error', failure),
    onEnd: (reason) => (reason === 'erased' ? desk.forget() : frame.end()),
    onConnect() {
      seen.restart();
      postman.hurry();
    },
    onHeard(messages) {
      for (const message of messages) {
        if (message.sender === 'agent') news.hear(message);
        // Even if the acknowledgement gets lost, the message did not.
        else outbox.remove(message.clientId);
      }
    },
  });
  const news = createNews(desk);
  const seen = createSeen(store, ledger, connection, panel.isWatching);
  const postman = createPostman({
    storage,
    lock,
    overSocket: ({ clientId, content }) => connection.request('send_message', { clientId, content }),
    overHttp,
    onSent: takeSent,
    onFailed(failure) {
      if (failure.code === 'BLOCKED') store.set({ blocked: true });
      frame.emit('error', failure);
    },
    onChange: readOutbox,
  });
  let typedAt = 0;
  let reading = false;

  function onConfig(config: WidgetConfig): void {
    const { online } = store.state.config;
    frame.restyle(config);
    store.set({ config });
    if (online !== config.online) frame.emit('availability', { online: config.online });
  }

  async function takeSent(message: Message, chat: VisitorChat): Promise<void> {
    typedAt = 0;
    await connection.settle({ chat, messages: [message] });
    frame.emit('message:sent', message);
  }

  async function overHttp({ clientId, content, from }: Outgoing): Promise<SendAck> {
    const url = `${frame.api}/${from ? 'offline' : 'messages'}`;
    const body = { clientId, content, ...from };
    const reply = await call<{ message: Message; chat: VisitorChat }>(url, body, storage.read('token'));
    if (!reply.ok && reply.status === 401) connection.renew();
    if (reply.ok && from) storage.write('met', 'mail');
    return reply;
  }

  function report(): void {
    seen.report();
    news.tell();
  }

  function wake(): void {
    if (document.hidden) return;
    connection.wake();
    seen.report();
  }

  storage.watch(() => {
    readOutbox();
    postman.hurry();
  }, signal);
  for (const type of ['online', 'focus', 'visibilitychange', 'pageshow']) addEventListener(type, wake, { signal });
  addEventListener('pagehide', connection.pause, { signal });
  // The line would be found dead only when the next heartbeat fails to come.
  addEventListener('offline', connection.doubt, { signal });
  // Where the page changes its address without a load: not every browser tells, so each `sync` looks, too.
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener('navigatesuccess', connection.reportPage, { signal });
  connection.start();
  postman.go();
  report();

  return {
    ...connection,
    changeChat: ledger.changeChat,
    post: postman.go,
    report,
    takeSent,
    reportTyping(isTyping) {
      const now = Date.now();
      if (isTyping ? now - typedAt < TYPING_EVERY_MS : !typedAt) return;
      typedAt = isTyping ? now : 0;
      void connection.request('typing', { isTyping });
    },
    async readBack() {
      const [oldest] = store.state.messages;
      if (reading || !oldest || !store.state.earlier) return;
      reading = true;
      const { chatId, seq } = oldest;
      const answer = await connection.request('sync', { chatId, beforeSeq: seq });
      reading = false;
      // Meanwhile the conversation may have left the screen.
      if (answer.ok && store.state.messages[0] === oldest) ledger.takeEarlier(answer);
    },
    stop() {
      connection.stop();
      postman.stop();
    },
  };
}
