import type { Desk } from '../chat/desk.ts';
import type { ChatCommands, Identity } from '../frame.ts';
import type { Told } from '../live/connection.ts';

/** What the page can tell the chat to do. */
export function createCommands(desk: Desk): ChatCommands {
  const { frame, outbox, panel, storage, told } = desk;

  function introduce(visitor: NonNullable<Told['visitor']>): void {
    told.visitor = { ...told.visitor, ...visitor };
    void desk.live?.introduce();
    panel.render();
  }

  return {
    sendMessage(text) {
      const content = `${text}`.trim();
      if (content) outbox.add(content);
    },
    prefill: (text) => panel.composer.prefill(`${text}`),
    identify({ name, email }: Identity) {
      if (email) storage.write('met', 'mail');
      introduce({ ...(name && { name }), ...(email && { email }) });
    },
    setPage({ url, title }) {
      told.page = { url: new URL(url, location.href).href, title: title ?? document.title };
      desk.live?.reportPage();
    },
    setLanguage(tag) {
      frame.options.language = tag;
      frame.restart();
    },
    setTheme(theme) {
      frame.options.theme = theme;
      panel.render();
    },
    logout: desk.forget,
  };
}
