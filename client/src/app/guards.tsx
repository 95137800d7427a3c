import { useEffect, useRef } from 'react';
import { type Location, Navigate, Outlet, useLocation, useMatches, useNavigate } from 'react-router-dom';
import { useAuth } from '../lib/auth.tsx';
import { t } from '../lib/i18n.ts';
import { paths } from '../lib/paths.ts';
import { Spinner } from '../ui/Spinner.tsx';

/** What a route may set as its `handle`. */
export interface RouteHandle {
  /** The title in the browser's tab, in English. */
  title?: string;
  /** The form stays open, with its input, when the session ends. */
  keepOnSignOut?: boolean;
  /** Loads its code. */
  load?: () => Promise<unknown>;
}

function Waiting() {
  const { isOffline } = useAuth();
  return (
    <div className="flex min-h-dvh flex-col items-center justify-center gap-3 text-muted">
      <Spinner label={t('Loading')} />
      {isOffline && <p role="alert">{t('The server cannot be reached. Trying again…')}</p>}
    </div>
  );
}

/** Requires a signed-in user; others are sent to /login and come back afterwards. */
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

/** For login and register: a signed-in user is sent back to the page they came from. */
export function GuestsOnly() {
  const { isAuthenticated, isLoading } = useAuth();
  const { state }: { state: { from?: Location } | null } = useLocation();
  if (isLoading) return <Waiting />;
  return isAuthenticated ? <Navigate to={state?.from ?? paths.home} replace /> : <Outlet />;
}

/** Requires a platform admin; others are sent to their dashboard. */
export function RequireAdmin() {
  const { user } = useAuth();
  return user?.role === 'parley_admin' ? <Outlet /> : <Navigate to={paths.home} replace />;
}

/** Navigation state that logs out on arrival. A navigation that is blocked by unsaved input therefore does not log out. */
export const LOG_OUT_STATE = { logOut: true };

/** Logs out on a public page: on any other page, the guard would ask for a log-in at once. */
export function LogOutOnArrival() {
  const { state }: { state: { logOut?: true } | null } = useLocation();
  const { logout } = useAuth();
  const navigate = useNavigate();
  const isAsked = state?.logOut === true;
  useEffect(() => {
    if (!isAsked) return;
    void logout();
    // Once only: the user may be logged in again when they come back to this page.
    void navigate('.', { replace: true });
  }, [isAsked, logout, navigate]);
  return null;
}
