import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import toast from 'react-hot-toast';
import type { PresenceChange, User } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { keys } from '../../lib/query.ts';
import { useSocket, useSocketEvents } from '../../lib/socket.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useIsDisconnected } from './ReconnectingBar.tsx';

/** Switches whether this agent is online, that is, gets new chats. */
export function AvailabilitySwitch() {
  const { user } = useAuth();
  const { connected, request } = useSocket();
  const client = useQueryClient();
  const setOnline = useCallback(
    (available: boolean) => client.setQueryData<User>(keys.profile, (held) => held && { ...held, available }),
    [client],
  );

  const switchTo = (wanted: boolean) => {
    setOnline(wanted);
    request('set_availability', { online: wanted })
      .then((answer) => setOnline(answer.online))
      .catch(() => {
        setOnline(!wanted);
        toast.error('Your availability could not be changed. Try again.');
      });
  };

  // An event about oneself: the switch was turned on another device.
  const onPresence = (now: boolean) => (event: PresenceChange) => {
    if (event.kind === 'agent' && event.userId === user?._id) setOnline(now);
  };
  useSocketEvents(
    { user_online: onPresence(true), user_offline: onPresence(false) },
    () => void client.invalidateQueries({ queryKey: keys.profile }),
  );

  const shown = !useIsDisconnected() && (user?.available ?? false);
  return (
    <div className="flex items-center gap-2 px-1">
      <span aria-hidden className="font-medium max-lg:hidden">
        {shown ? 'Online' : 'Offline'}
      </span>
      <Switch label="Online" checked={shown} disabled={!connected} onCheckedChange={switchTo} />
    </div>
  );
}
