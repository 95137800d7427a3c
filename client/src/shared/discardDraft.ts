import { drafts } from '../lib/drafts.ts';
import { t } from '../lib/i18n.ts';
import { toastAction } from '../ui/actionToast.tsx';

/** Drops what was typed, as the user asked, and offers in a toast to bring it back: Escape is easily pressed. */
export function discardDraft(key: string): void {
  const text = drafts.take(key);
  if (text === '') return;
  toastAction({
    id: `discarded ${key}`,
    text: t('What you typed was discarded.'),
    label: t('Undo'),
    // Unless something else was begun since.
    run: () => drafts.read(key) === '' && drafts.write(key, text),
  });
}
