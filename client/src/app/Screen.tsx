import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useLocation, useNavigate, useRouteError } from 'react-router-dom';
import { t } from '../lib/i18n.ts';
import { ErrorState } from '../ui/ErrorState.tsx';

/** How often a screen whose code failed to load is requested again while its place is shown. */
const AGAIN_EVERY_MS = 4_000;

/** The code of a screen, loaded as a file of its own. */
export interface ScreenFile {
  /** Loads it, unless it is loaded. */
  fetch: () => Promise<void>;
  drawn: () => ReactNode | null;
  hasFailed: () => boolean;
  /** Retries after a failure, and shows the loading state meanwhile. */
  again: () => Promise<void>;
  subscribe: (listener: () => void) => () => void;
}

/** @param load loads the code and returns what it renders */
export function screenFile(load: () => Promise<ReactNode>): ScreenFile {
  let drawn: ReactNode | null = null;
  let failed = false;
  let asking: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const tell = (isFailed: boolean) => {
    failed = isFailed;
    for (const listener of listeners) listener();
  };
  const ask = async () => {
    try {
      drawn = await load();
    } catch (error) {
      console.error('A screen could not be loaded', error);
    }
    asking = null;
    tell(drawn === null);
  };
  const fetch = async () => {
    if (drawn !== null) return;
    asking ??= ask();
    await asking;
  };
  return {
    fetch,
    drawn: () => drawn,
    hasFailed: () => failed,
    again: () => {
      tell(false);
      return fetch();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * A screen of its own file. Its route does not wait for the file: the click shows at once, and the frame with the outbox
 * in it stays whatever becomes of it. One that cannot be had is tried again.
 * @param waiting stands in for it until it is there
 */
export function Screen({ file, waiting }: { file: ScreenFile; waiting: ReactNode }) {
  const drawn = useSyncExternalStore(file.subscribe, file.drawn);
  const failed = useSyncExternalStore(file.subscribe, file.hasFailed);
  useEffect(() => void file.fetch(), [file]);
  useEffect(() => {
    if (!failed) return;
    const again = async () => {
      await file.fetch();
      if (file.hasFailed() && (await servedRelease()) === 'another release') location.reload();
    };
    const timer = setInterval(again, AGAIN_EVERY_MS);
    return () => clearInterval(timer);
  }, [failed, file]);
  const againByHand = async () => {
    await file.again();
    // Some browsers do not ask twice for a module that failed once: there only a fresh page helps.
    if (file.hasFailed() && (await servedRelease()) !== null) location.reload();
  };
  if (drawn !== null) return drawn;
  if (!failed) return waiting;
  return (
    <div className="flex min-h-[60vh] items-center justify-center">
      <ErrorState what={t('This part of Parley could not be loaded.')} onRetry={againByHand} />
    </div>
  );
}

/**
 * What the server serves now. The files of another release have other names, so that only a fresh page can fetch them.
 * @returns null where it cannot be reached
 */
async function servedRelease(): Promise<'this release' | 'another release' | null> {
  const own = document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store', headers: { Accept: 'text/html' } });
    if (!answer.ok) return null;
    return (await answer.text()).includes(own) ? 'this release' : 'another release';
  } catch {
    return null;
  }
}

/** Shown in place of a screen that threw an error. The frame around it keeps working. */
export function RouteError() {
  const error = useRouteError();
  const here = useLocation();
  const navigate = useNavigate();
  useEffect(() => console.error(error), [error]);
  // Navigating to the current address renders the screen again.
  const again = () => navigate(here, { replace: true, state: here.state });
  return (
    <div className="flex min-h-[60vh] items-center justify-center">
      <ErrorState what={t('Something went wrong on this screen.')} onRetry={again} />
    </div>
  );
}
