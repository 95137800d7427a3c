import { type Keymap, keymapOf, type Shortcut } from '../../lib/keyboard.ts';

/** The keys of the inbox, for its keymap and for the help dialog. */
export const INBOX_KEYS = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next chat' },
  previous: { keys: ['k', 'ArrowUp'], does: 'Previous chat' },
  open: { keys: ['Enter'], does: 'Open the chat' },
  claim: { keys: ['c'], does: 'Claim the chat' },
  reply: { keys: ['r'], does: 'Write an answer' },
  transfer: { keys: ['t'], does: 'Hand the chat to a teammate' },
  close: { keys: ['e'], does: 'Close the chat' },
  reopen: { keys: ['o'], does: 'Reopen the chat' },
  unread: { keys: ['u'], does: 'Mark the chat as unread' },
  details: { keys: ['d'], does: 'Show or hide the details' },
  search: { keys: ['/'], does: 'Search in the list' },
  find: { keys: ['s'], does: 'Search in the chat' },
  filter: { keys: ['f'], does: 'Filter the list' },
  leave: { keys: ['Escape'], does: 'Back to the list' },
} as const satisfies Record<string, Shortcut>;

/** A keymap of the inbox from actions by name. `open` needs none: a row is a link. */
export function inboxKeymap(actions: Partial<Record<keyof typeof INBOX_KEYS, () => void>>): Keymap {
  return keymapOf(INBOX_KEYS, actions);
}

/** Moves the focus by `step` rows, from the row that has it, else from the open chat's, else to the first. */
export function moveFocus(list: HTMLElement | null, step: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const current = at >= 0 ? at : rows.findIndex((row) => row.querySelector('[aria-current="true"]'));
  const next = current < 0 ? rows[0] : rows[current + step];
  next?.querySelector<HTMLElement>('a')?.focus();
}
