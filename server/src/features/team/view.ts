import { peopleById } from '#features/auth';
import type { Presence } from '#features/presence';
import type { SiteDoc } from '#features/sites';
import { type Invite, SITE_ROLES, type TeamMember } from './contract.ts';
import type { InviteDoc } from './model.ts';

/** All members of these sites' teams, each once, in the order in which they joined. */
export async function memberViews(
  sites: SiteDoc[],
  { agentIsOnline, agentIsAway }: Pick<Presence, 'agentIsOnline' | 'agentIsAway'>,
): Promise<TeamMember[]> {
  const people = await peopleById(sites.flatMap(({ team }) => team.map(({ user }) => user)));
  const members = new Map<string, TeamMember>();
  for (const site of sites) {
    for (const { user, role } of site.team) {
      const id = user.toHexString();
      const person = people.get(id);
      if (!person) continue;
      const known = members.get(id) ?? {
        _id: id,
        name: person.name,
        email: person.email,
        role,
        isOwner: false,
        online: agentIsOnline(id),
        ...(agentIsAway(id) && { away: true as const }),
        sites: [],
      };
      known.sites.push({ _id: site._id.toHexString(), role });
      known.role = SITE_ROLES[Math.min(SITE_ROLES.indexOf(known.role), SITE_ROLES.indexOf(role))] ?? role;
      known.isOwner ||= site.owner.equals(user);
      members.set(id, known);
    }
  }
  return [...members.values()];
}

/** One member of a site. */
export async function memberView(
  site: SiteDoc,
  id: string,
  presence: Pick<Presence, 'agentIsOnline' | 'agentIsAway'>,
): Promise<TeamMember> {
  const members = await memberViews([site], presence);
  return members.find(({ _id }) => _id === id) as TeamMember;
}

/** An invite as admins see it: with its id, which Copy Link needs. */
export function inviteView({ _id, email, role, site, expiresAt }: InviteDoc): Invite {
  return { _id, email, role, siteId: site.toHexString(), expiresAt: expiresAt.toISOString() };
}
