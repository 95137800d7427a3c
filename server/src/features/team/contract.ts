import { type ApiKeyScope, includesScope } from '#features/apikeys/contract';

/** A member's role on one site; the owner is an `admin` whose site answers `isOwner`. */
export type SiteRole = 'admin' | 'agent' | 'viewer';

/** The member of a site whose permissions are asked about. */
export interface Member {
  role: SiteRole;
  isOwner: boolean;
  /** Of the API key through which the member acts, if any: it only takes abilities away. */
  scope?: ApiKeyScope;
  /** The site lets its agents write articles. */
  agentsEditArticles?: boolean;
}

/** Everything on a site that needs permission, by name. */
export type Ability =
  | 'chats.read'
  | 'chats.reply'
  | 'chats.delete'
  | 'visitors.read'
  | 'visitors.edit'
  | 'visitors.block'
  | 'visitors.erase'
  | 'replies.read'
  | 'replies.edit'
  | 'articles.read'
  | 'articles.edit'
  | 'reports.agents'
  | 'history.import'
  | 'sites.read'
  | 'sites.edit'
  | 'sites.delete'
  | 'sites.handOver'
  | 'team.read'
  | 'team.manage'
  | 'team.leave';

/** Each with everything that the ones before it may do. */
const RANKS = ['viewer', 'agent', 'admin', 'owner'] as const;

/** The lowest rank that has an ability, and the lowest scope of an API key; null: no API key has it. */
const NEEDED: Record<Ability, readonly [(typeof RANKS)[number], ApiKeyScope | null]> = {
  'chats.read': ['viewer', 'read'],
  'chats.reply': ['agent', 'reply'],
  'chats.delete': ['admin', 'manage'],
  'visitors.read': ['viewer', 'read'],
  'visitors.edit': ['agent', 'reply'],
  'visitors.block': ['agent', 'reply'],
  'visitors.erase': ['admin', 'manage'],
  'replies.read': ['viewer', 'read'],
  'replies.edit': ['admin', 'manage'],
  'articles.read': ['viewer', 'read'],
  'articles.edit': ['admin', 'manage'],
  'reports.agents': ['admin', 'read'],
  'history.import': ['admin', 'manage'],
  'sites.read': ['viewer', 'read'],
  'sites.edit': ['admin', 'manage'],
  'sites.delete': ['owner', 'manage'],
  'sites.handOver': ['owner', null],
  'team.read': ['viewer', 'read'],
  'team.manage': ['admin', 'manage'],
  'team.leave': ['viewer', null],
};

/**
 * The one permission table, read by the server before it acts and by the client before it shows a button.
 * @param member the asking member, with the role on the site in question
 * @param ability what the member wants to do
 */
export function can({ role, isOwner, scope, agentsEditArticles }: Member, ability: Ability): boolean {
  const [usual, needed] = NEEDED[ability];
  const rank = ability === 'articles.edit' && agentsEditArticles ? 'agent' : usual;
  if (RANKS.indexOf(isOwner ? 'owner' : role) < RANKS.indexOf(rank)) return false;
  return scope === undefined || (needed !== null && includesScope(scope, needed));
}

/** A member as a site lists its team. */
export interface TeamEntry {
  userId: { _id: string; name: string; email: string };
  role: SiteRole;
}

export const SITE_ROLES = ['admin', 'agent', 'viewer'] as const satisfies readonly SiteRole[];
/** How long an invite's link works, in days. */
export const INVITE_DAYS = 7;
/** The most members that one site may have; open invites are not counted. */
export const TEAM_LIMIT = 100;

/** A colleague. For several sites, `role` is the highest one and `sites` gives the role on each. */
export interface TeamMember {
  _id: string;
  name: string;
  email: string;
  role: SiteRole;
  isOwner: boolean;
  /** Whether the colleague can answer right now: connected, available and not away. */
  online: boolean;
  /** Not online only for want of input on any device. */
  away?: true;
  sites: { _id: string; role: SiteRole }[];
}

/** An invitation that is not accepted yet. Its id is enough to accept it, so only admins see it. */
export interface Invite {
  /** 22 base64url characters: 128 random bits. */
  _id: string;
  email: string;
  role: SiteRole;
  siteId: string;
  /** ISO 8601 UTC */
  expiresAt: string;
}

/** An invite that was made. `mailed` false: the server sends no mail, and an admin has to pass the link on. */
export interface InviteSent {
  invite: Invite;
  mailed: boolean;
}

/** What the page behind an invite's link shows. */
export interface InvitePage {
  siteName: string;
  inviterName: string;
  email: string;
  role: SiteRole;
  expiresAt: string;
}

/** Filter of the team lists: one site, or all sites of the caller. */
export interface TeamQuery {
  siteId?: string;
}

/** The REST calls of teams. */
export interface TeamApi {
  'GET /team/members': { query: TeamQuery; data: { members: TeamMember[] } };
  'PATCH /team/members/:id': { body: { role: SiteRole; siteId: string }; data: { member: TeamMember } };
  'DELETE /team/members/me': { body: { siteId: string }; data: Record<string, never> };
  'DELETE /team/members/:id': { body: { siteId: string }; data: Record<string, never> };
  'GET /team/invites': { query: TeamQuery; data: { invites: Invite[] } };
  'POST /team/invites': { body: { email: string; role?: SiteRole; siteId: string }; data: InviteSent };
  'POST /team/invites/:inviteId/resend': { data: InviteSent };
  'DELETE /team/invites/:inviteId': { data: Record<string, never> };
  'GET /invites/:inviteId': { data: { invite: InvitePage } };
  'POST /invites/:inviteId/accept': { data: { siteId: string } };
  'POST /sites/:id/owner': { body: { userId: string }; data: Record<string, never> };
}

/** The dashboard socket's events about teams. */
export interface TeamEvents {
  /** Members, roles or invites of the site changed: the dashboard reads them again. */
  team_updated: (event: { siteId: string }) => void;
}
