import { useEffect, useRef } from 'react';
import { type Location, Navigate, Outlet, useLocation, useMatches, useNavigate } from 'react-router-dom';
import { useAuth } from '../lib/auth.tsx';
import { paths } from '../lib/paths.ts';
import { Spinner } from '../ui/Spinner.tsx';
import type { ScreenFile } from './Screen.tsx';

/** What a route may say of itself under `handle`. */
export interface RouteHandle {
  /** What the browser's tab calls it. */
  title?: string;
  /** A form that stays, with what was typed in it, when the session ends while it is open. */
  keepOnSignOut?: boolean;
  /** Its code. */
  file?: ScreenFile;
}

function Waiting() {
  const { isOffline } = useAuth();
  return (
    <div className="flex min-h-dvh flex-col items-center justify-center gap-3 text-muted">
      <Spinner label="Loading" />
      {isOffline && <p role="alert">The server cannot be reached. Trying again…</p>}
    </div>
  );
}

/** Only for who is signed in; others go to /login and come back after. */
export function RequireAuth() {
  const { isAuthenticated, isLoading } = useAuth();
  const location = useLocation();
  const keep = useMatches().some(({ handle }) => (handle as RouteHandle | undefined)?.keepOnSignOut);
  const wasIn = useRef(false);
  useEffect(() => {
    if (isAuthenticated) wasIn.current = true;
  }, [isAuthenticated]);
  if (isLoading && !wasIn.current) return <Waiting />;
  if (isAuthenticated || isLoading || (keep && wasIn.current)) return <Outlet />;
  return <Navigate to="/login" replace state={{ from: location }} />;
}

/** Login and register: whoever is signed in goes back to where they came from. */
export function GuestsOnly() {
  const { isAuthenticated, isLoading } = useAuth();
  const { state } = useLocation();
  if (isLoading) return <Waiting />;
  return isAuthenticated ? <Navigate to={cameFrom(state)} replace /> : <Outlet />;
}

/** Only for platform admins; others go to their dashboard. */
export function RequireAdmin() {
  const { user } = useAuth();
  return user?.role === 'parley_admin' ? <Outlet /> : <Navigate to={paths.home} replace />;
}

function cameFrom(state: unknown): string | Partial<Location> {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  return typeof from === 'object' && from !== null ? from : paths.home;
}

/** The state of a navigation that ends the session where it arrives; one that unsaved input holds up ends nothing. */
export const LOG_OUT_STATE = { logOut: true };

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
