import { useNavigate } from 'react-router-dom';
import { type Shortcut, useSecondKeys } from '../../features/chats/keyboard.ts';

const FIRST = 'g';

/** Where the second key leads. */
const PLACES = {
  h: { to: '/dashboard', does: 'Go home' },
  i: { to: '/dashboard/inbox', does: 'Go to the inbox' },
  w: { to: '/dashboard/sites', does: 'Go to the websites' },
  y: { to: '/dashboard/history', does: 'Go to the history' },
  t: { to: '/dashboard/team', does: 'Go to the team' },
  s: { to: '/dashboard/settings', does: 'Go to the settings' },
} as const;

/** For the help sheet. */
export const GO_KEYS: readonly Shortcut[] = Object.entries(PLACES).map(([key, { does }]) => ({
  keys: [`${FIRST} ${key}`],
  does,
}));

/** `g`, then the place, from anywhere in the dashboard. */
export function useGoKeys(): void {
  const navigate = useNavigate();
  const actions = Object.entries(PLACES).map(([key, { to }]) => [key, () => void navigate(to)] as const);
  useSecondKeys(FIRST, Object.fromEntries(actions));
}
