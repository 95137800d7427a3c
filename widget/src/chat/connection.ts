import {
  type Message,
  type VisitorEvents,
  type VisitorRequests,
  type VisitorThread,
  WIDGET_CONFIG_MAX_AGE_S,
  type WidgetConfig,
} from 'server/contract';
import type { Place } from '../frame.ts';
import { backoff } from './backoff.ts';
import { call, isGone } from './kit.ts';
import { type Client, createClient } from './protocol.ts';
import { openSession, pageNow } from './session.ts';
import type { Store } from './state.ts';
import type { Storage } from './storage.ts';

const HEAD_CHECK_MS = 30_000;

type Ask<Event extends keyof VisitorRequests> = Parameters<VisitorRequests[Event]>[0];
type Answer<Event extends keyof VisitorRequests> = Parameters<Parameters<VisitorRequests[Event]>[1]>[0];

export interface ConnectionOptions {
  place: Place;
  storage: Storage;
  store: Store;
  onConnect(): void;
  /** Messages from the other side that came while this page was looking on. */
  onHeard(messages: Message[]): void;
  onConfig(config: WidgetConfig): void;
  /** The widget was switched off, or its site is gone. */
  onEnd(): void;
}

/** Keeps this page's copy of the conversation the same as the server's. */
export interface Connection {
  /** Opens the session and connects, once. */
  start(): void;
  request<Event extends keyof VisitorRequests>(event: Event, ask: Ask<Event>): Promise<Answer<Event>>;
  /** The token was refused: opens a new session. */
  renew(): void;
  /** Takes a message with what the server said of its chat; fetches first what is missing before it. */
  settle(thread: Pick<VisitorThread, 'chat' | 'messages'>): Promise<void>;
  /** Asks for everything missed. */
  sync(): Promise<void>;
  /** Back from sleep, from another tab, or on the network again. */
  wake(): void;
  /** Lets the socket go, so that the browser can keep the page for the way back. */
  pause(): void;
  stop(): void;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { place, storage, store } = options;
  let started = false;
  let stopped = false;
  let renewed = false;
  /** Whose conversation is on screen. */
  let token = '';
  let syncing: Promise<void> | null = null;
  let again = false;
  let reportedPage = location.href;
  let configAt = Date.now();
  let retry: ReturnType<typeof setTimeout> | undefined;
  let headCheck: ReturnType<typeof setInterval> | undefined;

  const client: Client = createClient({
    origin: place.origin,
    auth: () => ({ visitorToken: storage.read('token') }),
    onConnect() {
      renewed = false;
      options.onConnect();
      store.set({ link: 'live' });
      void sync();
      void refreshConfig();
    },
    onDisconnect: () => store.set({ link: 'lost' }),
    onRefused(message) {
      if (message === 'UNAUTHORIZED') renew();
    },
    onEvent: (name, payload) => listeners[name as keyof VisitorEvents]?.(payload as never),
  });

  const listeners: Partial<VisitorEvents> = {
    new_message: ({ message }) => void hear(message),
    receipts: ({ chatId, delivered, read }) => store.takeReceipts(chatId, { delivered, read }),
    chat_claimed: ({ chatId, agent }) => store.changeChat(chatId, { agent, status: 'active' }),
    chat_closed: ({ chatId }) => store.changeChat(chatId, { status: 'closed' }),
    chat_deleted: () => {
      store.forget();
      void sync();
    },
    availability: ({ online }) => options.onConfig({ ...store.state.config, online }),
    config_changed: ({ config }) => options.onConfig(config),
    session_ended: () => options.onEnd(),
  };

  function request<Event extends keyof VisitorRequests>(event: Event, ask: Ask<Event>): Promise<Answer<Event>> {
    return client.request(event, ask) as Promise<Answer<Event>>;
  }

  async function hear(message: Message): Promise<void> {
    const { chat } = store.state;
    if (message.chatId === chat?._id && store.fits(message)) options.onHeard(store.take({ chat, messages: [message] }));
    else await sync();
  }

  async function settle({ chat, messages }: Pick<VisitorThread, 'chat' | 'messages'>): Promise<void> {
    if (!messages.every(store.fits)) await sync();
    else store.take({ chat, messages });
  }

  async function begin(failures: number): Promise<void> {
    const reply = await openSession(place, storage);
    if (stopped) return;
    if (reply.ok) {
      if (token && token !== reply.visitorToken) store.forget();
      token = reply.visitorToken;
      store.take(reply);
      client.connect();
    } else if (isGone(reply)) {
      options.onEnd();
    } else {
      store.set({ link: 'lost' });
      retry = setTimeout(begin, Math.max(reply.retryAfterMs ?? 0, backoff(failures, Math.random)), failures + 1);
    }
  }

  function renew(): void {
    if (renewed) return;
    renewed = true;
    void begin(0);
  }

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
      const answer = await request('sync', store.cursor());
      if (!answer.ok) {
        // A connection that does not even answer this is dead, whatever the browser says.
        if (answer.code === 'TIMEOUT') client.reset();
        return;
      }
      const added = store.take(answer);
      options.onHeard(added);
      again ||= answer.more && added.length > 0;
    } while (again);
    reportPage();
  }

  function reportPage(): void {
    const page = pageNow();
    if (page.url === reportedPage) return;
    reportedPage = page.url;
    void request('page', page);
  }

  /** What was missed while away may include a new look, or who is there. */
  async function refreshConfig(): Promise<void> {
    if (Date.now() - configAt < WIDGET_CONFIG_MAX_AGE_S * 1_000) return;
    configAt = Date.now();
    const reply = await call<WidgetConfig>(place.api);
    if (stopped) return;
    if (reply.ok) options.onConfig(reply);
    else if (isGone(reply)) options.onEnd();
  }

  return {
    request,
    renew,
    settle,
    sync,
    start() {
      if (started) return;
      started = true;
      headCheck = setInterval(() => client.isConnected() && void sync(), HEAD_CHECK_MS);
      void begin(0);
    },
    wake() {
      if (!token || stopped) return;
      if (client.isConnected()) void sync();
      else client.connect();
    },
    pause: client.close,
    stop() {
      stopped = true;
      clearTimeout(retry);
      clearInterval(headCheck);
      client.close();
    },
  };
}
