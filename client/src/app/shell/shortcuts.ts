import { INBOX_KEYS, type Shortcut } from '../../features/chats/keyboard.ts';
import { GO_KEYS } from './go.ts';

interface ShortcutGroup {
  title: string;
  shortcuts: readonly Shortcut[];
}

/** What the help sheet shows. */
export const SHORTCUTS: readonly ShortcutGroup[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: ['Ctrl K'], does: 'Search, and go anywhere' },
      { keys: ['?'], does: 'Show these keys' },
      ...GO_KEYS,
    ],
  },
  { title: 'Chat Inbox', shortcuts: Object.values(INBOX_KEYS) },
  {
    title: 'While you write',
    shortcuts: [
      { keys: ['Enter'], does: 'Send' },
      { keys: ['Shift Enter'], does: 'New line' },
      { keys: ['Escape'], does: 'Leave the field' },
    ],
  },
];
