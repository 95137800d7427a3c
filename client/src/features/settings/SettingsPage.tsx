import { useSearchParams } from 'react-router-dom';
import type { Settings } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { t } from '../../lib/i18n.ts';
import { LeaveGuard, LeftChanges } from '../../shared/settingsForm/LeaveGuard.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { AccountTab } from './AccountTab.tsx';
import { useSettings } from './api.ts';
import { NotificationsTab } from './NotificationsTab.tsx';
import { QuickReplies } from './QuickReplies.tsx';
import { SecurityTab } from './SecurityTab.tsx';
import { accountDraftKey } from './useAccountForm.ts';
import { WidgetTab } from './WidgetTab.tsx';

const TABS = ['account', 'widget', 'notifications', 'security'];

/** /dashboard/settings; the open tab stands in the address. */
export default function SettingsPage() {
  const { user } = useAuth();
  const { data: settings, isPending, refetch } = useSettings();
  return (
    <div className="w-full max-w-7xl px-4 py-6 sm:p-8">
      <h1 className="pb-5 text-2xl font-semibold">{t('Settings')}</h1>
      <div className="pb-4 empty:hidden">
        <LeftChanges draftKey={accountDraftKey(user?._id)} />
      </div>
      {settings && <SettingsTabs settings={settings} />}
      <LeaveGuard draftKey={accountDraftKey(user?._id)} />
      {isPending && <SettingsSkeleton />}
      {!isPending && !settings && (
        <ErrorState what={t('Your settings could not be loaded.')} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

function SettingsTabs({ settings }: { settings: Settings }) {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((each) => each === params.get('tab')) ?? 'account';
  return (
    <Tabs
      label={t('Settings')}
      value={tab}
      onValueChange={(next) => setParams(next === 'account' ? {} : { tab: next }, { replace: true })}
      items={[
        {
          value: 'account',
          label: t('Account'),
          content: <AccountTab settings={settings} />,
        },
        { value: 'widget', label: t('Widget'), content: <WidgetTab widget={settings.widget} /> },
        {
          value: 'notifications',
          label: t('Notifications'),
          content: (
            <>
              <NotificationsTab notifications={settings.notifications} />
              <QuickReplies {...settings.quickReplies} />
            </>
          ),
        },
        { value: 'security', label: t('Security'), content: <SecurityTab settings={settings} /> },
      ]}
    />
  );
}

function SettingsSkeleton() {
  return (
    <div role="status" className="flex max-w-xl flex-col gap-5">
      <span className="sr-only">{t('Loading settings')}</span>
      <Skeleton className="h-10 w-full" />
      <Skeleton className="size-20 rounded-full!" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-10 w-full" />
    </div>
  );
}
