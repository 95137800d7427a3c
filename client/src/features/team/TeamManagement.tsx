import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { can, type Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { Invites } from './Invites.tsx';
import { Members } from './Members.tsx';
import { ROLES, RoleBadge } from './Roles.tsx';

/** Team Management of one site. */
export function TeamManagement({ site }: { site: Site }) {
  const [inviting, setInviting] = useState(false);
  const mayManage = can(site, 'team.manage');
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3 pb-6">
        <div className="min-w-0 flex-1 basis-60">
          <h1 className="text-2xl font-semibold">{t('Team Management')}</h1>
          <p className="pt-1 wrap-anywhere text-muted">
            {t('Who answers for {name}, and in which role.', { name: site.name })}
          </p>
        </div>
        {mayManage && (
          <Button onClick={() => setInviting(true)}>
            <UserPlus size={18} aria-hidden />
            {t('Invite Team Member')}
          </Button>
        )}
      </div>
      <div className="flex flex-col gap-8">
        <Members site={site} />
        {mayManage ? (
          <Invites siteId={site._id} />
        ) : (
          <p className="text-muted">{t('Only admins of this website can invite people and change roles.')}</p>
        )}
        <RoleNotes />
      </div>
      {mayManage && <InviteDialog site={site} open={inviting} onOpenChange={setInviting} />}
    </>
  );
}

function RoleNotes() {
  return (
    <section aria-labelledby="roles" className="flex flex-col gap-3">
      <h2 id="roles" className="text-base font-semibold">
        {t('What each role can do')}
      </h2>
      <dl className="flex flex-wrap gap-x-8 gap-y-3 max-sm:flex-col">
        {ROLES.map(({ value, hint }) => (
          <div key={value} className="flex items-center gap-2.5">
            <dt>
              <RoleBadge role={value} />
            </dt>
            <dd className="text-muted">{t(hint)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
