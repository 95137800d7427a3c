import { backoff } from 'browser/backoff';
import {
  type Message,
  TYPING_ENDS_MS,
  type VisitorEndReason,
  type VisitorEvents,
  WIDGET_CONFIG_MAX_AGE_S,
  type WidgetConfig,
} from 'server/contract';
import type { LoadPart, SendRequest, SessionUpdate } from '../chat/context.ts';
import type { Language } from '../chat/language.ts';
import type { Store } from '../chat/state.ts';
import type { Storage } from '../chat/storage.ts';
import type { Endpoint } from '../host.ts';
import { call, isWidgetGone } from '../http.ts';
import type { Conversation, MessageRange } from './conversation.ts';
import type { Lock } from './lock.ts';
import { createSocketClient, type SocketClient } from './protocol.ts';
import { currentPage, openSession } from './session.ts';

const HEAD_CHECK_MS = 30_000;
/** How long WebSockets are not tried again after one got no answer: each try delays the connection by its timeout. */
const POLL_MS = 3_600_000;
/** The HTTP status of a request that fails validation. */
const UNPROCESSABLE = 422;

export interface ConnectionOptions {
  endpoint: Endpoint;
  language: Language;
  storage: Storage;
  store: Store;
  conversation: Conversation;
  loadPart: LoadPart;
  unsent: SessionUpdate;
  /** Held while a message is sent. */
  lock: Lock;
  onConnect(): void;
  /** Messages that arrived after the first load. */
  onMessages(messages: Message[]): void;
  onConfig(config: WidgetConfig): void;
  onError(failure: { code: string; message: string }): void;
  /** The widget was switched off, its site is gone, or the visitor was erased. */
  onEnd(reason?: VisitorEndReason): void;
}

export type Connection = ReturnType<typeof createConnection>;

/** Keeps this page's copy of the conversation equal to the server's. */
export function createConnection(options: ConnectionOptions) {
  const { conversation, endpoint, storage, store, unsent } = options;
  let stopped = false;
  let renewed = false;
  /** The token of the visitor whose conversation is on screen. */
  let token = '';
  let syncing: Promise<void> | null = null;
  let again = false;
  let reportedPage = '';
  let typingEnds: ReturnType<typeof setTimeout> | undefined;
  /** When the config came last, in milliseconds since 1970. */
  let configAt = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let updateRetry: ReturnType<typeof setTimeout> | undefined;
  let headCheck: ReturnType<typeof setInterval> | undefined;

  const client: SocketClient = createSocketClient({
    origin: endpoint.origin,
    fallback: async () => (await options.loadPart('polling')).pollingOf(endpoint),
    prefersPolling: () => Date.now() < Number(storage.read('poll')),
    auth: () => ({ visitorToken: storage.read('token'), speaks: options.language.name }),
    onConnect(unanswered) {
      if (unanswered) storage.write('poll', `${Date.now() + POLL_MS}`);
      // Another tab has become another visitor.
      if (storage.read('token') !== token) return void begin(0);
      renewed = false;
      options.onConnect();
      store.set({ connection: 'live' });
      void sync();
      void sendUpdate();
      void refreshConfig();
    },
    onDisconnect: () => store.set({ connection: 'lost' }),
    onRefused(message) {
      if (message === 'UNAUTHORIZED') renew();
      else if (isWidgetGone({ code: message })) options.onEnd();
    },
    onEvent: (name, payload) => listeners[name as keyof VisitorEvents]?.(payload as never),
  });

  const listeners: Partial<VisitorEvents> = {
    new_message: ({ message }) => void receive(message),
    message_changed: ({ message }) => conversation.take({ chat: null, messages: [], edited: [message] }),
    receipts: (receipt) => conversation.takeReceipt(receipt),
    chat_claimed: ({ chatId, agent }) => conversation.changeChat(chatId, { agent, status: 'active' }),
    chat_handed_back: ({ chatId }) => conversation.changeChat(chatId, { agent: null, status: 'waiting' }),
    assistant_changed: ({ chatId, assistant }) => conversation.changeChat(chatId, { assistant }),
    assistant_text: (text) => store.set({ sentences: [...(store.state.sentences ?? []), text] }),
    chat_closed: ({ chatId }) => conversation.changeChat(chatId, { status: 'closed' }),
    chat_deleted: () => {
      conversation.forget();
      void sync();
    },
    availability({ online, opensAt, departments: states }) {
      const { config } = store.state;
      // Only the config has their names.
      const departments = config.departments?.map((known) => {
        const state = states?.find(({ _id }) => _id === known._id);
        return state ? { name: known.name, ...state } : known;
      });
      options.onConfig({ ...config, online, opensAt, ...(departments && { departments }) });
    },
    config_changed: ({ config }) => options.onConfig(config),
    typing: ({ name, isTyping }) => showTyping(isTyping ? name : ''),
    // There are too many tabs: one without the focus stays closed until somebody looks at it (see `wake`).
    gave_way: () => document.hasFocus() || client.close(),
    // If another tab has become another visitor meanwhile, this one does so at its next connection.
    session_ended: ({ reason }) => ['', token].includes(storage.read('token')) && options.onEnd(reason),
  };

  function showTyping(name: string): void {
    clearTimeout(typingEnds);
    // The event for the end may be lost.
    if (name) typingEnds = setTimeout(showTyping, TYPING_ENDS_MS, '');
    store.set({ typing: name });
  }

  const request = ((event, ask) => client.request(event, ask)) as SendRequest;

  async function receive(message: Message): Promise<void> {
    const { chat } = store.state;
    if (message.chatId === chat?._id && conversation.isNext(message))
      options.onMessages(conversation.take({ chat, messages: [message] }));
    else await sync();
  }

  /** Adds a message and its chat; if a message before it is missing, it loads that first. */
  async function addStored({ chat, messages }: MessageRange): Promise<void> {
    if (!messages.every(conversation.isNext)) await sync();
    else conversation.take({ chat, messages });
  }

  async function begin(failures: number): Promise<void> {
    const reply = await enter();
    if (stopped || reply.ok) return;
    if (isWidgetGone(reply)) options.onEnd();
    else {
      store.set({ connection: 'lost' });
      retry = setTimeout(begin, Math.max(reply.retryAfterMs ?? 0, backoff(failures)), failures + 1);
    }
  }

  /** Opens the session, with everything in `unsent`. What the server refuses is reported to the page, and not sent again. */
  async function enter(): ReturnType<typeof openSession> {
    const hasUpdate = isUpdate(unsent);
    // Under the lock, so that no message is sent meanwhile: a retry under a new identity would store it twice.
    const reply = await (hasUpdate ? options.lock(open) : open());
    const isRefused = !reply.ok && hasUpdate && reply.status === UNPROCESSABLE;
    if (isRefused) options.onError(reply);
    return !stopped && (isRefused || (reply.ok && isUpdate(unsent))) ? enter() : reply;
  }

  /** Opens or resumes the session. What could not be sent goes back into `unsent`. */
  async function open(): ReturnType<typeof openSession> {
    const { page = currentPage(store.state), ...update } = unsent;
    for (const what of Object.keys(update)) delete unsent[what as keyof typeof update];
    const reply = await openSession(endpoint, storage, {
      ...update,
      ...(page && { page }),
      speaks: options.language.name,
    });
    if (stopped) return reply;
    if (reply.ok) {
      reportedPage = keyOf(page);
      if (token !== reply.visitorToken) {
        if (token) {
          conversation.forget();
          client.close();
        }
        token = reply.visitorToken;
        conversation.take(reply);
      }
      store.set({ email: reply.visitor.email ?? '', answered: reply.visitor.known ?? [] });
      takeConfig(reply.config);
      client.connect();
    } else if (reply.status !== UNPROCESSABLE) {
      const attributes = { ...update.attributes, ...unsent.attributes };
      Object.assign(unsent, { ...update, ...unsent }, update.attributes && { attributes });
    }
    return reply;
  }

  async function sendUpdate(failures = 0): Promise<void> {
    clearTimeout(updateRetry);
    // Before there is a token, `begin` sends it.
    if (stopped || !token || !isUpdate(unsent)) return;
    const { ok } = await enter();
    if (!ok) updateRetry = setTimeout(sendUpdate, backoff(failures), failures + 1);
  }

  /** The token was refused: opens a new session. */
  function renew(): void {
    if (renewed) return;
    renewed = true;
    void begin(0);
  }

  /** Loads everything that was missed. */
  function sync(): Promise<void> {
    again = syncing !== null;
    syncing ??= catchUp().finally(() => {
      syncing = null;
    });
    return syncing;
  }

  async function catchUp(): Promise<void> {
    do {
      again = false;
      const cursor = conversation.cursor();
      const answer = await request('sync', cursor);
      if (!answer.ok) {
        // A connection that does not answer `sync` is dead, even if the browser still has it open.
        if (answer.code === 'TIMEOUT') client.reset();
        return;
      }
      // A visitor without a chat has no earlier messages.
      if (!cursor.chatId) store.state.earlier = Boolean(answer.chat);
      const added = conversation.take(answer);
      options.onMessages(added);
      again ||= answer.more && added.length > 0;
    } while (again);
    reportPage();
  }

  function reportPage(): void {
    const page = unsent.page ?? currentPage(store.state);
    if (!page || keyOf(page) === reportedPage || !client.isConnected()) return;
    reportedPage = keyOf(page);
    void request('page', page);
  }

  function takeConfig(config: WidgetConfig): void {
    configAt = Date.now();
    options.onConfig(config);
  }

  /** Events missed while disconnected may include a new appearance or availability. */
  async function refreshConfig(): Promise<void> {
    if (Date.now() - configAt < WIDGET_CONFIG_MAX_AGE_S * 1_000) return;
    const reply = await call<WidgetConfig>(`${endpoint.api}?l=${options.language.name}`);
    if (stopped) return;
    if (reply.ok) takeConfig(reply);
    else if (isWidgetGone(reply)) options.onEnd();
  }

  return {
    request,
    renew,
    addStored,
    sync,
    reportPage,
    sendUpdate: () => sendUpdate(),
    /** Opens the session and connects. */
    start(): void {
      headCheck = setInterval(() => client.isConnected() && void sync(), HEAD_CHECK_MS);
      void begin(0);
    },
    /** Call when the device wakes up, the tab is shown, or the network is back. */
    wake(): void {
      if (!token || stopped) return;
      if (client.isConnected()) void sync();
      else client.connect();
    },
    /** Call when the browser says that the network is gone: drops the connection and connects again. */
    reconnect: () => client.isConnected() && client.reset(),
    /** Closes the socket, so that the browser can keep the page in its back/forward cache. */
    pause: client.close,
    stop(): void {
      stopped = true;
      clearTimeout(retry);
      clearInterval(headCheck);
      clearTimeout(typingEnds);
      client.close();
    },
  };
}

/** Whether there is more than the page in it. */
function isUpdate({ page: _, ...update }: SessionUpdate): boolean {
  return Object.keys(update).length > 0;
}

/** Includes the title, which may be set later than the address. */
function keyOf(page: SessionUpdate['page']): string {
  return JSON.stringify(page ?? '');
}
