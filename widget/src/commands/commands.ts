import type { Desk } from '../chat/desk.ts';
import type { ChatCommands } from '../frame.ts';
import { pageNow, type Told } from '../live/session.ts';
import type { ParleyAttributes } from '../parley.d.ts';

/** Runs a call of the page. What makes no sense is told to the page's console, and must not throw into the page. */
export function runCommand(desk: Desk, name: keyof ChatCommands, args: unknown[]): void {
  try {
    const run = createCommands(desk)[name] as (...given: unknown[]) => void;
    run(...args);
  } catch (error) {
    console.warn(`Parley: ${name}() cannot use what it was given.`, error);
  }
}

/** What the page can tell the chat to do. */
function createCommands(desk: Desk): ChatCommands {
  const { frame, outbox, panel, storage, told } = desk;

  function tell(news: Told): void {
    Object.assign(told, news);
    void desk.live?.introduce();
    panel.render();
  }

  /** What is told of the visitor by now; nothing where there is nothing to tell. */
  function withAttributes(attributes: ParleyAttributes): Told {
    return Object.keys(attributes).length ? { attributes: { ...told.attributes, ...known(attributes) } } : {};
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
      tell({
        identity: id || token ? identity : { ...told.identity, ...identity },
        ...withAttributes(attributes),
      });
    },
    setAttributes: (attributes) => tell(withAttributes(attributes)),
    setPage({ url, title }) {
      const page = pageNow(new URL(url, location.href).href, title);
      if (page) told.page = page;
      desk.live?.reportPage();
    },
    setLanguage(tag) {
      // Pages with routes of their own say it at each.
      if (frame.options.language === tag) return;
      frame.options.language = tag;
      desk.restart();
    },
    setTheme(theme) {
      frame.options.theme = theme;
      panel.render();
    },
    logout: desk.forget,
  };
}

/** The entries that have a value. */
function known<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}
