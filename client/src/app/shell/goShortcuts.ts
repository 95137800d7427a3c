import { useNavigate } from 'react-router-dom';
import { type Shortcut, useTwoKeyShortcuts } from '../../lib/keyboard.ts';
import { paths } from '../../lib/paths.ts';

const FIRST = 'g';

/** The second keys, and the screens they open. */
const PLACES = {
  h: { to: paths.home, does: 'Go home' },
  i: { to: paths.inbox, does: 'Go to the inbox' },
  w: { to: paths.sites, does: 'Go to the websites' },
  y: { to: paths.history, does: 'Go to the history' },
  v: { to: paths.visitors, does: 'Go to the visitors' },
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
  useTwoKeyShortcuts(FIRST, Object.fromEntries(actions));
}
