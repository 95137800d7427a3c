import { Fragment, useState } from 'react';
import { useKeys } from '../../features/chats/keyboard.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { SHORTCUTS } from './shortcuts.ts';

const SYMBOLS: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc', Ctrl: isMac() ? '⌘' : 'Ctrl' };

/** The sheet of all keys, brought up by `?`. */
export function Help() {
  const [open, setOpen] = useState(false);
  useKeys({ '?': () => setOpen(true) });
  return (
    <Dialog open={open} onOpenChange={setOpen} title="Keyboard shortcuts">
      {SHORTCUTS.map(({ title, shortcuts }) => (
        <section key={title} className="pt-4">
          <h3 className="text-xs font-medium text-muted">{title}</h3>
          <dl className="divide-y pt-1">
            {shortcuts.map(({ does, keys }) => (
              <div key={does} className="flex items-center justify-between gap-4 py-2">
                <dt>{does}</dt>
                <dd className="flex shrink-0 items-center gap-1 text-muted">
                  {keys.map((key, index) => (
                    <Fragment key={key}>
                      {index > 0 && <span className="px-0.5 text-xs">or</span>}
                      <Keys combination={key} />
                    </Fragment>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}

function Keys({ combination }: { combination: string }) {
  return combination.split(' ').map((key) => (
    <kbd
      key={key}
      className="inline-flex h-6 min-w-6 items-center justify-center rounded-small border bg-background px-1.5 font-sans text-xs text-text"
    >
      {SYMBOLS[key] ?? key}
    </kbd>
  ));
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}
