import { type Browser, createBrowser } from './browser.ts';
import type { AgentFace, Face, PageStart, Progress, VisitorFace } from './face.ts';
import { createLine, type Line } from './line.ts';
import { openPage, type Page } from './page.ts';
import type { Scripts } from './scripts.ts';

const RANKS: Record<Progress, number> = { sending: 0, failed: 0, sent: 1, delivered: 2, read: 3 };

/** An open page with its line, and how far its own messages have got there. */
export interface Tab<Its extends Face> {
  page: Page<Its>;
  line: Line;
}

/** Somebody with a browser and the pages open in it. */
export interface Party<Its extends Face = Face> {
  name: string;
  /** Whose conversations these are: `A` or `B`. */
  site: string;
  tabs: Tab<Its>[];
  /** What was written, in order. */
  wrote: string[];
  /** What a page of theirs has shown as stored. */
  shownStored: Set<string>;
  /** States that went backwards on a page. */
  backwards: string[];
  /** All that ever arrived on any of their pages. */
  heard(): string[];
  open(): Tab<Its>;
  /** Closes the page. */
  shut(tab: Tab<Its>): void;
}

export type Visitor = Party<VisitorFace>;
export type Agent = Party<AgentFace>;

interface Means {
  origin: string;
  scripts: Scripts;
  /** How many times faster than we their pages live. */
  pace?: number | undefined;
}

/** A visitor of the site with this code. */
export function createVisitor(name: string, site: string, code: string, { origin, scripts, pace }: Means): Visitor {
  return createParty(name, site, (changed, means) =>
    openPage<PageStart & { code: string }, VisitorFace>(
      scripts.visitor,
      { origin, code, changed },
      { ...means, ...(pace && { pace }) },
    ),
  );
}

/** A member of the site's team, signed in. */
export function createAgent(name: string, site: string, token: string, { origin, scripts, pace }: Means): Agent {
  return createParty(name, site, (changed, means) =>
    openPage<PageStart & { token: string }, AgentFace>(
      scripts.agent,
      { origin, token, changed },
      { ...means, ...(pace && { pace }) },
    ),
  );
}

type Open<Its extends Face> = (changed: () => void, means: { browser: Browser; line: Line }) => Page<Its>;

function createParty<Its extends Face>(name: string, site: string, openTheirs: Open<Its>): Party<Its> {
  const browser = createBrowser();
  const past: Line[] = [];
  const party: Party<Its> = {
    ...{ name, site, tabs: [], wrote: [], shownStored: new Set(), backwards: [] },
    heard: () => past.flatMap(({ heard }) => heard),
    open() {
      const line = createLine();
      past.push(line);
      const ranks = new Map<string, number>();
      let face: Face | undefined;
      const changed = () => face && look(face, ranks, party);
      const page = openTheirs(changed, { browser, line });
      face = page.face;
      const tab = { page, line };
      party.tabs.push(tab);
      return tab;
    },
    shut(tab) {
      tab.page.close();
      party.tabs.splice(party.tabs.indexOf(tab), 1);
    },
  };
  party.open();
  return party;
}

/** Compares what a page shows now with what it showed before. */
function look(face: Face, ranks: Map<string, number>, { name, shownStored, backwards }: Party): void {
  for (const { content, progress } of face.own()) {
    const rank = RANKS[progress];
    const before = ranks.get(content) ?? 0;
    if (rank < before) backwards.push(`${name}: ${content} fell from ${before} to ${rank}`);
    ranks.set(content, rank);
    if (rank > 0) shownStored.add(content);
  }
}
