import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { can, type Site } from 'server/contract';
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
          <h1 className="text-2xl font-semibold">Team Management</h1>
          <p className="pt-1 wrap-anywhere text-muted">Who answers for {site.name}, and in which role.</p>
        </div>
        {mayManage && (
          <Button onClick={() => setInviting(true)}>
            <UserPlus size={18} aria-hidden />
            Invite Team Member
          </Button>
        )}
      </div>
      <div className="flex flex-col gap-8">
        <Members site={site} />
        {mayManage ? (
          <Invites siteId={site._id} />
        ) : (
          <p className="text-muted">Only admins of this website can invite people and change roles.</p>
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
        What each role can do
      </h2>
      <dl className="flex flex-wrap gap-x-8 gap-y-3 max-sm:flex-col">
        {ROLES.map(({ value, hint }) => (
          <div key={value} className="flex items-center gap-2.5">
            <dt>
              <RoleBadge role={value} />
            </dt>
            <dd className="text-muted">{hint}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
