import { WIDGET_CONFIG_MAX_AGE_S, type WidgetConfig } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { call } from '../http.ts';

type Greeting = NonNullable<WidgetConfig['greetings']>[number];

/** How often the page's address and the time on the page are compared with the greetings. */
const TICK_MS = 1_000;
/** A visit ends after this time without a page. */
const VISIT_MS = 30 * 60_000;
/** How often it is written down that the visit goes on. */
const ALIVE_MS = 60_000;
/** Greetings of this visitor that are remembered; the oldest are dropped. */
const REMEMBERED_MAX = 50;

/** What this browser remembers of the visit; the server stores nothing of it. */
interface Visit {
  /** When the visitor was last here, in milliseconds since 1970. */
  at: number;
  /** It is not the first visit. */
  again: boolean;
  /** The ids of the greetings shown in any visit, and in this one. */
  ever: string[];
  now: string[];
  /** The id of the greeting on show; '': none. */
  shown: string;
  /** The visitor has opened the chat with it: it stays there on all pages. */
  opened: boolean;
  /** The visitor has closed a greeting or has a conversation: no other greeting follows in this visit. */
  quiet: boolean;
}

/** Chooses which greeting shows, and when: the first one that applies to page, time and visit. */
export function start(context: PartContext): void {
  const { host, language, panel, signal, storage, store, unsent } = context;
  let page = '';
  let since = 0;
  let configAt = Date.now();

  function visit(): Visit {
    const now = Date.now();
    let known: Visit | null = null;
    try {
      known = JSON.parse(storage.read('visit') || 'null');
    } catch {
      // Written by something else: it counts as a first visit.
    }
    if (known && now - known.at < VISIT_MS) return known;
    const fresh = { at: 0, again: known !== null, now: [], shown: '', opened: false, quiet: false };
    return { ...fresh, ever: known?.ever ?? [] };
  }

  function keep(visit: Visit): void {
    storage.write('visit', JSON.stringify({ ...visit, at: Date.now() }));
  }

  function put(greeting: Greeting | null): void {
    const reads = greeting && !storage.read('token') ? '1' : '';
    if (greeting?.id === store.state.greeting?.id && reads === storage.read('greeting')) return;
    storage.write('greeting', reads);
    store.set({ greeting: greeting && { id: greeting.id, text: greeting.text, close } });
  }

  function close(): void {
    keep({ ...visit(), shown: '', quiet: true });
    put(null);
  }

  /** There is a conversation, or one begins: nobody has to be greeted. */
  function isTalking(): boolean {
    const { chat, pending, uploads } = store.state;
    return storage.read('on') !== '' || (chat && chat.status !== 'closed') || pending.length + uploads.length > 0;
  }

  function applies({ page: part, visits, whileOnline }: Greeting, { again }: Visit): boolean {
    if (whileOnline && !store.state.config.online) return false;
    if (visits !== 'all' && (visits === 'returning') !== again) return false;
    return page.toLowerCase().includes(part.toLowerCase());
  }

  /** The config may be as old as the page: whether somebody is online is asked again before a greeting says so. */
  async function refresh(): Promise<void> {
    if (store.state.connection === 'live' || Date.now() - configAt < WIDGET_CONFIG_MAX_AGE_S * 1_000) return;
    configAt = Date.now();
    const reply = await call<WidgetConfig>(`${host.api}?l=${language.name}`);
    if (reply.ok) store.set({ config: reply });
  }

  function count({ id }: Greeting): void {
    // The preview in the dashboard has no server.
    if (!host.api) return;
    const body = JSON.stringify({ greeting: id });
    fetch(`${host.api}/greetings`, { method: 'POST', body, credentials: 'omit', keepalive: true }).catch(() => {});
  }

  async function tick(): Promise<void> {
    const url = unsent.page?.url ?? location.href;
    if (url !== page) {
      page = url;
      since = Date.now();
    }
    if (document.hidden) return;
    let current = visit();
    if (isTalking()) {
      // Until the first message is stored, it is sent with the greeting that it answers.
      const { chat } = store.state;
      const isStored = chat !== null && chat.status !== 'closed';
      const shown = isStored ? '' : current.shown;
      if (!current.quiet || shown !== current.shown) keep({ ...current, shown, quiet: true });
      if (isStored) put(null);
      return;
    }
    if (Date.now() - current.at > ALIVE_MS) keep(current);
    const greetings = store.state.config.greetings ?? [];
    const shown = greetings.find(({ id }) => id === current.shown);
    if (shown && !panel.node.hidden && !current.opened) {
      current = { ...current, opened: true };
      keep(current);
    }
    if (shown && (current.opened || applies(shown, current))) return put(shown);
    put(null);
    if (current.quiet || !panel.node.hidden || getComputedStyle(host.button).display === 'none') return;
    const isDue = (greeting: Greeting) =>
      applies(greeting, current) &&
      !current.now.includes(greeting.id) &&
      !(greeting.oncePerVisitor && current.ever.includes(greeting.id)) &&
      Date.now() - since >= greeting.after * 1_000;
    const due = greetings.find(isDue);
    if (!due) return;
    if (due.whileOnline) await refresh();
    if (signal.aborted || !applies(due, current)) return;
    const ever = [...current.ever.filter((id) => id !== due.id), due.id].slice(-REMEMBERED_MAX);
    keep({ ...current, ever, now: [...current.now, due.id], shown: due.id, opened: false });
    // The visitor may have closed it in another visit.
    if (storage.read('shut') === due.id) storage.write('shut', '');
    put(due);
    count(due);
  }

  const look = () => void tick();
  const timer = setInterval(look, TICK_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener('navigatesuccess', look, { signal });
  look();
}
