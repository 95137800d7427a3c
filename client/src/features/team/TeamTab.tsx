import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { can, type Site, type TeamEntry } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { rich } from '../../lib/rich.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { linkTo } from '../../ui/linkTo.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { RemoveMember } from './Members.tsx';
import { RoleBadge } from './Roles.tsx';

/** The Team tab of a site's settings: who answers for it, and the two commonest things to do about that. */
export function TeamTab({ site }: { site: Site }) {
  const [adding, setAdding] = useState(false);
  const mayManage = can(site, 'team.manage');
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">
          {rich('Roles and pending invites are on the <screen>team’s own screen</screen>.', {
            screen: linkTo(paths.siteTeam(site._id)),
          })}
        </p>
        {mayManage && (
          <Button variant="secondary" onClick={() => setAdding(true)}>
            <UserPlus size={18} aria-hidden />
            {t('Add Member')}
          </Button>
        )}
      </div>
      <ul aria-label={t('Team')} className="divide-y rounded-card border bg-surface">
        {site.team.map((entry) => (
          <EntryRow key={entry.userId._id} site={site} entry={entry} />
        ))}
      </ul>
      {mayManage && <InviteDialog site={site} open={adding} onOpenChange={setAdding} />}
    </div>
  );
}

function EntryRow({ site, entry: { userId: person, role } }: { site: Site; entry: TeamEntry }) {
  const [removing, setRemoving] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <Avatar name={person.name} />
      <div className="min-w-0 flex-1 basis-40">
        <p dir="auto" className="truncate font-medium">
          {person.name}
        </p>
        <p className="address truncate text-muted">{person.email}</p>
      </div>
      <div className="flex min-h-8 items-center gap-3 max-sm:w-full max-sm:ps-11">
        <RoleBadge role={role} />
        {can(site, 'team.manage') && role !== 'admin' && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={t('Remove {name}', { name: person.name })}
            className="max-sm:ms-auto"
            onClick={() => setRemoving(true)}
          >
            {t('Remove')}
          </Button>
        )}
      </div>
      <RemoveMember site={site} member={person} open={removing} onOpenChange={setRemoving} />
    </li>
  );
}
