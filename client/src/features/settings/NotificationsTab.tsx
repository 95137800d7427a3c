import { useForm } from 'react-hook-form';
import toast from 'react-hot-toast';
import { Link } from 'react-router-dom';
import type { NotificationSettings } from 'server/contract';
import { Button } from '../../ui/Button.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useSaveSettings } from './api.ts';
import { showRefusal } from './forms.ts';

const WAYS = [
  {
    name: 'emailNotifications',
    label: 'Email notifications',
    hint: 'A mail when a visitor waits and nobody has reacted for 3 minutes.',
  },
  {
    name: 'browserNotifications',
    label: 'Browser notifications',
    hint: 'A notification on this computer or phone when a visitor writes, also while Parley is closed.',
  },
  { name: 'soundEnabled', label: 'Sound', hint: 'A short tone when a visitor writes, again while somebody waits.' },
] as const satisfies { name: keyof NotificationSettings; label: string; hint: string }[];

/** How one hears of visitors who write. */
export function NotificationsTab({ notifications }: { notifications: NotificationSettings }) {
  const form = useForm<NotificationSettings>({ values: notifications });
  const { watch, setValue, handleSubmit, formState } = form;
  const save = useSaveSettings();
  const busy = formState.isSubmitting;

  const submit = handleSubmit(async (data) => {
    // The browser grants it on a click only, and this is one.
    if (data.browserNotifications && 'Notification' in window && Notification.permission === 'default') {
      void Notification.requestPermission();
    }
    try {
      await save.mutateAsync({ section: 'notifications', data });
      toast.success('Notification settings saved');
    } catch (failure) {
      showRefusal(form, [], failure, 'Your notification settings could not be saved.');
    }
  });

  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-6">
      <ul className="flex flex-col divide-y rounded-card border bg-surface">
        {WAYS.map(({ name, label, hint }) => (
          <li key={name} className="flex items-center justify-between gap-6 p-4">
            <div className="min-w-0">
              <p className="font-medium">{label}</p>
              <p className="text-muted">{hint}</p>
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
        Not sure that all of it reaches you?{' '}
        <Link to="/dashboard/self-check" className="font-medium text-accent hover:underline">
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
