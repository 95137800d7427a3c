import { msg } from '../../lib/i18n.ts';
import { type Keymap, keymapOf, type Shortcut } from '../../lib/keyboard.ts';

/** The keys of the inbox. */
export const INBOX_SHORTCUTS = {
  next: { keys: ['j', 'ArrowDown'], does: msg('Next chat') },
  previous: { keys: ['k', 'ArrowUp'], does: msg('Previous chat') },
  open: { keys: ['Enter'], does: msg('Open the chat') },
  claim: { keys: ['c'], does: msg('Claim the chat') },
  reply: { keys: ['r'], does: msg('Write an answer') },
  transfer: { keys: ['t'], does: msg('Hand the chat to a teammate') },
  close: { keys: ['e'], does: msg('Close the chat') },
  reopen: { keys: ['o'], does: msg('Reopen the chat') },
  unread: { keys: ['u'], does: msg('Mark the chat as unread') },
  snooze: { keys: ['z'], does: msg('Snooze the chat') },
  details: { keys: ['d'], does: msg('Show or hide the details') },
  search: { keys: ['/'], does: msg('Search in the list') },
  find: { keys: ['s'], does: msg('Search in the chat') },
  filter: { keys: ['f'], does: msg('Filter the list') },
  leave: { keys: ['Escape'], does: msg('Back to the list') },
} satisfies Record<string, Shortcut>;

/** A keymap of the inbox from actions by name. `open` needs none: a row is a link. */
export function inboxKeymap(actions: Partial<Record<keyof typeof INBOX_SHORTCUTS, () => void>>): Keymap {
  return keymapOf(INBOX_SHORTCUTS, actions);
}
