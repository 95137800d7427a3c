import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import toast from 'react-hot-toast';
import type { User } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { keys } from '../../lib/query.ts';
import { useSocket } from '../../lib/socket.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useLate } from './Reconnecting.tsx';

/** Whether this agent takes chats, on the server and for all to see. */
export function Availability() {
  const { user } = useAuth();
  const { socket, connected, request } = useSocket();
  const client = useQueryClient();
  const setOnline = useCallback(
    (available: boolean) => client.setQueryData<User>(keys.profile, (held) => held && { ...held, available }),
    [client],
  );

  const tell = (wanted: boolean) => {
    setOnline(wanted);
    request('set_availability', { online: wanted })
      .then((answer) => setOnline(answer.online))
      .catch(() => {
        setOnline(!wanted);
        toast.error('Your availability could not be changed. Try again.');
      });
  };

  useEffect(() => {
    if (!socket || !user) return;
    // Heard about oneself while connected: another device has turned the switch.
    const heard = (now: boolean) => (fact: { kind: string; userId?: string }) => {
      if (fact.kind === 'agent' && fact.userId === user._id) setOnline(now);
    };
    const [came, went] = [heard(true), heard(false)];
    socket.on('user_online', came);
    socket.on('user_offline', went);
    return () => {
      socket.off('user_online', came);
      socket.off('user_offline', went);
    };
  }, [socket, user, setOnline]);

  useEffect(() => {
    // Nobody tells this one what was switched elsewhere while it had no connection.
    if (connected) void client.invalidateQueries({ queryKey: keys.profile });
  }, [connected, client]);

  const shown = !useLate() && (user?.available ?? false);
  return (
    <div className="flex items-center gap-2 px-1">
      <span aria-hidden className="font-medium max-lg:hidden">
        {shown ? 'Online' : 'Offline'}
      </span>
      <Switch label="Online" checked={shown} disabled={!connected} onCheckedChange={tell} />
    </div>
  );
}
