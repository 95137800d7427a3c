import { Fragment } from 'react';
import { INBOX_SHORTCUTS } from '#features/chats';
import { SELECTION_SHORTCUTS } from '#features/selection';
import { SUGGESTION_SHORTCUTS } from '#features/suggestions';
import { msg, t } from '../../lib/i18n.ts';
import { isMac } from '../../lib/keyboard.ts';
import { Button } from '../../ui/Button.tsx';
import { GO_SHORTCUTS } from './goShortcuts.ts';

const SYMBOLS: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
  Ctrl: isMac() ? '⌘' : 'Ctrl',
  Alt: isMac() ? '⌥' : 'Alt',
};

/** All keyboard shortcuts, in groups. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <>
      {SHORTCUTS.map(({ title, shortcuts }) => (
        <section key={title} className="pt-4">
          <h3 className="text-xs font-medium text-muted">{t(title)}</h3>
          <dl className="divide-y pt-1">
            {shortcuts.map(({ does, keys }) => (
              <div key={does} className="flex items-center justify-between gap-4 py-2">
                <dt>{t(does)}</dt>
                <dd className="flex shrink-0 items-center gap-1 text-muted">
                  {keys.map((key, index) => (
                    <Fragment key={key}>
                      {index > 0 && <span className="px-0.5 text-xs">{t('or')}</span>}
                      <Keys combination={key} />
                    </Fragment>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div className="flex justify-end pt-5">
        <Button variant="secondary" onClick={onClose}>
          {t('Close')}
        </Button>
      </div>
    </>
  );
}

function Keys({ combination }: { combination: string }) {
  return combination.split(' ').map((key) => (
    <kbd
      key={key}
      className="inline-flex h-6 min-w-6 items-center justify-center rounded-small border bg-background px-1.5 font-sans text-xs text-text"
    >
      {SYMBOLS[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
    </kbd>
  ));
}

/** The groups of shortcuts, in the order shown. */
const SHORTCUTS = [
  {
    title: msg('Everywhere'),
    shortcuts: [
      { keys: ['Ctrl K'], does: msg('Search, or go to a screen') },
      { keys: ['?'], does: msg('Show all shortcuts') },
      { keys: ['Alt Z'], does: msg('Press the button of the latest notice, as Undo') },
      ...GO_SHORTCUTS,
    ],
  },
  { title: msg('Chat Inbox'), shortcuts: Object.values(INBOX_SHORTCUTS) },
  { title: msg('Several chats'), shortcuts: Object.values(SELECTION_SHORTCUTS) },
  {
    title: msg('While writing'),
    shortcuts: [
      { keys: ['Enter'], does: msg('Send') },
      { keys: ['Shift Enter'], does: msg('New line') },
      ...Object.values(SUGGESTION_SHORTCUTS),
      { keys: ['ArrowUp'], does: msg('Edit the last message, in an empty field') },
      { keys: ['Escape'], does: msg('Leave the field') },
    ],
  },
];
