import { useEffect } from 'react';
import { call } from './api.ts';
import { jwtClaims, token } from './token.ts';

const REFRESH_AFTER_MS = 24 * 60 * 60 * 1_000;
const CHECK_EVERY_MS = 10 * 60 * 1_000;

/** Renews a token that is older than a day, while the page has the focus. */
export function useTokenRefresh(): void {
  useEffect(() => {
    const check = () => void refreshIfOld(Date.now());
    check();
    const timer = setInterval(check, CHECK_EVERY_MS);
    window.addEventListener('focus', check);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', check);
    };
  }, []);
}

async function refreshIfOld(now: number): Promise<void> {
  const held = token.get();
  if (held === null || !document.hasFocus() || now - issuedAt(held, now) < REFRESH_AFTER_MS) return;
  try {
    const { token: fresh } = await call('POST /auth/refresh');
    // Another tab may have renewed it, or the user may have logged out meanwhile.
    if (token.get() === held) token.set(fresh);
  } catch {
    // A 401 has ended the session already; other failures are retried later.
  }
}

/** When a JWT was made, in milliseconds; now, where it does not say. */
function issuedAt(jwt: string, now: number): number {
  const { iat } = jwtClaims(jwt);
  return typeof iat === 'number' ? iat * 1_000 : now;
}
