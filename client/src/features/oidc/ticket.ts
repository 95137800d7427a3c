import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { SecondStep } from 'server/contract';
import { needsSecondStep, useAuth } from '../../lib/auth.tsx';
import { withDevice } from '../../lib/deviceToken.ts';
import { failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';

const TICKET = /^#oidc=([\w-]+)$/;

/** The ticket with which the provider's answer led to an address; null: there is none. */
export const ticketIn = (hash: string) => TICKET.exec(hash)?.[1] ?? null;

/** The end of a sign-in with the provider, at the page to log in. */
interface TicketSignIn {
  isUnderWay: boolean;
  /** Why it failed. */
  error: string | null;
  /** Sends the second step, which the account has; null: it is not asked for. @throws ApiError */
  secondStep: ((step: SecondStep) => Promise<void>) | null;
  giveUp: () => void;
}

/** Uses the ticket in the address, which it removes from there and from the history. */
export function useTicketSignIn(): TicketSignIn {
  const { signInByTicket } = useAuth();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [ticket, setTicket] = useState(() => ticketIn(hash));
  const [asksMore, setAsksMore] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const begun = useRef(false);

  const exchange = (step: SecondStep) =>
    signInByTicket(withDevice({ ticket: ticket ?? '', ...step }), (returnTo) =>
      // At once, so that the guard around the page knows the way when the session begins.
      navigate('/login', { replace: true, state: { from: returnTo }, flushSync: true }),
    );

  useEffect(() => {
    if (ticket === null || begun.current) return;
    begun.current = true;
    void navigate('/login', { replace: true });
    exchange({}).catch((failure) => {
      if (needsSecondStep(failure)) return setAsksMore(true);
      setTicket(null);
      setError(failureText(failure, t('Login failed')));
    });
  });

  return {
    isUnderWay: ticket !== null && !asksMore,
    error,
    secondStep: asksMore ? exchange : null,
    giveUp: () => {
      setAsksMore(false);
      setTicket(null);
    },
  };
}
