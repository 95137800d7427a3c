import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Invite, SiteRole } from 'server/contract';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';

/** Everybody on a site's team, in the order in which they joined. */
export function useMembers(siteId: string) {
  return useQuery({
    queryKey: keys.members(siteId),
    queryFn: async ({ signal }) => (await call('GET /team/members', { query: { siteId }, signal })).members,
  });
}

/** Everybody on the teams of the user's sites, once each. */
export function useEverybody() {
  return useQuery({
    queryKey: keys.everybody,
    queryFn: async ({ signal }) => (await call('GET /team/members', { query: {}, signal })).members,
  });
}

/** The site's invites that nobody has accepted yet. @param enabled whether the user may see them */
export function useInvites(siteId: string, enabled: boolean) {
  return useQuery({
    queryKey: keys.invites(siteId),
    queryFn: async ({ signal }) => (await call('GET /team/invites', { query: { siteId }, signal })).invites,
    enabled,
  });
}

/** The address that an invited person opens. */
export function inviteLink({ _id }: Invite): string {
  return `${location.origin}/invite/${_id}`;
}

export function useInvitePerson(siteId: string) {
  return useTeamChange(siteId, (body: { email: string; role: SiteRole }) =>
    call('POST /team/invites', { body: { ...body, siteId } }),
  );
}

/** Makes a new link for an invite; the old one is void from then on. */
export function useResendInvite(siteId: string) {
  return useTeamChange(siteId, (inviteId: string) =>
    call('POST /team/invites/:inviteId/resend', { params: { inviteId } }),
  );
}

export function useRevokeInvite(siteId: string) {
  return useTeamChange(siteId, (inviteId: string) => call('DELETE /team/invites/:inviteId', { params: { inviteId } }));
}

export function useChangeRole(siteId: string) {
  return useTeamChange(siteId, ({ userId, role }: { userId: string; role: SiteRole }) =>
    call('PATCH /team/members/:id', { params: { id: userId }, body: { role, siteId } }),
  );
}

export function useRemoveMember(siteId: string) {
  return useTeamChange(siteId, (userId: string) =>
    call('DELETE /team/members/:id', { params: { id: userId }, body: { siteId } }),
  );
}

/** Takes the user off the team; the site and its chats are no longer the user's to see. */
export function useLeaveTeam(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE /team/members/me', { body: { siteId } }),
    onSuccess: () => {
      for (const queryKey of [keys.sites, ...keys.ofChats]) void client.invalidateQueries({ queryKey });
    },
  });
}

/** What an invite's link says of itself. */
export function useInvitePage(inviteId: string) {
  return useQuery({
    queryKey: keys.invite(inviteId),
    queryFn: async ({ signal }) => (await call('GET /invites/:inviteId', { params: { inviteId }, signal })).invite,
  });
}

/** Joins the team that the invite is for; answers its site's id once the sites are read again. */
export function useAcceptInvite(inviteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call('POST /invites/:inviteId/accept', { params: { inviteId } })).siteId,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.sites, refetchType: 'all' }),
  });
}

/** A change of a team, after which it is read again: its own lists, and the site that carries its members. */
function useTeamChange<Input, Data>(siteId: string, mutationFn: (input: Input) => Promise<Data>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      for (const queryKey of [keys.sites, keys.site(siteId)]) void client.invalidateQueries({ queryKey });
      await client.invalidateQueries({ queryKey: keys.team(siteId) });
    },
  });
}
