import { BellRing } from 'lucide-react';
import { useState } from 'react';
import { useSettings } from '#features/settings';
import { askNotificationPermission, notificationPermission } from '../../lib/desktopNotifications.ts';
import { t } from '../../lib/i18n.ts';
import { syncPushSubscription } from '../../lib/webPush.ts';
import { Button } from '../../ui/Button.tsx';

/** Offers desktop notifications where the settings want them and the browser has not been asked yet. */
export function NotificationPrompt() {
  const wanted = useSettings().data?.notifications.browserNotifications;
  const [state, setState] = useState(notificationPermission);
  const [asked, setAsked] = useState(false);
  if (!wanted) return null;
  if (asked && state === 'denied') {
    return (
      <p role="status" className="border-b p-3 text-waiting">
        {t('This browser blocks notifications of Parley. Allow them for this page in the settings of the browser.')}
      </p>
    );
  }
  if (state !== 'default') return null;
  const ask = async () => {
    setState(await askNotificationPermission());
    setAsked(true);
    await syncPushSubscription(true);
  };
  return (
    <div className="flex items-center gap-3 border-b p-3">
      <BellRing size={18} aria-hidden className="shrink-0 text-muted" />
      <p className="min-w-0 flex-1 text-muted">
        {t('Get a notification about new messages while you do something else.')}
      </p>
      <Button variant="secondary" size="sm" onClick={ask}>
        {t('Turn on')}
      </Button>
    </div>
  );
}
