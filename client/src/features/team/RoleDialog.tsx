import { type FormEvent, useState } from 'react';
import toast from 'react-hot-toast';
import type { SiteRole, TeamMember } from 'server/contract';
import { failureText } from '../../lib/http.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useChangeRole } from './api.ts';
import { RoleField } from './RoleField.tsx';

interface RoleDialogProps {
  siteId: string;
  member: TeamMember;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Gives a member another role. */
export function RoleDialog({ siteId, member, open, onOpenChange }: RoleDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Edit Team Member" text={member.name}>
      <RoleForm siteId={siteId} member={member} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

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
          toast.success(`${member.name} is now ${role === 'viewer' ? 'a' : 'an'} ${role}`);
          onDone();
        },
      },
    );
  };
  const error = change.isError ? failureText(change.error, 'The role could not be changed.') : undefined;
  return (
    <form onSubmit={submit} className="flex flex-col gap-5 pt-5">
      <RoleField value={role} onChange={setRole} error={error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" busy={change.isPending}>
          Done
        </Button>
      </div>
    </form>
  );
}
