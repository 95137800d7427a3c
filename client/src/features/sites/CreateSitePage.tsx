import { useRef } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useAuth } from '../../lib/auth.tsx';
import { ApiError, failureText } from '../../lib/http.ts';
import { listed, plural, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { useAlert } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { GeneralFields } from './GeneralFields.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';
import { useCreateSite, useSiteRoom } from './mutations.ts';
import { PleaseLogIn } from './SitePageErrors.tsx';
import { bodyOf, discardInput, isSignedOut, NEW_SITE, showFieldErrors, useSiteForm } from './siteForm.ts';

/** /dashboard/sites/new */
export default function CreateSitePage() {
  const { user } = useAuth();
  if (!user) return <PleaseLogIn text={t('You need to be logged in to create sites.')} />;
  return <CreateSiteForm storageKey={`parley_site_form:${user._id}:new`} />;
}

function CreateSiteForm({ storageKey }: { storageKey: string }) {
  const form = useSiteForm(NEW_SITE, storageKey);
  const create = useCreateSite();
  const alert = useAlert();
  const navigate = useNavigate();
  const created = useRef(false);
  const room = useSiteRoom();
  const { isDirty, isSubmitting } = form.formState;
  const unsaved = useRef(isDirty);
  unsaved.current = isDirty && !created.current;

  const submit = form.handleSubmit(async (values) => {
    try {
      const site = await create.mutateAsync(bodyOf(values));
      created.current = true;
      unsaved.current = false;
      discardInput(storageKey);
      await alert(t('Site created successfully! You can now copy the widget code.'));
      await navigate(paths.embedCode(site._id), { replace: true });
    } catch (failure) {
      if (isSignedOut(failure)) return;
      const first = showFieldErrors(form, failure);
      await alert(refusal(failure));
      if (first) form.setFocus(first);
    }
  });

  return (
    <div className="w-full max-w-2xl px-4 py-6 sm:p-8">
      <h1 className="text-2xl font-semibold">{t('Create New Site')}</h1>
      <p className="pt-1 text-muted">{t('The code for your pages comes next.')}</p>
      {room?.isFull && !created.current && (
        <p role="status" className="mt-4 rounded-control bg-waiting-soft px-4 py-3 text-waiting">
          {plural(
            room.owned,
            'You own {count} website already, which is the most for one account. Delete one or transfer it first.',
            'You own {count} websites already, which is the most for one account. Delete one or transfer it first.',
          )}
        </p>
      )}
      <form noValidate onSubmit={submit} className="mt-6 rounded-card border bg-surface p-5 sm:p-6">
        <GeneralFields form={form} />
        <div className="mt-6 flex flex-wrap justify-end gap-2 border-t pt-5">
          <Button asChild variant="secondary">
            <Link to={paths.sites}>{t('Cancel')}</Link>
          </Button>
          <Button type="submit" busy={isSubmitting}>
            {isSubmitting ? t('Creating...') : t('Create Site')}
          </Button>
        </div>
      </form>
      <LeaveGuard isDirty={() => unsaved.current} onLeave={() => discardInput(storageKey)} />
    </div>
  );
}

function refusal(failure: unknown): string {
  if (failure instanceof ApiError && failure.errors.length > 0) {
    return t('Validation errors: {errors}', { errors: listed(failure.errors.map(({ msg }) => t(msg))) });
  }
  return t('Error creating site: {reason}', { reason: failureText(failure, t('unknown error')) });
}
