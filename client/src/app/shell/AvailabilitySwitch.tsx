import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import toast from 'react-hot-toast';
import type { PresenceChange, User } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';
import { keys } from '../../lib/query.ts';
import { useSocket, useSocketEvents } from '../../lib/socket.tsx';
import { useAvailability, useAway, whyNotReceiving } from '../../shared/notReceiving.ts';
import { useSites } from '../../shared/sites.ts';
import { Switch } from '../../ui/Switch.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useAwayReports } from './awayReports.ts';
import { useIsDisconnected } from './ReconnectingBar.tsx';

/** Switches whether this agent is online, that is, gets new chats. */
export function AvailabilitySwitch() {
  const { user } = useAuth();
  const { connected, request } = useSocket();
  const [away, setAway] = useAway();
  const client = useQueryClient();
  const setOnline = (available: boolean) =>
    client.setQueryData<User>(keys.profile, (held) => held && { ...held, available });

  const switchTo = (wanted: boolean) => {
    setOnline(wanted);
    request('set_availability', { online: wanted })
      .then((answer) => setOnline(answer.online))
      .catch(() => {
        setOnline(!wanted);
        toast.error(t('Your availability could not be changed. Try again.'));
      });
  };

  // An event about oneself: the switch was turned on another device.
  const onPresence = (now: boolean) => (event: PresenceChange) => {
    if (event.kind !== 'agent' || event.userId !== user?._id) return;
    setAway(event.away === true);
    // The setting was perhaps changed on another device, and this one does not report its input yet.
    if (event.away) void client.invalidateQueries({ queryKey: keys.profile });
    else setOnline(now);
  };
  useSocketEvents(
    { user_online: onPresence(true), user_offline: onPresence(false) },
    () => void client.invalidateQueries({ queryKey: keys.profile }),
  );

  useAwayReports();
  const { data: sites } = useSites();
  const availability = useAvailability();
  const reasonId = useId();
  const isOnline = !useIsDisconnected() && (user?.available ?? false);
  const reason = user && sites ? whyNotReceiving({ user, sites, connected, away, availability }) : null;
  return (
    <Tooltip text={reason ?? t('You get new chats.')}>
      <div className="flex items-center gap-x-2 gap-y-0.5 px-1 max-lg:flex-col-reverse">
        <span aria-hidden className={cx('font-medium max-lg:text-[11px]/3', isOnline && away && 'text-waiting')}>
          {isOnline ? (away ? t('Away') : t('Online')) : t('Offline')}
        </span>
        <Switch
          label={t('Online')}
          describedBy={reasonId}
          checked={isOnline}
          tone={away ? 'waiting' : 'success'}
          disabled={!connected}
          onCheckedChange={switchTo}
        />
        <span id={reasonId} hidden>
          {reason ?? t('You get new chats.')}
        </span>
      </div>
    </Tooltip>
  );
}
