import { type ReactNode, useEffect, useRef } from 'react';
import { Outlet, useNavigate } from 'react-router-dom';
import { useChats, useUnreadChats } from '../../features/chats/api.ts';
import { useLive } from '../../features/chats/live.ts';
import { useOverviewLive } from '../../features/overview/live.ts';
import { useSelectedSite } from '../../features/sites/api.ts';
import { useTeamLive } from '../../features/team/live.ts';
import { useAuth } from '../../lib/auth.tsx';
import { useTokenRefresh } from '../../lib/refresh.ts';
import { useWarmUp } from '../../ui/onDemand.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { BottomBar } from './BottomBar.tsx';
import { Reconnecting } from './Reconnecting.tsx';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';
import { useScreenTitle, useUnreadIcon } from './title.ts';

/** The frame of all /dashboard screens. */
export function Shell() {
  const { user, logout } = useAuth();
  const navigate = useNavigate();
  const { sites, selected, select, isPending } = useSelectedSite();
  const chats = useChats({ status: 'all' }).data ?? [];
  const unread = useUnreadChats();
  useLive();
  useTeamLive();
  useOverviewLive();
  useTokenRefresh();
  useWarmUp();
  useUnreadIcon(unread.length);

  const leave = async () => {
    // Away from what needs an account first, or its guard would ask for a login.
    await navigate('/');
    await logout();
  };

  return (
    <div className="flex h-dvh">
      <title>{useScreenTitle(unread.length)}</title>
      {user && <Sidebar user={user} unread={unread.length} onLogout={leave} />}
      <div className="flex min-w-0 flex-1 flex-col">
        {user && <TopBar sites={sites} selected={selected} onSelect={select} chats={chats} unread={unread} />}
        {user && <Reconnecting />}
        <main className="min-h-0 flex-1 overflow-y-auto">
          <OnceReady ready={!isPending}>
            <Outlet />
          </OnceReady>
        </main>
        {user && <BottomBar onLogout={leave} />}
      </div>
    </div>
  );
}

/** Waits for the sites once; what is typed on a screen must not go when they are read again. */
function OnceReady({ ready, children }: { ready: boolean; children: ReactNode }) {
  const was = useRef(ready);
  useEffect(() => {
    if (ready) was.current = true;
  }, [ready]);
  if (ready || was.current) return children;
  return (
    <div className="flex h-full items-center justify-center gap-3 text-muted">
      <Spinner />
      <p role="status">Loading dashboard...</p>
    </div>
  );
}
