import { Controller, useForm } from 'react-hook-form';
import toast from 'react-hot-toast';
import { EMAIL_MAX_LENGTH, type Site, type SiteRole } from 'server/contract';
import { ApiError, failureText } from '../../lib/http.ts';
import { validateEmail } from '../../lib/validate.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { useInvitePerson } from './api.ts';
import { RoleField } from './Roles.tsx';

interface InviteDialogProps {
  site: Site;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks for an address and a role, and invites. */
export function InviteDialog({ site, open, onOpenChange }: InviteDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Invite Team Member"
      text={`To the team of ${site.name}. The link works once and expires in seven days.`}
    >
      <InviteForm siteId={site._id} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface InviteValues {
  email: string;
  role: SiteRole;
}

function InviteForm({ siteId, onDone }: { siteId: string; onDone: () => void }) {
  const invite = useInvitePerson(siteId);
  const form = useForm<InviteValues>({
    defaultValues: { email: '', role: 'agent' },
    reValidateMode: 'onSubmit',
  });
  const { errors } = form.formState;

  const submit = form.handleSubmit(async ({ email, role }) => {
    try {
      const { mailed } = await invite.mutateAsync({ email: email.trim(), role });
      toast.success(
        mailed ? `${email.trim()} gets the link by email` : `${email.trim()} is invited: send them the link`,
      );
      onDone();
    } catch (failure) {
      const broken = failure instanceof ApiError ? failure.errors[0] : undefined;
      const field = broken?.path === 'role' ? 'role' : 'email';
      const message = broken?.msg ?? failureText(failure, 'The invite could not be sent.');
      form.setError(field, { message }, { shouldFocus: true });
    }
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-5">
      <Field label="Email" error={errors.email?.message}>
        <Input
          type="email"
          required
          autoFocus
          autoComplete="off"
          placeholder="name@example.com"
          maxLength={EMAIL_MAX_LENGTH}
          {...form.register('email', {
            validate: (email) => validateEmail(email) ?? true,
          })}
        />
      </Field>
      <Controller
        control={form.control}
        name="role"
        render={({ field }) => <RoleField value={field.value} onChange={field.onChange} error={errors.role?.message} />}
      />
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        <Button variant="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" busy={invite.isPending}>
          Send Invite
        </Button>
      </div>
    </form>
  );
}
