import { useState } from 'react';
import { useForm } from 'react-hook-form';
import toast from 'react-hot-toast';
import { Link } from 'react-router-dom';
import type { NotificationSettings } from 'server/contract';
import { askNotificationPermission, notificationPermission } from '../../lib/desktopNotifications.ts';
import { paths } from '../../lib/paths.ts';
import { syncPushSubscription } from '../../lib/webPush.ts';
import { Button } from '../../ui/Button.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useSaveSettings } from './api.ts';
import { showFormErrors } from './formErrors.ts';

const WAYS = [
  {
    name: 'emailNotifications',
    label: 'Email notifications',
    hint: 'A mail when a visitor waits and nobody has reacted for 3 minutes, and when a colleague mentions you while you are offline.',
  },
  {
    name: 'browserNotifications',
    label: 'Browser notifications',
    hint: 'A notification on this computer or phone when a visitor writes or a colleague mentions you, also while Parley is closed.',
  },
  { name: 'soundEnabled', label: 'Sound', hint: 'A short tone when a visitor writes, again while somebody waits.' },
] as const satisfies { name: keyof NotificationSettings; label: string; hint: string }[];

/** Explains why this browser shows no notifications although they are switched on. */
const HINDRANCES: Partial<Record<ReturnType<typeof notificationPermission>, string>> = {
  denied: 'This browser blocks notifications of Parley. Allow them for this page in the settings of the browser.',
  unsupported: 'This browser cannot show notifications.',
};

/** Settings of sounds, desktop notifications and mails. */
export function NotificationsTab({ notifications }: { notifications: NotificationSettings }) {
  const form = useForm<NotificationSettings>({ values: notifications });
  const { watch, setValue, handleSubmit, formState } = form;
  const save = useSaveSettings();
  const busy = formState.isSubmitting;
  const [allowed, setAllowed] = useState(notificationPermission);

  const submit = handleSubmit(async (data) => {
    // Browsers require a user gesture, which the submit is.
    const asked =
      data.browserNotifications && notificationPermission() === 'default' ? askNotificationPermission() : null;
    try {
      await save.mutateAsync({ section: 'notifications', data });
      toast.success('Notification settings saved');
      // Not awaited: the browser's prompt may stay open for a long time.
      void subscribe(data.browserNotifications, asked);
    } catch (failure) {
      showFormErrors(form, [], failure, 'Your notification settings could not be saved.');
    }
  });

  const subscribe = async (wanted: boolean, asked: ReturnType<typeof askNotificationPermission> | null) => {
    try {
      if (asked) setAllowed(await asked);
      await syncPushSubscription(wanted);
    } catch (error) {
      console.warn('The push subscription could not be updated', error);
    }
  };

  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-6">
      <ul className="flex flex-col divide-y rounded-card border bg-surface">
        {WAYS.map(({ name, label, hint }) => (
          <li key={name} className="flex items-center justify-between gap-6 p-4">
            <div className="min-w-0">
              <p className="font-medium">{label}</p>
              <p className="text-muted">{hint}</p>
              {name === 'browserNotifications' && watch(name) && HINDRANCES[allowed] && (
                <p role="status" className="pt-1 text-waiting">
                  {HINDRANCES[allowed]}
                </p>
              )}
            </div>
            <Switch
              label={label}
              checked={watch(name)}
              onCheckedChange={(on) => setValue(name, on, { shouldDirty: true })}
            />
          </li>
        ))}
      </ul>
      <p className="text-muted">
        Not sure whether notifications reach you?{' '}
        <Link to={paths.selfCheck} className="font-medium text-accent hover:underline">
          Run the self-check
        </Link>
        .
      </p>
      <div>
        <Button type="submit" busy={busy}>
          {busy ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
