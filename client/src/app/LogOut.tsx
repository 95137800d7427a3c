import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useAuth } from '../lib/auth.tsx';

/** The state of a navigation that ends the session where it arrives; one that unsaved input holds up ends nothing. */
export const LOG_OUT = { logOut: true };

/** Stands on the public pages, to which one goes first: the guard of a page that needs an account would ask for a log-in. */
export function LogOutOnArrival() {
  const { state } = useLocation();
  const { logout } = useAuth();
  const navigate = useNavigate();
  const isAsked = typeof state === 'object' && state !== null && 'logOut' in state;
  useEffect(() => {
    if (!isAsked) return;
    void logout();
    // Once only: whoever comes back to this page later may be logged in again.
    void navigate('.', { replace: true });
  }, [isAsked, logout, navigate]);
  return null;
}
