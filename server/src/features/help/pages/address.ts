import { isIP } from 'node:net';
import type { Request, Response } from 'express';
import { liveSite, type SiteDoc, SiteModel } from '#features/sites';
import { recentlyUsed } from '#platform/cache';
import { events } from '#platform/events';
import type { Limits } from '#platform/http';
import type { PublishedArticles } from '../readers/published.ts';
import { type HelpSite, isHelp } from '../readers/resolve.ts';
import type { PageContext } from './layout.ts';

/** What the pages need. */
export interface PagesDeps {
  publicUrl: string | null;
  limits: Limits;
}

/** One request for a help centre. */
export interface PageRequest {
  req: Request;
  res: Response;
  deps: PagesDeps;
  published: PublishedArticles;
  context: PageContext & { site: HelpSite };
}

const HOSTS_MAX = 5_000;
const HOST_KEPT_MS = 60_000;
const HOST_MAX_LENGTH = 253;
const NOBODY = '';

/** Cache: site ids by host name or handle. '' stands for no site; it is cached as well, because each page of the dashboard asks. */
const ids = recentlyUsed<string>(HOSTS_MAX, HOST_KEPT_MS);

/** Drops cached host names when a help centre changes, as one may have been taken. @returns a disposer */
export function forgetAddresses(): () => void {
  return events.stopAll([
    events.everywhere('siteUpdated', () => ids.clear()),
    events.everywhere('articlesChanged', ({ articleId }) => void (articleId === null && ids.clear())),
    events.everywhere('eventsMissed', () => ids.clear()),
  ]);
}

/** The help centre at `/help/{handle}`; null: none, or it is off. */
export const helpByHandle = (handle: string) => find('handle', handle);

/** The help centre with this host name of its own; null: none, or it is off. */
export async function helpByHost(hostname: string | undefined): Promise<HelpSite | null> {
  const host = hostname?.toLowerCase() ?? '';
  if (host.length > HOST_MAX_LENGTH || !host.includes('.') || isIP(host) !== 0) return null;
  return find('host', host);
}

async function find(name: 'handle' | 'host', value: string): Promise<HelpSite | null> {
  const key = `${name} ${value}`;
  const known = ids.get(key);
  if (known === NOBODY) return null;
  const site = known === undefined ? null : await liveSite(known);
  if (isHelp(site) && site.help[name] === value) return site;
  const found = await SiteModel.findOne({ [`help.${name}`]: value, deletedAt: null }).lean<SiteDoc>();
  ids.set(key, found?._id.toHexString() ?? NOBODY);
  return isHelp(found) ? found : null;
}
