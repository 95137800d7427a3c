import { FormProvider } from 'react-hook-form';
import { Link, useNavigate } from 'react-router-dom';
import { useAuth } from '../../lib/auth.tsx';
import { ApiError, failureText } from '../../lib/http.ts';
import { listed, plural, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { LeaveGuard, LeftChanges } from '../../shared/settingsForm/LeaveGuard.tsx';
import { useSettingsForm } from '../../shared/settingsForm/useSettingsForm.ts';
import { useAlert } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { useCreateSite, useSiteRoom } from './api.ts';
import { GeneralFields } from './form/GeneralFields.tsx';
import { SITE_FIELDS } from './form/siteFields.ts';
import { bodyOf, isSignedOut, NEW_SITE, siteDraftKey } from './form/siteForm.ts';
import { PleaseLogIn } from './SitePageErrors.tsx';

/** /dashboard/sites/new */
export default function CreateSitePage() {
  const { user } = useAuth();
  if (!user) return <PleaseLogIn text={t('You need to be logged in to create sites.')} />;
  return <CreateSiteForm draftKey={siteDraftKey(user._id, 'new')} />;
}

function CreateSiteForm({ draftKey }: { draftKey: string }) {
  const create = useCreateSite();
  const alert = useAlert();
  const navigate = useNavigate();
  const room = useSiteRoom();
  const { form, submit } = useSettingsForm({
    draftKey,
    values: NEW_SITE,
    fields: SITE_FIELDS,
    save: (values) => create.mutateAsync(bodyOf(values)),
    onSaved: async ({ _id }) => {
      await alert(t('Site created successfully! You can now copy the widget code.'));
      await navigate(paths.embedCode(_id), { replace: true });
    },
    onFailed: async (failure, first) => {
      if (isSignedOut(failure)) return;
      await alert(refusal(failure));
      if (first) form.setFocus(first);
    },
  });
  const { isSubmitting } = form.formState;

  return (
    <div className="w-full max-w-2xl px-4 py-6 sm:p-8">
      <h1 className="text-2xl font-semibold">{t('Create New Site')}</h1>
      <p className="pt-1 text-muted">{t('The code for your pages comes next.')}</p>
      {room?.isFull && !create.isSuccess && (
        <p role="status" className="mt-4 rounded-control bg-waiting-soft px-4 py-3 text-waiting">
          {plural(
            room.owned,
            'You own {count} website already, which is the most for one account. Delete one or transfer it first.',
            'You own {count} websites already, which is the most for one account. Delete one or transfer it first.',
          )}
        </p>
      )}
      <div className="pt-4 empty:hidden">
        <LeftChanges draftKey={draftKey} />
      </div>
      <form noValidate onSubmit={submit} className="mt-6 rounded-card border bg-surface p-5 sm:p-6">
        <FormProvider {...form}>
          <GeneralFields />
        </FormProvider>
        <div className="mt-6 flex flex-wrap justify-end gap-2 border-t pt-5">
          <Button asChild variant="secondary">
            <Link to={paths.sites}>{t('Cancel')}</Link>
          </Button>
          <Button type="submit" busy={isSubmitting}>
            {isSubmitting ? t('Creating...') : t('Create Site')}
          </Button>
        </div>
      </form>
      <LeaveGuard draftKey={draftKey} />
    </div>
  );
}

function refusal(failure: unknown): string {
  if (failure instanceof ApiError && failure.errors.length > 0) {
    return t('Validation errors: {errors}', { errors: listed(failure.errors.map(({ msg }) => t(msg))) });
  }
  return t('Error creating site: {reason}', { reason: failureText(failure, t('unknown error')) });
}
