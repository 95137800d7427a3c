import { MonitorSmartphone } from 'lucide-react';
import type { Device } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { rich } from '../../lib/rich.ts';
import { parseUserAgent } from '../../lib/userAgent.ts';
import { useAction } from '../../shared/useAction.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { useDevices, useEndDevice } from './api.ts';

/** The devices that are signed in, each with a way to sign it out. */
export function Devices() {
  const { data: devices, isPending, refetch } = useDevices();
  if (isPending)
    return (
      <div role="status">
        <span className="sr-only">{t('Loading devices')}</span>
        <Skeleton className="h-16 w-full" />
      </div>
    );
  if (!devices) return <ErrorState what={t('Your devices could not be loaded.')} onRetry={() => void refetch()} />;
  return (
    <ul className="flex flex-col divide-y rounded-card border bg-surface">
      {devices.map((device) => (
        <DeviceRow key={device._id} device={device} />
      ))}
    </ul>
  );
}

function DeviceRow({ device: { _id, current, userAgent, lastUsedAt } }: { device: Device }) {
  const end = useEndDevice();
  const { browser, system } = parseUserAgent(userAgent);
  const name = t('{browser} on {system}', { browser, system });
  const signOut = useAction(end, {
    success: t('{name} is signed out', { name }),
    failure: t('The device could not be signed out.'),
  });
  return (
    <li className="flex items-center gap-4 p-4">
      <MonitorSmartphone size={20} aria-hidden className="shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={userAgent}>
          {name}
        </p>
        <p className="text-muted">{rich('Last used {time}', { time: <Time at={lastUsedAt} /> })}</p>
      </div>
      {current ? (
        <Badge tone="success">{t('This device')}</Badge>
      ) : (
        <Button variant="secondary" size="sm" busy={end.isPending} onClick={() => void signOut(_id)}>
          {t('Sign out')}
        </Button>
      )}
    </li>
  );
}
