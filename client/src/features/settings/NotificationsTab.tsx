import { type FormEvent, useId, useRef, useState } from 'react';
import type { NotificationSettings } from 'server/contract';
import { askNotificationPermission, notificationPermission } from '../../lib/desktopNotifications.ts';
import { msg, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { rich } from '../../lib/rich.ts';
import { syncPushSubscription } from '../../lib/webPush.ts';
import { Button } from '../../ui/Button.tsx';
import { linkTo } from '../../ui/linkTo.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useAnswerableMails } from './api.ts';
import { useAccountForm } from './useAccountForm.ts';

const WAYS = [
  {
    name: 'emailNotifications',
    label: msg('Email notifications'),
    hint: msg(
      'A mail when a visitor waits and nobody has reacted for 3 minutes, and when a colleague mentions you while you are offline.',
    ),
  },
  {
    name: 'answerByMail',
    label: msg('Answer by mail'),
    hint: msg(
      'Your answer to a mail about a waiting chat goes to the visitor, without the quotes and your signature. It has to come from your confirmed address.',
    ),
  },
  {
    name: 'browserNotifications',
    label: msg('Browser notifications'),
    hint: msg(
      'A notification on this computer or phone when a visitor writes or a colleague mentions you, also while Parley is closed.',
    ),
  },
  {
    name: 'soundEnabled',
    label: msg('Sound'),
    hint: msg('A short tone when a visitor writes, again while somebody waits.'),
  },
] as const satisfies { name: keyof NotificationSettings; label: string; hint: string }[];

const FIELDS = WAYS.map(({ name }) => name);

/** Explains why this browser shows no notifications although they are switched on. */
const HINDRANCES: Partial<Record<ReturnType<typeof notificationPermission>, string>> = {
  denied: msg('This browser blocks notifications of Parley. Allow them for this page in the settings of the browser.'),
  unsupported: msg('This browser cannot show notifications.'),
};

/** Settings of sounds, desktop notifications and mails. */
export function NotificationsTab({ notifications }: { notifications: NotificationSettings }) {
  const settings = useAccountForm<NotificationSettings>({
    section: 'notifications',
    values: notifications,
    fields: FIELDS,
    saved: t('Notification settings saved'),
    failed: t('Your notification settings could not be saved.'),
    onSaved: ({ getValues }) => {
      // Not awaited: the browser's prompt may stay open for a long time.
      void subscribe(getValues('browserNotifications'), asked.current);
    },
  });
  const { watch, setValue, formState } = settings.form;
  const busy = formState.isSubmitting;
  const [allowed, setAllowed] = useState(notificationPermission);
  const hindrances: Partial<Record<keyof NotificationSettings, string | false | undefined>> = {
    browserNotifications: watch('browserNotifications') && HINDRANCES[allowed],
    answerByMail: useAnswerableMails()
      ? !watch('emailNotifications') && msg('Needs email notifications.')
      : msg('This server does not read mails. Whoever runs it can set that up.'),
  };
  const ids = useId();
  const asked = useRef<ReturnType<typeof askNotificationPermission>>(null);

  const submit = (event: FormEvent) => {
    // Browsers require a user gesture, which the submit is.
    const isNews = watch('browserNotifications') && notificationPermission() === 'default';
    asked.current = isNews ? askNotificationPermission() : null;
    void settings.submit(event);
  };

  const subscribe = async (wanted: boolean, asked: ReturnType<typeof askNotificationPermission> | null) => {
    if (asked) setAllowed(await asked);
    await syncPushSubscription(wanted);
  };

  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-6">
      <ul className="flex flex-col divide-y rounded-card border bg-surface">
        {WAYS.map(({ name, label, hint }) => {
          const hindrance = hindrances[name];
          const isImpossible = name === 'answerByMail' && Boolean(hindrance);
          return (
            <li key={name} className="flex items-center justify-between gap-6 p-4">
              <div className="min-w-0">
                <p className="font-medium">{t(label)}</p>
                <div id={`${ids}-${name}`}>
                  <p className="text-muted">{t(hint)}</p>
                  {hindrance && (
                    <p role="status" className="pt-1 text-waiting">
                      {t(hindrance)}
                    </p>
                  )}
                </div>
              </div>
              <Switch
                label={t(label)}
                describedBy={`${ids}-${name}`}
                disabled={isImpossible}
                checked={watch(name) && !isImpossible}
                onCheckedChange={(on) => setValue(name, on)}
              />
            </li>
          );
        })}
      </ul>
      <p className="text-muted">
        {rich('Not sure whether notifications reach you? <link>Run the self-check</link>.', {
          link: linkTo(paths.selfCheck),
        })}
      </p>
      <div>
        <Button type="submit" busy={busy}>
          {busy ? t('Saving...') : t('Save')}
        </Button>
      </div>
    </form>
  );
}
