import type { Frame, Locator, Page } from 'playwright-core';

/** The widget on a page, as a visitor uses it. Playwright's selectors look into open shadow roots. */
export interface Widget {
  launcher: Locator;
  composer: Locator;
  /** Opens the panel. */
  open(): Promise<void>;
  /** Types without sending. */
  type(text: string): Promise<void>;
  send(text: string): Promise<void>;
  /** Every message on screen in order, without the greeting. */
  messages(): Promise<string[]>;
  /** The delivery state of the newest own message, as the widget says it. */
  state(): Promise<string>;
  /** Lines between the messages: the end of a chat, a day. */
  notes(): Promise<string[]>;
}

/** The widget of a page, or of an iframe in it. */
export function widgetOf(page: Page | Frame): Widget {
  const root = page.locator('parley-widget');
  const launcher = root.locator('button.launcher');
  const composer = root.getByRole('textbox', { name: 'Write a message…' });
  const list = root.getByRole('log', { name: 'Conversation' });

  return {
    launcher,
    composer,
    async open() {
      await launcher.click();
      await composer.waitFor();
    },
    type: (text) => composer.fill(text),
    async send(text) {
      await composer.fill(text);
      await composer.press('Enter');
    },
    async messages() {
      const [, ...said] = await list.locator('.bubble .text').allTextContents();
      return said;
    },
    state: async () => (await list.locator('.mine .state').allTextContents()).at(-1)?.trim() ?? '',
    notes: () => list.locator('.note .text').allTextContents(),
  };
}
