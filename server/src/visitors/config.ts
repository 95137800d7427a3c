import type { Presence } from '../presence/presence.ts';
import { buttonTextOf } from '../settings/access.ts';
import type { SiteDoc } from '../sites/model.ts';
import { siteIsOnline } from '../sites/online.ts';
import type { WidgetConfig } from './contract.ts';
import { configView } from './view.ts';

/** Who is there, and what time it is: what a site's public face depends on besides the site. */
export interface Surroundings {
  presence: Presence;
  /** Milliseconds */
  now: () => number;
}

/** The public face of a site as it is at this moment. */
export async function widgetConfig(site: SiteDoc, { presence, now }: Surroundings): Promise<WidgetConfig> {
  const online = siteIsOnline(site, presence, now());
  return configView(site, { buttonText: await buttonTextOf(site.owner), online });
}
