import type { Bundles } from './bundles.ts';
import type { AgentApp, HeadlessApp, PageStart, Progress, VisitorApp } from './headless-app.ts';
import { createNetwork, type Network } from './network.ts';
import { createSimulatedBrowser, type SimulatedBrowser } from './simulated-browser.ts';
import { openPage, type Page } from './simulated-page.ts';

const RANKS: Record<Progress, number> = { sending: 0, failed: 0, sent: 1, delivered: 2, read: 3 };

/** An open page and its network. */
export interface Tab<Its extends HeadlessApp> {
  page: Page<Its>;
  network: Network;
}

/** A person with a browser and its open pages. */
export interface Participant<Its extends HeadlessApp = HeadlessApp> {
  name: string;
  /** Whose conversations these are: `A` or `B`. */
  site: string;
  tabs: Tab<Its>[];
  /** The texts that this person wrote, in order. */
  wrote: string[];
  /** The texts that one of the pages has shown as stored. */
  shownStored: Set<string>;
  /** Delivery states that went backwards on a page. */
  backwards: string[];
  /** Everything that arrived on any of the pages. */
  heard(): string[];
  open(): Tab<Its>;
  /** Closes the page. */
  shut(tab: Tab<Its>): void;
}

export type Visitor = Participant<VisitorApp>;
export type Agent = Participant<AgentApp>;

interface Means {
  origin: string;
  bundles: Bundles;
  /** How many times faster the clock of the pages runs. */
  pace?: number | undefined;
}

/** A visitor of the site with this code. */
export function createVisitor(name: string, site: string, code: string, { origin, bundles, pace }: Means): Visitor {
  return createParticipant(name, site, (changed, means) =>
    openPage<PageStart & { code: string }, VisitorApp>(
      bundles.visitor,
      { origin, code, changed },
      { ...means, ...(pace && { pace }) },
    ),
  );
}

/** A member of the site's team, signed in. */
export function createAgent(name: string, site: string, token: string, { origin, bundles, pace }: Means): Agent {
  return createParticipant(name, site, (changed, means) =>
    openPage<PageStart & { token: string }, AgentApp>(
      bundles.agent,
      { origin, token, changed },
      { ...means, ...(pace && { pace }) },
    ),
  );
}

type Open<Its extends HeadlessApp> = (
  changed: () => void,
  means: { browser: SimulatedBrowser; network: Network },
) => Page<Its>;

function createParticipant<Its extends HeadlessApp>(
  name: string,
  site: string,
  openTheirs: Open<Its>,
): Participant<Its> {
  const browser = createSimulatedBrowser();
  const past: Network[] = [];
  const participant: Participant<Its> = {
    name,
    site,
    tabs: [],
    wrote: [],
    shownStored: new Set(),
    backwards: [],
    heard: () => past.flatMap(({ heard }) => heard),
    open() {
      const network = createNetwork();
      past.push(network);
      const ranks = new Map<string, number>();
      let app: HeadlessApp | undefined;
      const changed = () => app && look(app, ranks, participant);
      const page = openTheirs(changed, { browser, network });
      app = page.app;
      const tab = { page, network };
      participant.tabs.push(tab);
      return tab;
    },
    shut(tab) {
      tab.page.close();
      participant.tabs.splice(participant.tabs.indexOf(tab), 1);
    },
  };
  participant.open();
  return participant;
}

/** Compares the delivery states that a page shows with those it showed before. */
function look(app: HeadlessApp, ranks: Map<string, number>, { name, shownStored, backwards }: Participant): void {
  for (const { content, progress } of app.own()) {
    const rank = RANKS[progress];
    const before = ranks.get(content) ?? 0;
    if (rank < before) backwards.push(`${name}: ${content} fell from ${before} to ${rank}`);
    ranks.set(content, rank);
    if (rank > 0) shownStored.add(content);
  }
}
