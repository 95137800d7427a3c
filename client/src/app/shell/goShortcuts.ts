import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { isForBrowser, isForControl, type Keymap, type Shortcut } from '../../features/chats/keyboard.ts';
import { paths } from '../../lib/paths.ts';

const FIRST = 'g';
/** The second key must follow the first one within this time. */
const SECOND_KEY_WITHIN_MS = 1_500;

/** The second keys, and the screens they open. */
const PLACES = {
  h: { to: paths.home, does: 'Go home' },
  i: { to: paths.inbox, does: 'Go to the inbox' },
  w: { to: paths.sites, does: 'Go to the websites' },
  y: { to: paths.history, does: 'Go to the history' },
  t: { to: paths.team, does: 'Go to the team' },
  s: { to: paths.settings, does: 'Go to the settings' },
} as const;

/** For the dialog of shortcuts. */
export const GO_SHORTCUTS: readonly Shortcut[] = Object.entries(PLACES).map(([key, { does }]) => ({
  keys: [`${FIRST} ${key}`],
  does,
}));

/** Shortcuts that open a screen from anywhere: `g`, then a letter. */
export function useGoShortcuts(): void {
  const navigate = useNavigate();
  const actions = Object.entries(PLACES).map(([key, { to }]) => [key, () => void navigate(to)] as const);
  useSecondKeys(FIRST, Object.fromEntries(actions));
}

/** Two-key shortcuts such as `g`, then `i`. Listens in the capture phase, so they take precedence over single keys. */
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
