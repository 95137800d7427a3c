import { PHONE, type WidgetConfig } from 'server/contract';
import type { ChatContext, SessionUpdate } from '../chat/context.ts';
import { queueMessage } from '../chat/outbox.ts';
import type { Draft } from '../chat/storage.ts';
import type { ChatCommands } from '../host.ts';
import { call } from '../http.ts';
import { currentPage } from '../live/session.ts';
import type { ParleyAttributes } from '../parley.d.ts';

/** How often it is checked whether the visitor has left the panel. */
const LEFT_POLL_MS = 300;

/** Runs a call of the page. Wrong arguments give a warning in the console, never an exception in the page. */
export function runCommand(context: ChatContext, name: keyof ChatCommands, args: unknown[]): void {
  try {
    const run = createCommands(context)[name] as (...given: unknown[]) => void;
    run(...args);
  } catch (error) {
    console.warn(`Parley: ${name}() cannot use what it was given.`, error);
  }
}

/** Restarts once the visitor uses nothing in the panel, so that no field and no button is taken away under the hands. */
export function restartWhenLeft(context: ChatContext): void {
  const { host, panel, signal } = context;
  const isUsed = panel.node.contains(host.root.activeElement) || panel.node.matches(':active');
  if (isUsed) setTimeout(restartWhenLeft, LEFT_POLL_MS, context);
  else if (!signal.aborted) context.restart();
}

/** The page's calls by their names. */
function createCommands(context: ChatContext): ChatCommands {
  const { host, panel, storage, store, unsent } = context;

  function update(change: SessionUpdate): void {
    Object.assign(unsent, change);
    void context.live?.sendUpdate();
    store.set({ identifying: true });
  }

  /** Another person on this device gets none of what the one before has typed. */
  function takeTurn(who: string): void {
    const before = storage.read('who');
    if (!who || who === before) return;
    if (before) for (const key of storage.keys('draft')) storage.write(key as Draft, '');
    storage.write('who', who);
  }

  /** The update that adds these attributes; empty if there are none. */
  function withAttributes(attributes: ParleyAttributes): SessionUpdate {
    return Object.keys(attributes).length ? { attributes: { ...unsent.attributes, ...known(attributes) } } : {};
  }

  return {
    sendMessage: (text) => queueMessage(storage, `${text}`),
    prefill: (text) => storage.write('draft', `${text}`),
    identify(who) {
      // Where nobody is signed in, pages pass null or nothing.
      const { id, name, email, token, phone: number, ...others } = who ?? {};
      // What is no number is an attribute like any other.
      const phone = PHONE.test(`${number ?? ''}`) ? `${number}` : undefined;
      const attributes = phone || number === undefined ? others : { ...others, phone: number };
      if (email && !store.state.config.preChatFields) storage.write('met', 'mail');
      // The page's template may leave a field empty.
      const identity = known({
        id: `${id ?? ''}` || undefined,
        name: name || undefined,
        email: email || undefined,
        phone,
        token: token || undefined,
      });
      takeTurn(personOf(`${token ?? ''}`) || `${id ?? ''}`);
      // With an id or a token it may be another visitor: nothing of the identity before is kept.
      update({
        identity: id || token ? identity : { ...unsent.identity, ...identity },
        ...withAttributes(attributes),
      });
    },
    setAttributes: (attributes) => update(withAttributes(attributes)),
    setPage({ url, title }) {
      const page = currentPage(store.state, new URL(url, location.href).href, title);
      if (page) unsent.page = page;
      context.live?.reportPage();
    },
    setLanguage(tag) {
      // Pages with client-side routes call it at each route.
      if (host.options.language === tag) return;
      host.options.language = tag;
      // The site's own texts, for the launcher and for a chat that is not connected.
      host.fresh = call<WidgetConfig>(`${host.api}?l=${tag}`).then((config) => {
        if (config.ok && host.options.language === tag) {
          const isSame = config.buttonText === host.config.buttonText;
          host.config = config;
          if (!isSame) host.restyle(config);
        }
        return { config: host.config };
      });
      restartWhenLeft(context);
    },
    setTheme(theme) {
      host.options.theme = theme;
      panel.render();
    },
    openArticle(slug) {
      store.state.openArticle = `${slug}`;
      // Where the site shows none by itself, the part is loaded for this one.
      store.state.config.articles ??= 'off';
      host.open(true);
      panel.render();
    },
    logout: context.forget,
  };
}

/** The entries that have a value. */
function known<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

/** Whom a token stands for; '' where it cannot be read. Only the server can tell whether it is genuine. */
function personOf(token: string): string {
  try {
    return `${JSON.parse(atob(token.split('.')[1]?.replace(/-/g, '+').replace(/_/g, '/') ?? '')).sub}`;
  } catch {
    return '';
  }
}
