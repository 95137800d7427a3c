import type { Presence } from '../presence/presence.ts';
import { can } from '../team/contract.ts';
import { memberOf } from './access.ts';
import { isOpen } from './hours.ts';
import type { SiteDoc } from './model.ts';

/** Whether a visitor of this site would find somebody to answer. @param at the moment, in milliseconds */
export function siteIsOnline(site: SiteDoc, presence: Pick<Presence, 'agentIsOnline'>, at: number): boolean {
  if (site.settings.offlineMode || !isOpen(site.settings.hours, at)) return false;
  return site.team.some(({ user }) => {
    const member = memberOf(site, user);
    return member !== null && can(member, 'chats.reply') && presence.agentIsOnline(user.toHexString());
  });
}
