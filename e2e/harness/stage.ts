import type { Browser, Page } from 'playwright-core';
import { leaveBrowser, newPerson, theBrowser, watch } from './browser.ts';
import { type Host, startHost } from './host.ts';
import { type Parley, startParley } from './parley.ts';
import { createSite, type Inbox, openInbox, signUp } from './staff.ts';
import { type Widget, widgetOf } from './widget.ts';

/** A site owner before an empty inbox, and a visitor on the owner's page, each in a browser of their own. */
export interface Stage {
  parley: Parley;
  browser: Browser;
  host: Host;
  staff: { page: Page; inbox: Inbox };
  visitor: { page: Page; widget: Widget };
  /** What either page did that a page must never do. */
  problems: string[][];
  stop(): Promise<void>;
}

/** Sets everything up through the screens that people use. */
export async function setStage(options: { strict?: boolean } = {}): Promise<Stage> {
  const parley = await startParley();
  const browser = await theBrowser();
  const staffPage = await (await newPerson(browser)).newPage();
  const ofStaff = watch(staffPage, parley.origin);
  await signUp(staffPage, parley.origin);
  const embedCode = await createSite(staffPage, parley.origin, { name: 'Example shop', domain: 'shop.example.com' });
  const inbox = await openInbox(staffPage, parley.origin);

  const host = await startHost({ parleyOrigin: parley.origin, embedCode, ...options });
  const visitorPage = await (await newPerson(browser)).newPage();
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
      await leaveBrowser();
      await host.stop();
      await parley.stop();
    },
  };
}
