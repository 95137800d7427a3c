import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { isForBrowser, isForControl, type Keymap, type Shortcut } from '../../features/chats/keyboard.ts';
import { paths } from '../../lib/paths.ts';

const FIRST = 'g';
/** So soon after the first of two keys the second has to come. */
const SECOND_KEY_WITHIN_MS = 1_500;

/** Where the second key leads. */
const PLACES = {
  h: { to: paths.home, does: 'Go home' },
  i: { to: paths.inbox, does: 'Go to the inbox' },
  w: { to: paths.sites, does: 'Go to the websites' },
  y: { to: paths.history, does: 'Go to the history' },
  t: { to: paths.team, does: 'Go to the team' },
  s: { to: paths.settings, does: 'Go to the settings' },
} as const;

/** For the help sheet. */
export const GO_SHORTCUTS: readonly Shortcut[] = Object.entries(PLACES).map(([key, { does }]) => ({
  keys: [`${FIRST} ${key}`],
  does,
}));

/** `g`, then the place, from anywhere in the dashboard. */
export function useGoShortcuts(): void {
  const navigate = useNavigate();
  const actions = Object.entries(PLACES).map(([key, { to }]) => [key, () => void navigate(to)] as const);
  useSecondKeys(FIRST, Object.fromEntries(actions));
}

/** Keys for the whole screen that do something only after another one: `g`, then `i`. They go before single keys. */
function useSecondKeys(first: string, keymap: Keymap): void {
  const actionFor = useEffectEvent((key: string) => keymap[key]);
  useEffect(() => {
    let until = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isForBrowser(event) || isForControl(event)) return;
      const action = event.timeStamp < until ? actionFor(event.key) : undefined;
      until = event.key === first ? event.timeStamp + SECOND_KEY_WITHIN_MS : 0;
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [first]);
}
