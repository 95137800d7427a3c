import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation, useNavigate, useParams } from 'react-router-dom';
import { useChats, useLive, useUnreadChats } from '#features/chats';
import { useAuth } from '../../lib/auth.tsx';
import { t } from '../../lib/i18n.ts';
import { useShortcuts } from '../../lib/keyboard.ts';
import { useSelectedSite } from '../../shared/sites.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { lazyPart, useWarmUp } from '../../ui/lazyPart.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { LOG_OUT_STATE } from '../guards.tsx';
import { BottomBar } from './BottomBar.tsx';
import { ReconnectingBar } from './ReconnectingBar.tsx';
import { ScreenTitle } from './ScreenTitle.tsx';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';

const BackgroundTasks = lazyPart(async () => (await import('./BackgroundTasks.tsx')).BackgroundTasks, {
  place: 'unseen',
});
const ConfirmEmailBar = lazyPart(async () => (await import('./ConfirmEmailBar.tsx')).ConfirmEmailBar, {
  place: 'unseen',
});
const ShortcutHelp = lazyPart(async () => (await import('./ShortcutHelp.tsx')).ShortcutHelp);

/** The frame of all /dashboard screens. */
export function Shell() {
  const { user } = useAuth();
  const navigate = useNavigate();
  const site = useSiteOfScreen();
  const chats = useChats({ status: 'all' }).data ?? [];
  const { count: unread } = useUnreadChats();
  useLive();
  useWarmUp();
  const main = useRef<HTMLElement>(null);
  useFocusOnMove(main);

  // On a phone, an open chat takes the whole screen; its own button leads back to the list.
  const { pathname, search } = useLocation();
  const chatId = (/\/(inbox|chats)$/.test(pathname) && new URLSearchParams(search).get('chat')) || '';

  const leave = () => void navigate('/', { state: LOG_OUT_STATE });

  return (
    <div className="flex h-dvh">
      <ScreenTitle unread={unread} chatId={chatId} />
      <SkipLink to={main} />
      <ShortcutHelpDialog />
      {!site.isPending && <BackgroundTasks />}
      {user && <Sidebar user={user} unread={unread} onLogout={leave} />}
      <div className="flex min-w-0 flex-1 flex-col">
        {user && <TopBar site={site} chats={chats} />}
        {user && <ReconnectingBar />}
        {user?.unprovedEmail && !chatId && <ConfirmEmailBar email={user.email} />}
        {/* Positioned: the native selects that Radix hides in forms would make the page below it longer. */}
        <main ref={main} tabIndex={-1} className="relative min-h-0 flex-1 overflow-y-auto outline-none">
          <OnceReady ready={!site.isPending}>
            <Outlet />
          </OnceReady>
        </main>
        {user && !chatId && <BottomBar user={user} unread={unread} onLogout={leave} />}
      </div>
    </div>
  );
}

/** The selected site: on a site's own screen that one, and selecting another leads to the same screen of that. */
function useSiteOfScreen() {
  const { sites, selected, select, isPending } = useSelectedSite();
  const { siteId } = useParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const isKnown = sites.some(({ _id }) => _id === siteId);
  useEffect(() => {
    if (siteId && isKnown) select(siteId);
  }, [siteId, isKnown, select]);
  const onSelect = (id: string) => (siteId ? void navigate(pathname.replace(siteId, id)) : select(id));
  return { sites, selected, isPending, onSelect };
}

/** Skips the navigation, for keyboard users. */
function SkipLink({ to }: { to: RefObject<HTMLElement | null> }) {
  return (
    <button
      type="button"
      onClick={() => to.current?.focus()}
      className="sr-only z-50 rounded-control bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:start-2"
    >
      {t('Skip to the content')}
    </button>
  );
}

/** Moves the focus to the top of a new screen, for screen readers and keyboards, unless the screen has taken it. */
function useFocusOnMove(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.scrollTo?.(0, 0);
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}

/** Waits for the first load of the sites only: a later reload must not unmount a screen with input. */
function OnceReady({ ready, children }: { ready: boolean; children: ReactNode }) {
  const was = useRef(ready);
  useEffect(() => {
    if (ready) was.current = true;
  }, [ready]);
  if (ready || was.current) return children;
  return (
    <div className="flex h-full items-center justify-center gap-3 text-muted">
      <Spinner />
      <p role="status">{t('Loading dashboard...')}</p>
    </div>
  );
}

/** The dialog with all keyboard shortcuts, opened by `?`. */
function ShortcutHelpDialog() {
  const [open, setOpen] = useState(false);
  useShortcuts({ '?': () => setOpen(true) });
  return (
    <Dialog open={open} onOpenChange={setOpen} title={t('Keyboard shortcuts')}>
      <ShortcutHelp onClose={() => setOpen(false)} />
    </Dialog>
  );
}
