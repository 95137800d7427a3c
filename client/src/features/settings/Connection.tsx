import { useEffect, useRef, useState } from 'react';
import toast from 'react-hot-toast';
import { useLocation, useNavigate } from 'react-router-dom';
import type { OidcProvider } from 'server/contract';
import { ticketIn } from '#features/oidc';
import { formatDate } from '../../lib/format.ts';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useBeginConnection, useConnect, useConnection, useDisconnect, useSettings } from './api.ts';
import { ConfirmPrompt } from './ConfirmPrompt.tsx';

/** Whether the account is connected with one of the provider, and how to change that. */
export function Connection({ provider: { name, only } }: { provider: OidcProvider }) {
  const { data, isPending, refetch } = useConnection();
  const begin = useBeginConnection();
  const disconnect = useDisconnect();
  const [asking, setAsking] = useState(false);
  const isPasswordless = useSettings().data?.security.passwordless === true;
  useTicketOfConnection(name);
  if (isPending) return <Skeleton className="h-10 w-full" />;
  if (!data) return <ErrorState what={t('The connection could not be loaded.')} onRetry={() => void refetch()} />;
  const { connection } = data;
  const action = connection ? t('Disconnect') : t('Connect {name}', { name });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border bg-surface p-4">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-muted">
          {connection
            ? t('Connected since {date}', { date: formatDate(connection.since, 'long') })
            : t('Not connected. Connect it to sign in without your password.')}
        </p>
        {connection && isPasswordless && !only && (
          <p className="pt-1 text-muted">{t('Set a password before you disconnect it.')}</p>
        )}
      </div>
      {!(connection && (isPasswordless || only)) && (
        <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
          {action}
        </Button>
      )}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={connection ? t('Disconnect {name}', { name }) : t('Connect {name}', { name })}
      >
        <ConfirmPrompt
          text={
            connection
              ? t('From then on you sign in with your password.')
              : t('Confirm with your password here, not with that of {name}. You then go to {name} and come back.', {
                  name,
                })
          }
          action={action}
          danger={connection !== null}
          onCancel={() => setAsking(false)}
          onConfirm={async (confirmation) => {
            if (connection) await disconnect.mutateAsync(confirmation);
            else location.assign(await begin.mutateAsync(confirmation));
            if (connection) setAsking(false);
          }}
        />
      </Dialog>
    </div>
  );
}

/** Finishes what was begun with the provider, by the ticket in the address, which it removes from there. */
function useTicketOfConnection(name: string): void {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const { mutateAsync: connect } = useConnect();
  const used = useRef<string | null>(null);
  useEffect(() => {
    const ticket = ticketIn(hash);
    if (ticket === null || used.current === ticket) return;
    used.current = ticket;
    void navigate({ search }, { replace: true });
    connect(ticket).then(
      () => toast.success(t('Connected with {name}', { name })),
      (failure) => toast.error(failureText(failure, t('That did not work. Try again.'))),
    );
  }, [hash, search, navigate, connect, name]);
}
