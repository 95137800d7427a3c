import { ArrowLeft, Bot } from 'lucide-react';
import { useMemo } from 'react';
import { FormProvider } from 'react-hook-form';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { can, type Site } from 'server/contract';
import { loadDepartments } from '#features/departments';
import { HistoryImport } from '#features/imports';
import { CannedReplies } from '#features/replies';
import { loadRules } from '#features/rules';
import { TeamTab } from '#features/team';
import { loadWebhooks } from '#features/webhooks';
import { useAuth } from '../../lib/auth.tsx';
import { drafts } from '../../lib/drafts.ts';
import { ApiError, failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { LeaveGuard, LeftChanges } from '../../shared/settingsForm/LeaveGuard.tsx';
import { SettingsConflicts } from '../../shared/settingsForm/SettingsConflicts.tsx';
import { useSettingsForm } from '../../shared/settingsForm/useSettingsForm.ts';
import { usePatchSite, useSite } from '../../shared/sites.ts';
import { useAlert } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { Ownership } from './danger/Ownership.tsx';
import { GeneralFields } from './form/GeneralFields.tsx';
import { MoreFields, MoreSettings } from './form/MoreSettings.tsx';
import { StorageUsage } from './form/StorageUsage.tsx';
import { hasMoreErrors, labelOf, SITE_FIELDS, siteText, tabOf } from './form/siteFields.ts';
import { isSignedOut, patchOf, siteDraftKey, valuesOf } from './form/siteForm.ts';
import { EmbedTab } from './install/EmbedTab.tsx';
import { InvalidSite, PleaseLogIn } from './SitePageErrors.tsx';
import { CustomizationTab } from './texts/CustomizationTab.tsx';

const ID = /^[0-9a-f]{24}$/i;
const TABS = ['general', 'customization', 'team', 'departments', 'rules', 'embed', 'webhooks'] as const;
const Departments = lazyPart(loadDepartments, {
  waiting: <Skeleton className="h-24 w-full" />,
});
const Rules = lazyPart(loadRules, {
  waiting: <Skeleton className="h-24 w-full" />,
});
const Webhooks = lazyPart(loadWebhooks, {
  waiting: <Skeleton className="h-40 w-full" />,
});

/** /dashboard/sites/:siteId */
export default function SiteSettingsPage() {
  const { siteId = '' } = useParams();
  const { user } = useAuth();
  if (!user) return <PleaseLogIn text={t('You need to be logged in to change this site.')} />;
  if (!ID.test(siteId)) return <InvalidSite />;
  return <LoadedSite key={siteId} siteId={siteId} userId={user._id} />;
}

function LoadedSite({ siteId, userId }: { siteId: string; userId: string }) {
  const { data: site, error, isPlaceholderData, refetch } = useSite(siteId);
  const reload = async () => {
    const { data } = await refetch({ throwOnError: true });
    if (!data) throw new Error('A query that has not failed has data');
    return data;
  };
  if (error instanceof ApiError && error.status === 404) return <InvalidSite />;
  // The form starts from what the server has said of this site, not from what a list said a while ago.
  if (site && !isPlaceholderData) {
    return <SiteSettings site={site} draftKey={siteDraftKey(userId, siteId)} onReload={reload} />;
  }
  if (error) return <ErrorState what={t('The site could not be loaded.')} onRetry={() => void refetch()} />;
  return <SettingsSkeleton />;
}

interface LoadedProps {
  site: Site;
  draftKey: string;
  onReload: () => Promise<Site>;
}

function SiteSettings({ site, draftKey, onReload }: LoadedProps) {
  const save = usePatchSite(site._id);
  const alert = useAlert();
  const [params, setParams] = useSearchParams();
  const mayEdit = can(site, 'sites.edit');
  const tab = TABS.find((each) => each === params.get('tab')) ?? 'general';
  const choose = (next: (typeof TABS)[number]) => setParams(next === 'general' ? {} : { tab: next }, { replace: true });

  const settings = useSettingsForm({
    draftKey,
    values: useMemo(() => valuesOf(site), [site]),
    fields: SITE_FIELDS,
    save: (values, base, changed) => save.mutateAsync(patchOf(values, base, changed)),
    reload: async () => valuesOf(await onReload()),
    onSaved: () => alert(t('Site updated successfully!')),
    onFailed: async (failure, first) => {
      if (isSignedOut(failure)) return;
      if (first) choose(tabOf(first));
      await alert(t('Error saving site: {reason}', { reason: failureText(failure, t('unknown error')) }));
      if (first) form.setFocus(first);
    },
    onInvalid: (first) => choose(tabOf(first)),
  });
  const { form, submit, isDirty } = settings;
  const { isSubmitting, errors } = form.formState;

  const navigate = useNavigate();
  const leave = () => {
    drafts.write(draftKey, '');
    void navigate(paths.sites);
  };

  return (
    <div className="w-full max-w-7xl px-4 py-6 sm:p-8">
      <Link to={paths.home} className="inline-flex items-center gap-1.5 text-muted hover:text-text">
        <ArrowLeft size={16} aria-hidden className="rtl:-scale-x-100" />
        {t('Back to Dashboard')}
      </Link>
      <FormProvider {...form}>
        <form noValidate onSubmit={submit}>
          <div className="sticky top-0 z-10 bg-background pt-3 pb-1">
            <div className="flex min-h-12 items-center justify-between gap-3">
              <h1
                dir="auto"
                className="line-clamp-2 min-w-0 text-left rtl:text-right text-2xl font-semibold wrap-anywhere"
              >
                {site.name}
              </h1>
              {mayEdit && (isDirty || tab === 'general' || tab === 'customization') && (
                <Button type="submit" busy={isSubmitting}>
                  {isSubmitting ? t('Saving...') : t('Save Changes')}
                </Button>
              )}
            </div>
            <div className="py-1 empty:hidden">
              <LeftChanges draftKey={draftKey} />
              <SettingsConflicts settings={settings} labelOf={labelOf} textOf={siteText} />
            </div>
          </div>
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-5">
            <p className="address wrap-anywhere text-muted">{site.domain}</p>
            <Link
              to={paths.siteAssistant(site._id)}
              className="inline-flex items-center gap-1.5 font-medium text-accent hover:text-accent-strong"
            >
              <Bot size={16} aria-hidden />
              {t('Assistant')}
            </Link>
          </div>
          {!mayEdit && <p className="pb-4 text-muted">{t('Only admins of this website can change these settings.')}</p>}
          <Tabs
            label={t('Site settings')}
            value={tab}
            onValueChange={choose}
            items={[
              {
                value: 'general',
                label: t('General'),
                content: (
                  <div className="flex max-w-2xl flex-col gap-6">
                    <fieldset disabled={!mayEdit} className="min-w-0">
                      <GeneralFields />
                    </fieldset>
                    {mayEdit && <StorageUsage site={site} />}
                    <MoreSettings open={hasMoreErrors(errors)}>
                      <fieldset disabled={!mayEdit} className="min-w-0">
                        <MoreFields site={site} mayEdit={mayEdit} />
                      </fieldset>
                      {can(site, 'replies.edit') && <CannedReplies site={site} />}
                      {can(site, 'history.import') && <HistoryImport site={site} />}
                      <Ownership site={site} onGone={leave} />
                    </MoreSettings>
                  </div>
                ),
              },
              {
                value: 'customization',
                label: t('Customization'),
                content: <CustomizationTab site={site} mayEdit={mayEdit} active={tab === 'customization'} />,
              },
              { value: 'team', label: t('Team'), content: <TeamTab site={site} /> },
              ...(mayEdit
                ? [
                    {
                      value: 'departments' as const,
                      label: t('Departments'),
                      content: tab === 'departments' && <Departments site={site} />,
                    },
                    {
                      value: 'rules' as const,
                      label: t('Rules'),
                      content: tab === 'rules' && <Rules site={site} />,
                    },
                  ]
                : []),
              { value: 'embed', label: t('Embed Code'), content: <EmbedTab site={site} active={tab === 'embed'} /> },
              ...(mayEdit
                ? [
                    {
                      value: 'webhooks' as const,
                      label: t('Webhooks'),
                      content: tab === 'webhooks' && <Webhooks siteId={site._id} />,
                    },
                  ]
                : []),
            ]}
          />
        </form>
      </FormProvider>
      <LeaveGuard draftKey={draftKey} />
    </div>
  );
}

function SettingsSkeleton() {
  return (
    <div role="status" className="flex max-w-2xl flex-col gap-5 px-4 py-6 sm:p-8">
      <span className="sr-only">{t('Loading site')}</span>
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-10 w-full" />
    </div>
  );
}
