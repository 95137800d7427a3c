import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { msg } from '../../lib/i18n.ts';
import { type Shortcut, useIsForOthers, useKeys } from '../../lib/keyboard.ts';
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
  const isForOthers = useIsForOthers();
  const until = useRef(0);
  useKeys((event) => {
    if (isForOthers(event)) return;
    const isSecond = event.timeStamp < until.current;
    const place = isSecond ? Object.entries(PLACES).find(([key]) => key === event.key) : undefined;
    until.current = event.key === FIRST ? event.timeStamp + SECOND_KEY_WITHIN_MS : 0;
    if (!place) return;
    event.preventDefault();
    void navigate(place[1].to);
  }, true);
}
