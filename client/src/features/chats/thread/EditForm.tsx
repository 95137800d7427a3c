import { type FormEvent, type KeyboardEvent, useContext, useEffect, useRef, useState } from 'react';
import { MESSAGE_MAX_LENGTH, type StaffMessage } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { isComposing } from '../../../lib/keyboard.ts';
import { Button } from '../../../ui/Button.tsx';

import { EditingContext } from './editing.ts';
import { useEditMessage } from './messageChanges.ts';

const ROWS_MAX = 8;
/** About the characters of a line, for the height of the field. */
const LINE_LENGTH = 50;

/** The field in which a message is corrected, in its place: Enter saves, Escape cancels. */
export function EditForm({ message }: { message: StaffMessage }) {
  const { edit } = useContext(EditingContext);
  const [text, setText] = useState(message.content);
  const field = useRef<HTMLTextAreaElement>(null);
  const { save, isPending } = useEditMessage(message, () => edit(null));
  const trimmed = text.trim();
  const isValid = trimmed !== '' && trimmed.length <= MESSAGE_MAX_LENGTH;
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 0);

  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (trimmed === message.content) edit(null);
    else if (isValid && !isPending) void save(trimmed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') {
      // The inbox would leave the chat.
      event.preventDefault();
      edit(null);
    }
    if (event.key === 'Enter' && !event.shiftKey) submit(event);
  };

  return (
    <form onSubmit={submit} className="w-full max-w-[68ch] min-w-0 rounded-card border border-accent bg-surface p-2">
      <textarea
        ref={field}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        rows={Math.min(lines, ROWS_MAX)}
        dir="auto"
        aria-label={t('Edit message')}
        aria-invalid={!isValid || undefined}
        className="block w-full resize-none bg-transparent px-1.5 py-1 text-base outline-none sm:text-sm"
      />
      <span className="flex flex-wrap items-center justify-end gap-2 pt-1">
        <span className="min-w-0 flex-1 px-1.5 text-xs text-muted max-sm:hidden">{t('Enter saves, Esc cancels')}</span>
        <Button variant="ghost" size="sm" onClick={() => edit(null)}>
          {t('Cancel')}
        </Button>
        <Button type="submit" size="sm" busy={isPending} disabled={!isValid}>
          {t('Save')}
        </Button>
      </span>
    </form>
  );
}
