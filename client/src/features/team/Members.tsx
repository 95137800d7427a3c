import { LogOut, Pencil, UserMinus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import toast from 'react-hot-toast';
import { can, type Site, type SiteRole, type TeamMember } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { failureText } from '../../lib/http.ts';
import { msg, t } from '../../lib/i18n.ts';
import { LeaveTeam } from '../../shared/LeaveTeam.tsx';
import { useAction } from '../../shared/useAction.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog, type DialogState } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useChangeRole, useLeaveTeam, useMembers, useRemoveMember } from './api.ts';
import { RoleBadge, RoleField } from './Roles.tsx';

const SKELETONS = 3;
const SKELETON_ROWS = [1, 2, 3, 4];

/** Who is on the team, in which role, and what the user may change about it. */
export function Members({ site }: { site: Site }) {
  const { data: members, isPending, refetch } = useMembers(site._id);
  if (members) {
    return (
      <ul aria-label={t('Team members')} className="divide-y rounded-card border bg-surface">
        {members.map((member) => (
          <MemberRow key={member._id} site={site} member={member} />
        ))}
      </ul>
    );
  }
  return (
    <div className="rounded-card border bg-surface">
      {isPending ? (
        <PeopleSkeleton label={t('Loading team')} rows={SKELETONS} />
      ) : (
        <ErrorState what={t('The team could not be loaded.')} onRetry={() => void refetch()} />
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
          {own && <span className="shrink-0 text-xs text-muted">{t('You')}</span>}
        </p>
        <p className="address truncate text-muted">{member.email}</p>
      </div>
      <div className="flex min-h-10 items-center gap-1 max-sm:w-full max-sm:ps-13">
        {member.isOwner && <span className="pe-1 text-xs text-muted">{t('Owner')}</span>}
        <RoleBadge role={member.role} />
        <div className="flex max-sm:ms-auto sm:w-21 sm:ps-1">
          {mayManage && (
            <IconButton label={t('Edit {name}', { name: member.name })} onClick={() => setAsked('role')}>
              <Pencil size={17} aria-hidden />
            </IconButton>
          )}
          {mayManage && !own && member.role !== 'admin' && (
            <IconButton
              label={t('Remove {name}', { name: member.name })}
              tone="danger"
              onClick={() => setAsked('remove')}
            >
              <UserMinus size={18} aria-hidden />
            </IconButton>
          )}
          {own && !member.isOwner && (
            <IconButton label={t('Leave this team')} tone="danger" onClick={() => setAsked('leave')}>
              <LogOut size={17} aria-hidden className="rtl:-scale-x-100" />
            </IconButton>
          )}
        </div>
      </div>
      <Dialog {...dialog('role')} title={t('Edit Team Member')} text={member.name}>
        <RoleForm siteId={site._id} member={member} onDone={() => setAsked(null)} />
      </Dialog>
      <RemoveMember site={site} member={member} {...dialog('remove')} />
      <LeaveTeam site={site} leave={leave} {...dialog('leave')} onLeft={() => setAsked(null)} />
    </li>
  );
}

interface RemoveMemberProps extends DialogState {
  site: Site;
  member: { _id: string; name: string };
}

/** Asks before somebody is taken off the team. */
export function RemoveMember({ site, member, open, onOpenChange }: RemoveMemberProps) {
  const remove = useRemoveMember(site._id);
  const run = useAction(remove, {
    success: t('{name} was removed', { name: member.name }),
    failure: t('{name} could not be removed.', { name: member.name }),
    onSuccess: () => onOpenChange(false),
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('Remove Team Member')}
      text={t('{name} will no longer see the chats of {site}. Their messages stay.', {
        name: member.name,
        site: site.name,
      })}
      confirmLabel={t('Remove')}
      onConfirm={() => void run(member._id)}
      busy={remove.isPending}
    />
  );
}

const NOW_IS: Record<SiteRole, string> = {
  admin: msg('{name} is now an admin'),
  agent: msg('{name} is now an agent'),
  viewer: msg('{name} is now a viewer'),
};

function RoleForm({ siteId, member, onDone }: { siteId: string; member: TeamMember; onDone: () => void }) {
  const [role, setRole] = useState<SiteRole>(member.role);
  const change = useChangeRole(siteId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (role === member.role) return onDone();
    change.mutate(
      { userId: member._id, role },
      {
        onSuccess: () => {
          toast.success(t(NOW_IS[role], { name: member.name }));
          onDone();
        },
      },
    );
  };
  const error = change.isError ? failureText(change.error, t('The role could not be changed.')) : undefined;
  return (
    <form onSubmit={submit} className="flex flex-col gap-5 pt-5">
      <RoleField value={role} onChange={setRole} error={error} />
      <FormButtons label={t('Done')} busy={change.isPending} onCancel={onDone} />
    </form>
  );
}

/** The shape of people's rows while they load, four at most. */
export function PeopleSkeleton({ label, rows }: { label: string; rows: number }) {
  return (
    <div role="status" className="divide-y">
      <span className="sr-only">{label}</span>
      {SKELETON_ROWS.slice(0, rows).map((row) => (
        <div key={row} className="flex h-16 items-center gap-3 px-4 sm:px-5">
          <Skeleton className="size-10 shrink-0 rounded-full!" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3.5 w-32" />
            <Skeleton className="h-3.5 w-48 max-w-full" />
          </div>
          <Skeleton className="h-5 w-16 rounded-full!" />
        </div>
      ))}
    </div>
  );
}
