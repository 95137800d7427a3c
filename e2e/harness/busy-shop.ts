import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import { newContext, watch } from './browser.ts';
import type { Host } from './host-page.ts';
import { addMember, hostPageOf, openShop, ownerAt, type Shop, visit } from './shop.ts';
import { type Widget, widgetOf } from './widget.ts';

const QUESTION = 'See https://example.com/a-page?with=query';
const HEARD_TIMEOUT_MS = 60_000;

/** A shop with a second agent, an invite, chats in every state, and a visitor on a page with the strictest policy. */
export interface BusyShop extends Shop {
  ids: { site: string; open: string; waiting: string; closed: string; invite: string };
  host: Host;
  staff: Page;
  visitor: Page;
  widget: Widget;
  /** Problems that `watch` found on the owner's or the visitor's page. */
  problems: string[][];
}

/** Starts Parley with the shop; its owner, who is also the admin of the server, has the dashboard open. */
export async function openBusyShop(): Promise<BusyShop> {
  const shop = await openShop();
  const { api, owner, parley, site } = shop;
  const { token } = owner;
  await api('PUT /sites/:id', {
    token,
    params: { id: site._id },
    body: { name: site.name, domain: site.domain, settings: { visitorPages: true } },
  });
  const { user: ben } = await addMember(shop, 'Ben Ito', 'agent');
  const { invite } = await api('POST /team/invites', {
    token,
    body: { email: 'carla@example.com', role: 'viewer', siteId: site._id },
  });
  const reply = { siteId: site._id, shortcut: 'hours', content: 'We are here from nine to five.' };
  await api('POST /canned-replies', { token, body: reply });
  const { chatId: closed } = await visit(shop, { name: 'Mina Park', email: 'mina@example.net' }, 'Where is my parcel?');
  const ofClosed = { token, params: { id: closed } };
  await api('POST /chats/:id/messages', { ...ofClosed, body: { content: 'On its way.' } });
  await api('PUT /chats/:id/tags', { ...ofClosed, body: { tags: ['parcel'] } });
  await api('POST /chats/:id/close', ofClosed);
  const { chatId: waiting } = await visit(shop, {}, 'Do you sell lanterns?');

  const staff = await ownerAt(shop, '/dashboard');
  const host = await hostPageOf(shop, { strict: true });
  const visitor = await (await newContext(shop.browser)).newPage();
  const problems = [watch(staff, parley.origin), watch(visitor, parley.origin, host.origin)];
  await visitor.goto(host.url);
  const widget = widgetOf(visitor);
  await widget.open();
  await widget.send(`${QUESTION} and tell me`);
  const open = await chatStartedWith(shop, QUESTION);
  const ofOpen = { token, params: { id: open } };
  await api('POST /chats/:id/claim', ofOpen);
  await api('POST /chats/:id/messages', { ...ofOpen, body: { content: 'A first answer' } });
  const department = { name: 'Orders', members: [ben._id] };
  const { departments } = await api('POST /sites/:id/departments', {
    token,
    params: { id: site._id },
    body: department,
  });
  await api('PUT /chats/:id/department', { ...ofOpen, body: { department: departments[0]?._id ?? null } });
  const note = { content: 'Asked the same last week, @Ben Ito.', mentions: [ben._id] };
  await api('POST /chats/:id/notes', { ...ofOpen, body: note });
  return {
    ...shop,
    host,
    staff,
    visitor,
    widget,
    problems,
    ids: { site: site._id, open, waiting, closed, invite: invite._id },
    stop: async () => {
      await shop.stop();
      await host.stop();
    },
  };
}

/** Waits for the chat whose last message starts with these words. @returns its id */
export function chatStartedWith({ api, owner }: Shop, words: string): Promise<string> {
  const checkScreens = async () => {
    const { chats } = await api('GET /chats', { token: owner.token });
    const chat = chats.find(({ lastMessage }) => lastMessage.startsWith(words));
    if (!chat) throw new Error('The visitor has not been heard.');
    return chat._id;
  };
  return vi.waitFor(checkScreens, { timeout: HEARD_TIMEOUT_MS });
}
