import {
  type Message,
  TYPING_EVERY_MS,
  type VisitorChat,
  type VisitorMessageBody,
  type WidgetConfig,
} from 'server/contract';
import type { ChatContext, Live } from '../chat/context.ts';
import { isAnswer } from '../chat/state.ts';
import type { OutgoingMessage } from '../chat/storage.ts';
import { call } from '../http.ts';
import { createConnection } from './connection.ts';
import { createConversation } from './conversation.ts';
import { createDrawings } from './drawings.ts';
import { createLock } from './lock.ts';
import { createOutboxSender, type SendAck } from './outbox-sender.ts';
import { createPageEvents } from './page-events.ts';
import { createReceiptReporter } from './receipt-reporter.ts';

/** Opens the session, connects, and sends the outbox. */
export function startLive(context: ChatContext): Live {
  const { host, panel, signal, storage, store } = context;
  const lock = createLock(`parley:${host.code}`);
  const conversation = createConversation(store);
  const connection = createConnection({
    ...context,
    conversation,
    endpoint: host,
    lock,
    onConfig,
    onError: (failure) => host.emit('error', failure),
    onEnd: (reason) => (reason === 'erased' ? context.forget() : host.end()),
    onConnect() {
      receiptReporter.restart();
      outboxSender.retryNow();
    },
    onMessages(messages) {
      for (const message of messages) {
        if (isAnswer(message)) pageEvents.received(message);
        // An own message that comes back is stored, even if its acknowledgement was lost.
        else storage.drop(message.clientId);
      }
    },
  });
  const pageEvents = createPageEvents(context);
  const receiptReporter = createReceiptReporter(store, conversation, connection, panel.isWatching);
  const outboxSender = createOutboxSender({
    storage,
    lock,
    overSocket: ({ clientId, content, department }) =>
      connection.request('send_message', { clientId, content, ...answered(department) }),
    overHttp,
    onSent: takeSent,
    onFailed(failure) {
      if (failure.code === 'BLOCKED') store.set({ blocked: true });
      host.emit('error', failure);
    },
  });
  let typedAt = 0;
  let reading = false;
  const draw = createDrawings(context);
  /** Whether the page was told that the team is online. */
  let { online } = store.state.config;

  /** What a first message follows from. @param department of a tapped button */
  function answered(department?: string): Pick<VisitorMessageBody, 'greeting' | 'article' | 'person' | 'department'> {
    const { begins, greeting } = store.state;
    return { ...(greeting && { greeting: greeting.id }), ...begins, ...(department && { department }) };
  }

  function onConfig(config: WidgetConfig): void {
    host.restyle(config);
    store.set({ config });
    if (online !== config.online) host.emit('availability', { online: config.online });
    online = config.online;
  }

  async function takeSent(message: Message, chat: VisitorChat): Promise<void> {
    typedAt = 0;
    // The stored message has the greeting that it answers.
    store.state.greeting = null;
    store.state.begins = {};
    await connection.addStored({ chat, messages: [message] });
    host.emit('message:sent', message);
  }

  async function overHttp({ clientId, content, from, department }: OutgoingMessage): Promise<SendAck> {
    const url = `${host.api}/${from ? 'offline' : 'messages'}`;
    const body = { clientId, content, ...from, ...answered(department) };
    const reply = await call<{ message: Message; chat: VisitorChat }>(url, body, storage.read('token'));
    if (!reply.ok && reply.status === 401) connection.renew();
    if (reply.ok && from) storage.write('met', 'mail');
    return reply;
  }

  function report(): void {
    receiptReporter.report();
    pageEvents.report();
    draw();
  }

  function wake(): void {
    if (document.hidden) return;
    connection.wake();
    receiptReporter.report();
  }

  for (const type of ['online', 'focus', 'visibilitychange', 'pageshow']) addEventListener(type, wake, { signal });
  addEventListener('pagehide', connection.pause, { signal });
  // Without this, a dead connection is noticed only when a heartbeat is missing.
  addEventListener('offline', connection.reconnect, { signal });
  // Client-side routers change the address without a load. Not every browser has this event, so each `sync` checks, too.
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener('navigatesuccess', connection.reportPage, { signal });
  connection.start();
  outboxSender.send();
  report();

  return {
    ...connection,
    changeChat: conversation.changeChat,
    post: outboxSender.send,
    report,
    takeSent,
    reportTyping(text) {
      const now = Date.now();
      if (text ? now - typedAt < TYPING_EVERY_MS : !typedAt) return;
      typedAt = text ? now : 0;
      void connection.request('typing', { isTyping: text !== '' });
    },
    async loadEarlier() {
      const [oldest] = store.state.messages;
      if (reading || !oldest || !store.state.earlier) return;
      reading = true;
      const { chatId, seq } = oldest;
      const answer = await connection.request('sync', { chatId, beforeSeq: seq });
      reading = false;
      // Meanwhile the conversation may have been replaced by another visitor's.
      if (answer.ok && store.state.messages[0] === oldest) conversation.takeEarlier(answer);
    },
    stop() {
      connection.stop();
      outboxSender.stop();
    },
  };
}
