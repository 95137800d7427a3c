import { useQuery } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { useState } from 'react';
import { createPath, type Path } from 'react-router-dom';
import type { OidcProvider } from 'server/contract';
import { call } from '../../lib/api.ts';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { keys } from '../../lib/query.ts';
import { Button } from '../../ui/Button.tsx';

/** The OpenID Connect provider with which people sign in; null: there is none, or it cannot be known; undefined: it is asked for. */
export function useProvider(): OidcProvider | null | undefined {
  const { data, isLoading } = useQuery({
    queryKey: keys.provider,
    queryFn: async ({ signal }) => (await call('GET /auth/oidc', { signal })).provider,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isLoading ? undefined : (data ?? null);
}

/** For a form with passwords until it is known whether there are passwords: it would be seen and disappear. */
export const unseenUntilKnown = (provider: OidcProvider | null | undefined) => provider === undefined && 'opacity-0';

interface ProviderButtonProps {
  provider: OidcProvider;
  /** The navigation state: where the person wanted to go, and the invite with which they come. */
  state: unknown;
  foundingCode?: string | undefined;
  onFailure: (text: string | null) => void;
}

/** Goes to the provider; below a form, with ‘or’ between the two. */
export function ProviderButton({ provider: { name, only }, state, foundingCode, onFailure }: ProviderButtonProps) {
  const [busy, setBusy] = useState(false);
  const go = async () => {
    const { from, invite }: { from?: Path; invite?: string } = Object(state);
    onFailure(null);
    setBusy(true);
    try {
      const returnTo = from && { returnTo: createPath(from) };
      const body = { ...returnTo, ...(invite && { invite }), ...(foundingCode && { foundingCode }) };
      location.assign((await call('POST /auth/oidc/start', { body })).url);
    } catch (failure) {
      onFailure(failureText(failure, t('Login failed')));
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-5">
      {!only && (
        <p className="flex items-center gap-3 pt-5 text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {t('or')}
        </p>
      )}
      <Button variant={only ? 'primary' : 'secondary'} busy={busy} onClick={() => void go()} className="max-w-full">
        <LogIn size={16} aria-hidden className="shrink-0 rtl:-scale-x-100" />
        <span className="truncate">{t('Sign in with {name}', { name })}</span>
      </Button>
    </div>
  );
}
