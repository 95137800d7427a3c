/** A member's role on one site; the owner is an `admin` whose site answers `isOwner`. */
export type SiteRole = 'admin' | 'agent' | 'viewer';

/** Who asks: a member of a site. */
export interface Member {
  role: SiteRole;
  isOwner: boolean;
}

/** Everything on a site that somebody may or may not do, by name. */
export type Ability = 'chats.read' | 'chats.reply' | 'sites.read' | 'sites.edit' | 'sites.delete';

type Rank = 'owner' | SiteRole;

const ALLOWED: Record<Ability, readonly Rank[]> = {
  'chats.read': ['owner', 'admin', 'agent', 'viewer'],
  'chats.reply': ['owner', 'admin', 'agent'],
  'sites.read': ['owner', 'admin', 'agent', 'viewer'],
  'sites.edit': ['owner', 'admin'],
  'sites.delete': ['owner'],
};

/**
 * The one permission table, read by the server before it acts and by the client before it shows a button.
 * @param member the asking member, with the role on the site in question
 * @param ability what the member wants to do
 */
export function can(member: Member, ability: Ability): boolean {
  return ALLOWED[ability].includes(member.isOwner ? 'owner' : member.role);
}

/** A member as a site lists its team. */
export interface TeamEntry {
  userId: { _id: string; name: string; email: string };
  role: SiteRole;
}
