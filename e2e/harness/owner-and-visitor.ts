import type { Browser, Page } from 'playwright-core';
import { closeContexts, newContext, sharedBrowser, watch } from './browser.ts';
import { createSite, type Inbox, inboxOf, openInbox, signUp } from './dashboard.ts';
import { type Host, startHostPage } from './host-page.ts';
import { type Parley, startParley } from './parley.ts';
import { hostPageOf, ownerAt, type Shop } from './shop.ts';
import { type Widget, widgetOf } from './widget.ts';

/** As most people have it. */
const MOTION = { reducedMotion: 'no-preference' } as const;

/** A site owner with an empty inbox, and a visitor on the owner's page, each in a browser context of their own. */
export interface People {
  parley: Parley;
  host: Host;
  staff: { page: Page; inbox: Inbox };
  visitor: { page: Page; widget: Widget };
  stop(): Promise<void>;
}

/** The same, watched from the first screen on. */
export interface OwnerAndVisitor extends People {
  browser: Browser;
  /** Problems that `watch` found on either page. */
  problems: string[][];
}

/** Opens the screens of both in a shop, for tests that begin with the chat: signing up takes seconds of processor time. */
export async function meetIn(shop: Shop): Promise<People> {
  const staffPage = await ownerAt(shop);
  const host = await hostPageOf(shop);
  const visitorPage = await (await newContext(shop.browser)).newPage();
  await visitorPage.goto(host.url);
  return {
    parley: shop.parley,
    host,
    staff: { page: staffPage, inbox: inboxOf(staffPage) },
    visitor: { page: visitorPage, widget: widgetOf(visitorPage) },
    stop: async () => {
      await shop.stop();
      await host.stop();
    },
  };
}

/** Sets everything up on the screens that people use, on a Parley of its own. */
export async function startOwnerAndVisitor(options: { strict?: boolean } = {}): Promise<OwnerAndVisitor> {
  const parley = await startParley();
  const browser = await sharedBrowser();
  const staffPage = await (await newContext(browser, MOTION)).newPage();
  const ofStaff = watch(staffPage, parley.origin);
  await signUp(staffPage, parley.origin);
  const embedCode = await createSite(staffPage, parley.origin, { name: 'Example shop', domain: 'shop.example.com' });
  const inbox = await openInbox(staffPage, parley.origin);

  const host = await startHostPage({ parleyOrigin: parley.origin, embedCode, ...options });
  const visitorPage = await (await newContext(browser, MOTION)).newPage();
  const ofVisitor = watch(visitorPage, parley.origin, host.origin);
  await visitorPage.goto(host.url);

  return {
    parley,
    browser,
    host,
    staff: { page: staffPage, inbox },
    visitor: { page: visitorPage, widget: widgetOf(visitorPage) },
    problems: [ofStaff, ofVisitor],
    stop: async () => {
      await closeContexts();
      await host.stop();
      await parley.stop();
    },
  };
}
