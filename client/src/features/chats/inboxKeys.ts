import type { Keymap } from '../../lib/keyboard.ts';

/** The keys of the inbox. What they do is in `inboxShortcuts.ts`, which only the help dialog loads. */
export const INBOX_KEYS = {
  next: ['j', 'ArrowDown'],
  previous: ['k', 'ArrowUp'],
  open: ['Enter'],
  claim: ['c'],
  reply: ['r'],
  transfer: ['t'],
  close: ['e'],
  reopen: ['o'],
  unread: ['u'],
  snooze: ['z'],
  details: ['d'],
  search: ['/'],
  find: ['s'],
  filter: ['f'],
  leave: ['Escape'],
} as const satisfies Record<string, readonly string[]>;

/** The keymap of the keys that have an action of the same name. */
export function keymapOf<Name extends string>(
  keys: Readonly<Record<Name, readonly string[]>>,
  actions: Partial<Record<Name, () => void>>,
): Keymap {
  const names = Object.keys(keys) as Name[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const action = actions[name];
      return action ? keys[name].map((key) => [key, action]) : [];
    }),
  );
}

/** A keymap of the inbox from actions by name. `open` needs none: a row is a link. */
export function inboxKeymap(actions: Partial<Record<keyof typeof INBOX_KEYS, () => void>>): Keymap {
  return keymapOf(INBOX_KEYS, actions);
}
