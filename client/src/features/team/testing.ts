import { type ComponentType, createElement } from 'react';
import type { Invite, Site, TeamMember } from 'server/contract';
import { fakeApi } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { id, makeSite, makeUser } from '../../../test/make.ts';
import { useAuth } from '../../lib/auth.tsx';
import { useTeamLive } from './live.ts';
import TeamPage from './TeamPage.tsx';

const IN_DAYS_MS = 86_400_000;

/** Who looks at the team, and owns it. */
export const ANA = makeUser({ name: 'Ana Lind', email: 'ana@example.com' });
export const OAK = makeSite({ name: 'Oak and Line', owner: ANA._id });

export function makeMember(parts: Partial<TeamMember> = {}): TeamMember {
  const _id = parts._id ?? id();
  const role = parts.role ?? 'agent';
  return {
    _id,
    name: 'Ben Ito',
    email: 'ben@example.com',
    role,
    isOwner: false,
    online: false,
    sites: [{ _id: OAK._id, role }],
    ...parts,
  };
}

export const OWNER = makeMember({ _id: ANA._id, name: ANA.name, email: ANA.email, role: 'admin', isOwner: true });

export function makeInvite(parts: Partial<Invite> = {}): Invite {
  return {
    _id: 'aaaaaaaaaaaaaaaaaaaaaa',
    email: 'new@example.com',
    role: 'viewer',
    siteId: OAK._id,
    expiresAt: new Date(Date.now() + 5.5 * IN_DAYS_MS).toISOString(),
    ...parts,
  };
}

/** As the frame and the guard of the real routes do. */
const framed = (Page: ComponentType) => () => {
  useTeamLive();
  return useAuth().user && createElement(Page);
};

const ROUTES = [
  { path: '/dashboard/team', Component: framed(TeamPage) },
  { path: '/dashboard/sites/:siteId/team', Component: framed(TeamPage) },
];

interface World {
  path?: string;
  sites?: Site[];
  members?: TeamMember[];
  invites?: Invite[];
}

/** Team Management, with a server that has this team. */
export function startTeam({ path = '/dashboard/team', sites = [OAK], members = [OWNER], invites = [] }: World = {}) {
  const api = fakeApi();
  api.on('GET /sites', () => ({ sites, limit: 3 }));
  api.on('GET /team/members', () => ({ members }));
  api.on('GET /team/invites', () => ({ invites }));
  return startApp(ROUTES, path, { api, signedInAs: ANA });
}
