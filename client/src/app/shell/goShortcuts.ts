import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { msg } from '../../lib/i18n.ts';
import { type Shortcut, useIsForOthers } from '../../lib/keyboard.ts';
import { paths } from '../../lib/paths.ts';

const FIRST = 'g';
/** The second key must follow within this time. */
const SECOND_KEY_WITHIN_MS = 1_500;

/** The second keys, and the screens they open. */
const PLACES = {
  h: { to: paths.home, does: msg('Go home') },
  i: { to: paths.inbox, does: msg('Go to the inbox') },
  w: { to: paths.sites, does: msg('Go to the websites') },
  y: { to: paths.history, does: msg('Go to the history') },
  v: { to: paths.visitors, does: msg('Go to the visitors') },
  t: { to: paths.team, does: msg('Go to the team') },
  s: { to: paths.settings, does: msg('Go to the settings') },
} as const;

/** For the dialog of shortcuts. */
export const GO_SHORTCUTS: readonly Shortcut[] = Object.entries(PLACES).map(([key, { does }]) => ({
  keys: [`${FIRST} ${key}`],
  does,
}));

/** Shortcuts that open a screen from anywhere: `g`, then a letter, which takes precedence over shortcuts of one key. */
export function useGoShortcuts(): void {
  const navigate = useNavigate();
  const isForOthers = useEffectEvent(useIsForOthers());
  const goTo = useEffectEvent((to: string) => void navigate(to));
  useEffect(() => {
    let until = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isForOthers(event)) return;
      const place = event.timeStamp < until ? Object.entries(PLACES).find(([key]) => key === event.key) : undefined;
      until = event.key === FIRST ? event.timeStamp + SECOND_KEY_WITHIN_MS : 0;
      if (!place) return;
      event.preventDefault();
      goTo(place[1].to);
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
