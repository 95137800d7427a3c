import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Site, type SiteRole, TOKEN_KEY, type User, type VisitorSession } from 'server/contract';
import { expect, vi } from 'vitest';
import { apiOf, type CallApi } from './api.ts';
import { closeContexts, newContext, sharedBrowser } from './browser.ts';
import { type Host, startHostPage } from './host-page.ts';
import { type Parley, type ParleyOptions, startParley } from './parley.ts';

const PRESENCE_TIMEOUT_MS = 60_000;
const PRESENCE_POLL_MS = 200;

const REGISTERED_TIMEOUT_MS = 60_000;
const REGISTERED_POLL_MS = 500;

/** Everybody's password. */
export const PASSWORD = 'blue-harbour-lantern-42';

/** Somebody with an account, signed in. */
export interface Account {
  user: User;
  token: string;
}

/** A site with an owner and no chats, set up over the API, for tests that do not need the screens for it. */
export interface Shop {
  parley: Parley;
  browser: Browser;
  api: CallApi;
  owner: Account;
  site: Site;
  stop(): Promise<void>;
}

/** Starts Parley with the shop, for tests that stop it, have settings of their own, or need its owner as the admin of the server. */
export async function openShop(options: ParleyOptions = {}): Promise<Shop> {
  return shopOn(await startParley(options));
}

let shared: Promise<Parley> | undefined;

/**
 * Opens a shop on the Parley that all test files of a process share, because starting one takes a second of processor time.
 * `stop` closes the pages only: the end of the process stops this Parley.
 */
export async function openSharedShop(): Promise<Shop> {
  shared ??= startParley();
  const parley = await shared;
  return { ...(await shopOn(parley)), stop: closeContexts };
}

/** Sets the shop up on a Parley that runs; `stop` stops it. Its chats wait until somebody claims them. */
export async function shopOn(parley: Parley): Promise<Shop> {
  const api = apiOf(parley.origin);
  const owner = await register(api, 'Ana Oliveira');
  const { site } = await api('POST /sites', {
    token: owner.token,
    body: { name: 'Example shop', domain: 'shop.example.com', settings: { autoAssign: false } },
  });
  const browser = await sharedBrowser();
  return {
    parley,
    browser,
    api,
    owner,
    site,
    stop: async () => {
      await closeContexts();
      await parley.stop();
    },
  };
}

let accounts = 0;

/** Registers an account; its address is made from the first name and a number. */
export async function register(api: CallApi, name: string): Promise<Account> {
  const email = `${name.split(' ')[0]?.toLowerCase()}-${++accounts}@example.com`;
  const form = { name, email, password: PASSWORD, confirmPassword: PASSWORD };
  // Passwords that have waited too long are not hashed, which happens while other tests keep all processors busy.
  return vi.waitFor(() => api('POST /auth/register', { body: form }), {
    timeout: REGISTERED_TIMEOUT_MS,
    interval: REGISTERED_POLL_MS,
  });
}

/** Registers an account and adds it to the shop's team. */
export async function addMember(
  { api, owner, site }: Pick<Shop, 'api' | 'owner' | 'site'>,
  name: string,
  role: SiteRole,
): Promise<Account> {
  const person = await register(api, name);
  const body = { email: person.user.email, role, siteId: site._id };
  const { invite } = await api('POST /team/invites', { token: owner.token, body });
  await api('POST /invites/:inviteId/accept', { token: person.token, params: { inviteId: invite._id } });
  return person;
}

/** Opens a session of a new visitor and sends a message. @returns the session and the chat's id */
export async function visit(
  { api, site }: Pick<Shop, 'api' | 'site'>,
  visitor: { name?: string; email?: string },
  content: string,
) {
  const params = { widgetCode: site.widgetCode };
  const session = await api('POST /widget/:widgetCode/session', { params, body: { visitor } });
  const chatId = await say({ api, site }, session, content);
  return { session, chatId };
}

/** Sends a visitor's message. @returns the chat's id */
export async function say(
  { api, site }: Pick<Shop, 'api' | 'site'>,
  { visitorToken }: VisitorSession,
  content: string,
): Promise<string> {
  const body = { clientId: randomUUID(), content };
  const params = { widgetCode: site.widgetCode };
  const { chat } = await api('POST /widget/:widgetCode/messages', { token: visitorToken, params, body });
  return chat._id;
}

/** Opens a screen of the dashboard in a new browser context that is signed in. */
export async function signedIn(
  { browser, parley: { origin } }: Shop,
  { token }: Account,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const localStorage = [{ name: TOKEN_KEY, value: token }];
  const storageState = { cookies: [], origins: [{ origin, localStorage }] };
  const page = await (await newContext(browser, { storageState, ...options })).newPage();
  await page.goto(origin + path);
  return page;
}

/** Serves a page of the shop, on another origin, with the widget. @param before HTML before the script tag */
export function hostPageOf({ parley, site }: Shop, { before = '', strict = false } = {}): Promise<Host> {
  const tag = `<script async src="${parley.origin}/widget.js" data-site-id="${site.widgetCode}"></script>`;
  return startHostPage({ parleyOrigin: parley.origin, embedCode: before + tag, strict });
}

/** Opens the dashboard as the owner, and waits until the site is online. Before that, the widget shows its offline form. */
export async function ownerAt(
  shop: Shop,
  path = '/dashboard/inbox',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await signedIn(shop, shop.owner, path, options);
  await untilOnline(shop);
  return page;
}

/** Waits until the widget's config says that the site is online. */
export async function untilOnline({ api, site }: Pick<Shop, 'api' | 'site'>): Promise<void> {
  const params = { widgetCode: site.widgetCode };
  const isOnline = async () => expect((await api('GET /widget/:widgetCode', { params })).online).toBe(true);
  await vi.waitFor(isOnline, { timeout: PRESENCE_TIMEOUT_MS, interval: PRESENCE_POLL_MS });
}
