import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import toast from 'react-hot-toast';
import { EMAIL_MAX_LENGTH, type Invite, type Site, type SiteRole } from 'server/contract';
import { ApiError, failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { validateEmail } from '../../lib/validate.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog, type DialogState } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { Input } from '../../ui/Input.tsx';
import { inviteLink, useInvitePerson } from './api.ts';
import { RoleField } from './Roles.tsx';

/** Asks for an address and a role, and invites. */
export function InviteDialog({ site, ...dialog }: DialogState & { site: Site }) {
  return (
    <Dialog
      {...dialog}
      title={t('Invite Team Member')}
      text={t('To the team of {name}. The link works once and expires in seven days.', { name: site.name })}
    >
      <InviteForm siteId={site._id} onDone={() => dialog.onOpenChange(false)} />
    </Dialog>
  );
}

/** What is left to do on a server that sends no mail. */
function LinkToSend({ invite, onDone }: { invite: Invite; onDone: () => void }) {
  const link = inviteLink(invite);
  return (
    <div className="flex flex-col gap-5 pt-5">
      <p role="status">
        {t('{email} is invited. This server sends no email: copy the link and send it yourself.', {
          email: invite.email,
        })}
      </p>
      <div className="flex flex-wrap items-center gap-2 rounded-control border bg-background p-2 ps-3">
        <code className="address min-w-0 flex-1 basis-52 text-xs break-all">{link}</code>
        <CopyButton text={link} label={t('Copy Link')} />
      </div>
      <div className="flex justify-end">
        <Button autoFocus onClick={onDone}>
          {t('Done')}
        </Button>
      </div>
    </div>
  );
}

function InviteForm({ siteId, onDone }: { siteId: string; onDone: () => void }) {
  const invite = useInvitePerson(siteId);
  const form = useForm({
    defaultValues: { email: '', role: 'agent' as SiteRole },
    reValidateMode: 'onSubmit',
  });
  const { errors } = form.formState;
  const [unsent, setUnsent] = useState<Invite | null>(null);

  const submit = form.handleSubmit(async ({ email, role }) => {
    try {
      const made = await invite.mutateAsync({ email: email.trim(), role });
      if (!made.mailed) return setUnsent(made.invite);
      toast.success(t('{email} gets the link by email', { email: email.trim() }));
      onDone();
    } catch (failure) {
      const broken = failure instanceof ApiError ? failure.errors[0] : undefined;
      const field = broken?.path === 'role' ? 'role' : 'email';
      const message = broken?.msg ?? failureText(failure, t('The invite could not be sent.'));
      form.setError(field, { message }, { shouldFocus: true });
    }
  });

  if (unsent) return <LinkToSend invite={unsent} onDone={onDone} />;
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-5">
      <Field label={t('Email')} error={errors.email?.message}>
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
      <FormButtons label={t('Send Invite')} busy={invite.isPending} onCancel={onDone} />
    </form>
  );
}
