import type { Locator, Page } from 'playwright-core';

/** The site owner of the tests. */
const OWNER = { name: 'Ana Oliveira', email: 'ana@example.com', password: 'blue-harbour-lantern-42' };

/** The inbox with one open chat, as an agent uses it. */
export interface Inbox {
  /** The text of each row of the list, newest first. */
  rows(): Promise<string[]>;
  composer: Locator;
  /** Opens the chat in this row of the list. */
  openChat(index: number): Promise<void>;
  claim(): Promise<void>;
  close(): Promise<void>;
  type(text: string): Promise<void>;
  send(text: string): Promise<void>;
  /** Every message of the open thread in order. */
  messages(): Promise<string[]>;
  /** The delivery state of the newest own message, as the screen says it. */
  state(): Promise<string>;
}

/** Registers an account on the register screen, and waits for the dashboard. */
export async function signUp(page: Page, origin: string, person = OWNER): Promise<void> {
  await page.goto(`${origin}/register`);
  await page.getByLabel('Full name').fill(person.name);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Confirm password').fill(person.password);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.waitForURL(`${origin}/dashboard`);
}

/** Goes to the inbox. */
export async function openInbox(page: Page, origin: string): Promise<Inbox> {
  await page.goto(`${origin}/dashboard/inbox`);
  return inboxOf(page);
}

/** The inbox of a page that shows it. */
export function inboxOf(page: Page): Inbox {
  const rows = page.getByRole('list', { name: 'Chats', exact: true }).getByRole('listitem');
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  const thread = chat.getByRole('region', { name: /^Conversation with / });
  const composer = chat.getByRole('textbox', { name: 'Message' });

  return {
    rows: () => rows.allTextContents(),
    composer,
    async openChat(index) {
      await rows.nth(index).getByRole('link').click();
      await thread.waitFor();
    },
    claim: () => chat.getByRole('button', { name: 'Claim' }).click(),
    close: () => chat.getByRole('button', { name: 'Close' }).click(),
    type: (text) => composer.fill(text),
    async send(text) {
      await composer.fill(text);
      await composer.press('Enter');
    },
    messages: () => thread.locator('div[dir=auto]').allTextContents(),
    state: async () => {
      const words = await thread.getByText(/^(Sending|Sent|Delivered|Read|Failed)$/).allTextContents();
      return words.at(-1) ?? '';
    },
  };
}

/** Adds a website on the create screen. @returns the script tag that the next screen copies */
export async function createSite(page: Page, origin: string, site: { name: string; domain: string }): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await page.goto(`${origin}/dashboard/sites/new`);
  await page.getByLabel('Site name').fill(site.name);
  await page.getByLabel('Domain').fill(site.domain);
  // So that chats wait until the test claims them.
  await page.getByLabel('Auto-assign chats').uncheck();
  await page.getByRole('button', { name: 'Create Site' }).click();
  await page.getByText('Site created successfully! You can now copy the widget code.').waitFor();
  await page.getByRole('button', { name: 'OK' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}
