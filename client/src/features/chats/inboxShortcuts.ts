import { msg } from '../../lib/i18n.ts';
import type { Shortcut } from '../../lib/keyboard.ts';
import { INBOX_KEYS } from './inboxKeys.ts';
import { SELECTION_KEYS } from './selection/selected.ts';

/** The shortcuts of the inbox, for the help dialog. */
export const INBOX_SHORTCUTS = explained(INBOX_KEYS, {
  next: msg('Next chat'),
  previous: msg('Previous chat'),
  open: msg('Open the chat'),
  claim: msg('Claim the chat'),
  reply: msg('Write an answer'),
  transfer: msg('Hand the chat to a teammate'),
  close: msg('Close the chat'),
  reopen: msg('Reopen the chat'),
  unread: msg('Mark the chat as unread'),
  snooze: msg('Snooze the chat'),
  details: msg('Show or hide the details'),
  search: msg('Search in the list'),
  find: msg('Search in the chat'),
  filter: msg('Filter the list'),
  leave: msg('Back to the list'),
});

/** The shortcuts for selected chats. */
export const SELECTION_SHORTCUTS = explained(SELECTION_KEYS, {
  select: msg('Select the chat, or no longer'),
  close: msg('Close the selected chats'),
  tag: msg('Tag the selected chats'),
  transfer: msg('Assign the selected chats'),
  clear: msg('Select nothing'),
});

function explained<Name extends string>(
  keys: Readonly<Record<Name, readonly string[]>>,
  does: Record<Name, string>,
): Shortcut[] {
  return (Object.keys(keys) as Name[]).map((name) => ({ keys: keys[name], does: does[name] }));
}
