import type { Shortcut } from '../../lib/keyboard.ts';
import { INBOX_KEYS } from './inboxKeys.ts';
import { SELECTION_KEYS } from './selection/selected.ts';

/** The shortcuts of the inbox, for the help dialog. */
export const INBOX_SHORTCUTS = explained(INBOX_KEYS, {
  next: 'Next chat',
  previous: 'Previous chat',
  open: 'Open the chat',
  claim: 'Claim the chat',
  reply: 'Write an answer',
  transfer: 'Hand the chat to a teammate',
  close: 'Close the chat',
  reopen: 'Reopen the chat',
  unread: 'Mark the chat as unread',
  snooze: 'Snooze the chat',
  details: 'Show or hide the details',
  search: 'Search in the list',
  find: 'Search in the chat',
  filter: 'Filter the list',
  leave: 'Back to the list',
});

/** The shortcuts for selected chats. */
export const SELECTION_SHORTCUTS = explained(SELECTION_KEYS, {
  select: 'Select the chat, or no longer',
  close: 'Close the selected chats',
  tag: 'Tag the selected chats',
  transfer: 'Assign the selected chats',
  clear: 'Select nothing',
});

function explained<Name extends string>(
  keys: Readonly<Record<Name, readonly string[]>>,
  does: Record<Name, string>,
): Shortcut[] {
  return (Object.keys(keys) as Name[]).map((name) => ({ keys: keys[name], does: does[name] }));
}
