import { LogOut, Pencil, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { can, type Site, type TeamMember } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { LeaveTeam } from '../../shared/LeaveTeam.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { useLeaveTeam, useMembers } from './api.ts';
import { RemoveMember } from './RemoveMember.tsx';
import { RoleBadge } from './RoleBadge.tsx';
import { RoleDialog } from './RoleDialog.tsx';
import { RowSkeletons } from './RowSkeletons.tsx';

const SKELETONS = 3;

/** Who is on the team, in which role, and what the user may change about it. */
export function Members({ site }: { site: Site }) {
  const { data: members, isPending, refetch } = useMembers(site._id);
  if (members) {
    return (
      <ul aria-label="Team members" className="divide-y rounded-card border bg-surface">
        {members.map((member) => (
          <MemberRow key={member._id} site={site} member={member} />
        ))}
      </ul>
    );
  }
  return (
    <div className="rounded-card border bg-surface">
      {isPending ? (
        <RowSkeletons label="Loading team" rows={SKELETONS} />
      ) : (
        <ErrorState what="The team could not be loaded." onRetry={() => void refetch()} />
      )}
    </div>
  );
}

type Asked = 'role' | 'remove' | 'leave';

function MemberRow({ site, member }: { site: Site; member: TeamMember }) {
  const { user } = useAuth();
  const [asked, setAsked] = useState<Asked | null>(null);
  const leave = useLeaveTeam(site._id);
  const own = member._id === user?._id;
  const mayManage = can(site, 'team.manage') && !member.isOwner;
  const dialog = (which: Asked) => ({
    open: asked === which,
    onOpenChange: (open: boolean) => setAsked(open ? which : null),
  });
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 sm:px-5">
      <Avatar name={member.name} size="lg" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex items-baseline gap-2">
          <span dir="auto" className="truncate font-medium">
            {member.name}
          </span>
          {own && <span className="shrink-0 text-xs text-muted">You</span>}
        </p>
        <p className="truncate text-muted">{member.email}</p>
      </div>
      <div className="flex min-h-10 items-center gap-1 max-sm:w-full max-sm:pl-13">
        {member.isOwner && <span className="pr-1 text-xs text-muted">Owner</span>}
        <RoleBadge role={member.role} />
        <div className="flex max-sm:ml-auto sm:w-21 sm:pl-1">
          {mayManage && (
            <IconButton label={`Edit ${member.name}`} onClick={() => setAsked('role')}>
              <Pencil size={17} aria-hidden />
            </IconButton>
          )}
          {mayManage && !own && member.role !== 'admin' && (
            <IconButton label={`Remove ${member.name}`} tone="danger" onClick={() => setAsked('remove')}>
              <UserMinus size={18} aria-hidden />
            </IconButton>
          )}
          {own && !member.isOwner && (
            <IconButton label="Leave this team" tone="danger" onClick={() => setAsked('leave')}>
              <LogOut size={17} aria-hidden />
            </IconButton>
          )}
        </div>
      </div>
      <RoleDialog siteId={site._id} member={member} {...dialog('role')} />
      <RemoveMember site={site} member={member} {...dialog('remove')} />
      <LeaveTeam site={site} leave={leave} {...dialog('leave')} onLeft={() => setAsked(null)} />
    </li>
  );
}
