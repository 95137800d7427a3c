import type { ChatContext, SessionUpdate } from '../chat/context.ts';
import type { ChatCommands } from '../host.ts';
import { currentPage } from '../live/session.ts';
import type { ParleyAttributes } from '../parley.d.ts';

/** Runs a call of the page. What makes no sense is told to the page's console, and must not throw into the page. */
export function runCommand(context: ChatContext, name: keyof ChatCommands, args: unknown[]): void {
  try {
    const run = createCommands(context)[name] as (...given: unknown[]) => void;
    run(...args);
  } catch (error) {
    console.warn(`Parley: ${name}() cannot use what it was given.`, error);
  }
}

/** What the page can tell the chat to do. */
function createCommands(context: ChatContext): ChatCommands {
  const { host, outbox, panel, storage, unsent } = context;

  function update(change: SessionUpdate): void {
    Object.assign(unsent, change);
    void context.live?.sendUpdate();
    panel.render();
  }

  /** What is told of the visitor by now; nothing where there is nothing to tell. */
  function withAttributes(attributes: ParleyAttributes): SessionUpdate {
    return Object.keys(attributes).length ? { attributes: { ...unsent.attributes, ...known(attributes) } } : {};
  }

  return {
    sendMessage(text) {
      const content = `${text}`.trim();
      if (content) outbox.add(content);
    },
    prefill: (text) => panel.composer.prefill(`${text}`),
    identify(who) {
      // Where nobody is signed in, pages hand over nothing.
      const { id, name, email, token, ...attributes } = who ?? {};
      if (email) storage.write('met', 'mail');
      // The page's template may leave a place empty.
      const identity = known({
        id: `${id ?? ''}` || undefined,
        name: name || undefined,
        email: email || undefined,
        token: token || undefined,
      });
      // Of another person, what was said before says nothing.
      update({
        identity: id || token ? identity : { ...unsent.identity, ...identity },
        ...withAttributes(attributes),
      });
    },
    setAttributes: (attributes) => update(withAttributes(attributes)),
    setPage({ url, title }) {
      const page = currentPage(new URL(url, location.href).href, title);
      if (page) unsent.page = page;
      context.live?.reportPage();
    },
    setLanguage(tag) {
      // Pages with routes of their own say it at each.
      if (host.options.language === tag) return;
      host.options.language = tag;
      context.restart();
    },
    setTheme(theme) {
      host.options.theme = theme;
      panel.render();
    },
    logout: context.forget,
  };
}

/** The entries that have a value. */
function known<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}
