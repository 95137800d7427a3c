import type { Types } from 'mongoose';
import type { Mail } from '../mail/mail.ts';
import type { Presence } from '../presence/presence.ts';
import { launcherOf } from '../settings/actions.ts';
import type { SiteDoc } from '../sites/model.ts';
import { siteIsOnline } from '../sites/officeHours.ts';
import type { WidgetConfig } from './contract.ts';
import { configView } from './view.ts';

/** Who is there, and what time it is: what a site's public face depends on besides the site. */
export interface Surroundings {
  presence: Presence;
  /** Milliseconds */
  now: () => number;
  /** How soon a site usually answers, in minutes; null: not known. */
  usualReply: (site: Types.ObjectId) => Promise<number | null>;
  mail: Pick<Mail, 'enabled'>;
}

/** The public face of a site as it is at this moment. */
export async function widgetConfig(
  site: SiteDoc,
  { presence, now, usualReply, mail }: Surroundings,
): Promise<WidgetConfig> {
  const online = siteIsOnline(site, presence, now());
  const [launcher, usualReplyMinutes] = await Promise.all([launcherOf(site.owner), usualReply(site._id)]);
  return configView(site, { ...launcher, online, usualReplyMinutes, mail: mail.enabled });
}
