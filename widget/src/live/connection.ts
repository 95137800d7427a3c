import {
  type Message,
  TYPING_ENDS_MS,
  type VisitorEndReason,
  type VisitorEvents,
  type VisitorRequests,
  WIDGET_CONFIG_MAX_AGE_S,
  type WidgetConfig,
} from 'server/contract';
import type { Fetch } from '../chat/parts.ts';
import type { Store } from '../chat/state.ts';
import type { Storage } from '../chat/storage.ts';
import type { Place } from '../frame.ts';
import { call, isGone } from '../http.ts';
import { backoff } from './backoff.ts';
import type { Ledger, Stretch } from './ledger.ts';
import type { Lock } from './lock.ts';
import { type Client, createClient } from './protocol.ts';
import { openSession, pageNow, type Told } from './session.ts';

const HEAD_CHECK_MS = 30_000;
/** How long WebSockets are not tried again where they got no answer: each try holds up the line. */
const POLL_MS = 3_600_000;
/** HTTP's word for what breaks a rule of the call. */
const UNPROCESSABLE = 422;

type Ask<Event extends keyof VisitorRequests> = Parameters<VisitorRequests[Event]>[0];
type Answer<Event extends keyof VisitorRequests> = Parameters<Parameters<VisitorRequests[Event]>[1]>[0];

export interface ConnectionOptions {
  place: Place;
  storage: Storage;
  store: Store;
  ledger: Ledger;
  fetch: Fetch;
  told: Told;
  /** Whoever sends a message holds it. */
  lock: Lock;
  onConnect(): void;
  /** Messages from the other side that came while this page was looking on. */
  onHeard(messages: Message[]): void;
  onConfig(config: WidgetConfig): void;
  onError(failure: { code: string; message: string }): void;
  /** The widget was switched off, its site is gone, or the visitor was erased. */
  onEnd(reason?: VisitorEndReason): void;
}

/** Keeps this page's copy of the conversation the same as the server's. */
export interface Connection {
  /** Opens the session and connects, once. */
  start(): void;
  request<Event extends keyof VisitorRequests>(event: Event, ask: Ask<Event>): Promise<Answer<Event>>;
  /** The token was refused: opens a new session. */
  renew(): void;
  /** Takes a message with what the server said of its chat; fetches first what is missing before it. */
  settle(thread: Stretch): Promise<void>;
  /** Asks for everything missed. */
  sync(): Promise<void>;
  /** Says on which page the visitor is, if that is news. */
  reportPage(): void;
  /** Says who the visitor is, as told. */
  introduce(): Promise<void>;
  /** Back from sleep, from another tab, or on the network again. */
  wake(): void;
  /** The network is said to be gone: connects anew, and says so until that has worked. */
  doubt(): void;
  /** Lets the socket go, so that the browser can keep the page for the way back. */
  pause(): void;
  stop(): void;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { ledger, place, storage, store, told } = options;
  let started = false;
  let stopped = false;
  let renewed = false;
  /** Whose conversation is on screen. */
  let token = '';
  let syncing: Promise<void> | null = null;
  let again = false;
  let reportedPage = '';
  let typingEnds: ReturnType<typeof setTimeout> | undefined;
  /** When the config was heard last, in milliseconds. */
  let configAt = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let headCheck: ReturnType<typeof setInterval> | undefined;

  const client: Client = createClient({
    origin: place.origin,
    fallback: async () => (await options.fetch('polling')).openPolling,
    prefersPolling: () => Date.now() < Number(storage.read('poll')),
    auth: () => ({ visitorToken: storage.read('token') }),
    onConnect(unanswered) {
      if (unanswered) storage.write('poll', `${Date.now() + POLL_MS}`);
      // Another tab has become another person.
      if (storage.read('token') !== token) return void begin(0);
      renewed = false;
      options.onConnect();
      store.set({ link: 'live' });
      void sync();
      void introduce();
      void refreshConfig();
    },
    onDisconnect: () => store.set({ link: 'lost' }),
    onRefused(message) {
      if (message === 'UNAUTHORIZED') renew();
      else if (isGone({ code: message })) options.onEnd();
    },
    onEvent: (name, payload) => listeners[name as keyof VisitorEvents]?.(payload as never),
  });

  const listeners: Partial<VisitorEvents> = {
    new_message: ({ message }) => void hear(message),
    receipts: (receipt) => ledger.takeReceipt(receipt),
    chat_claimed: ({ chatId, agent }) => ledger.changeChat(chatId, { agent, status: 'active' }),
    chat_handed_back: ({ chatId }) => ledger.changeChat(chatId, { agent: null, status: 'waiting' }),
    chat_closed: ({ chatId }) => ledger.changeChat(chatId, { status: 'closed' }),
    chat_deleted: () => {
      ledger.forget();
      void sync();
    },
    availability: ({ online }) => options.onConfig({ ...store.state.config, online }),
    config_changed: ({ config }) => options.onConfig(config),
    typing: ({ name, isTyping }) => hearTyping(isTyping ? name : ''),
    // There are too many tabs: one that nobody is at comes back when somebody looks at it (see `wake`).
    gave_way: () => document.hasFocus() || client.close(),
    // Where another tab has become another person meanwhile, this one does so when it connects anew.
    session_ended: ({ reason }) => ['', token].includes(storage.read('token')) && options.onEnd(reason),
  };

  function hearTyping(name: string): void {
    clearTimeout(typingEnds);
    // The end of it may get lost.
    if (name) typingEnds = setTimeout(hearTyping, TYPING_ENDS_MS, '');
    store.set({ typing: name });
  }

  function request<Event extends keyof VisitorRequests>(event: Event, ask: Ask<Event>): Promise<Answer<Event>> {
    return client.request(event, ask) as Promise<Answer<Event>>;
  }

  async function hear(message: Message): Promise<void> {
    const { chat } = store.state;
    if (message.chatId === chat?._id && ledger.fits(message))
      options.onHeard(ledger.take({ chat, messages: [message] }));
    else await sync();
  }

  async function settle({ chat, messages }: Stretch): Promise<void> {
    if (!messages.every(ledger.fits)) await sync();
    else ledger.take({ chat, messages });
  }

  async function begin(failures: number): Promise<void> {
    const reply = await enter();
    if (stopped || reply.ok) return;
    if (isGone(reply)) options.onEnd();
    else {
      store.set({ link: 'lost' });
      retry = setTimeout(begin, Math.max(reply.retryAfterMs ?? 0, backoff(failures, Math.random)), failures + 1);
    }
  }

  /** Says all that was told. What the server refuses is told to the page, and not said again. */
  async function enter(): ReturnType<typeof openSession> {
    const news = isNews(told);
    // Nothing is on its way meanwhile: said by one person and again by another, a message would be there twice.
    const reply = await (news ? options.lock(open) : open());
    const isRefused = !reply.ok && news && reply.status === UNPROCESSABLE;
    if (isRefused) options.onError(reply);
    return !stopped && (isRefused || (reply.ok && isNews(told))) ? enter() : reply;
  }

  /** Opens the session or resumes it; what could not be said is told still. */
  async function open(): ReturnType<typeof openSession> {
    const { page = pageNow(), ...said } = told;
    for (const what of Object.keys(said)) delete told[what as keyof typeof said];
    const reply = await openSession(place, storage, { ...said, ...(page && { page }) });
    if (stopped) return reply;
    if (reply.ok) {
      reportedPage = keyOf(page);
      if (token !== reply.visitorToken) {
        if (token) {
          ledger.forget();
          client.close();
        }
        token = reply.visitorToken;
        ledger.take(reply);
      }
      store.set({ email: reply.visitor.email ?? '' });
      takeConfig(reply.config);
      client.connect();
    } else if (reply.status !== UNPROCESSABLE) {
      const attributes = { ...said.attributes, ...told.attributes };
      Object.assign(told, { ...said, ...told }, said.attributes && { attributes });
    }
    return reply;
  }

  /** Before the session has begun, its opening says it. */
  async function introduce(): Promise<void> {
    if (token && isNews(told)) await enter();
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
      const cursor = ledger.cursor();
      const answer = await request('sync', cursor);
      if (!answer.ok) {
        // A connection that does not even answer this is dead, whatever the browser says.
        if (answer.code === 'TIMEOUT') client.reset();
        return;
      }
      // Of somebody who has not written yet there is nothing to be read back.
      if (!cursor.chatId) store.state.earlier = Boolean(answer.chat);
      const added = ledger.take(answer);
      options.onHeard(added);
      again ||= answer.more && added.length > 0;
    } while (again);
    reportPage();
  }

  function reportPage(): void {
    const page = told.page ?? pageNow();
    if (!page || keyOf(page) === reportedPage || !client.isConnected()) return;
    reportedPage = keyOf(page);
    void request('page', page);
  }

  function takeConfig(config: WidgetConfig): void {
    configAt = Date.now();
    options.onConfig(config);
  }

  /** What was missed while away may include a new look, or who is there. */
  async function refreshConfig(): Promise<void> {
    if (Date.now() - configAt < WIDGET_CONFIG_MAX_AGE_S * 1_000) return;
    const reply = await call<WidgetConfig>(place.api);
    if (stopped) return;
    if (reply.ok) takeConfig(reply);
    else if (isGone(reply)) options.onEnd();
  }

  return {
    request,
    renew,
    settle,
    sync,
    reportPage,
    introduce,
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
    doubt: () => client.isConnected() && client.reset(),
    pause: client.close,
    stop() {
      stopped = true;
      clearTimeout(retry);
      clearInterval(headCheck);
      clearTimeout(typingEnds);
      client.close();
    },
  };
}

/** Whether somebody told more than where the page is. */
function isNews({ page: _, ...said }: Told): boolean {
  return Object.keys(said).length > 0;
}

/** A title may come later than the address. */
function keyOf(page: Told['page']): string {
  return JSON.stringify(page ?? '');
}
