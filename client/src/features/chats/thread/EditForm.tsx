import { isComposing } from 'browser/isComposing';
import { type FormEvent, type KeyboardEvent, useContext, useEffect, useRef } from 'react';
import { MESSAGE_MAX_LENGTH, type StaffMessage } from 'server/contract';
import { drafts, useDraftValues } from '../../../lib/drafts.ts';
import { t } from '../../../lib/i18n.ts';
import { discardDraft } from '../../../shared/discardDraft.ts';
import { Button } from '../../../ui/Button.tsx';
import { correctionKey, EditingContext } from './editing.ts';
import { useEditMessage } from './messageChanges.ts';

const ROWS_MAX = 8;
/** About the characters of a line, for the height of the field. */
const LINE_LENGTH = 50;

interface Correction {
  content: string;
  /** The edition of the message that its corrector has seen. */
  seen?: number;
}

/**
 * The field in which a message is corrected, in its place: Enter saves, Escape cancels. What was typed is a draft, which opens
 * the form again; a change of the message meanwhile is shown, and overwritten only by saving again.
 */
export function EditForm({ message }: { message: StaffMessage }) {
  const { messageId, edit } = useContext(EditingContext);
  const { edit: edition = 0, deletedAt } = message;
  const key = correctionKey(message);
  const [{ content, seen = edition }, change] = useDraftValues<Correction>(key, { content: message.content });
  const field = useRef<HTMLTextAreaElement>(null);
  const trimmed = content.trim();
  // Elsewhere by then: the focus is no longer this form's to give.
  const { save, isPending } = useEditMessage(message, key, () => field.current && edit(null));
  const isChanged = seen !== edition && message.content !== trimmed;
  const isDeleted = deletedAt !== undefined;
  const isValid = trimmed !== '' && trimmed.length <= MESSAGE_MAX_LENGTH;
  const lines = content.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 0);

  const isBegun = messageId === message._id;
  useEffect(() => {
    const area = field.current;
    // Not where a draft has opened the form: the user may be writing elsewhere, or in its field.
    if (!isBegun || !area || area === document.activeElement) return;
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
  }, [isBegun]);

  const cancel = () => {
    if (trimmed === message.content) drafts.write(key, '');
    else discardDraft(key);
    edit(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (trimmed === message.content) cancel();
    else if (isValid && !isPending && !isDeleted) {
      change({ seen: edition });
      void save({ content: trimmed, sent: drafts.read(key) });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') {
      // The inbox would leave the chat.
      event.preventDefault();
      cancel();
    }
    if (event.key === 'Enter' && !event.shiftKey) submit(event);
  };

  return (
    <form onSubmit={submit} className="w-full max-w-[68ch] min-w-0 rounded-card border border-accent bg-surface p-2">
      {(isDeleted || isChanged) && (
        <p role="alert" className="mb-1 rounded-control bg-waiting-soft px-2.5 py-2 wrap-anywhere">
          {isDeleted
            ? t('This message was deleted meanwhile. What you typed stays here until you discard it.')
            : t('This message was changed meanwhile. It says now: {content}', { content: message.content })}
        </p>
      )}
      <textarea
        ref={field}
        value={content}
        // The answer closes the form.
        readOnly={isPending}
        onChange={({ target }) => change({ content: target.value, seen })}
        onKeyDown={onKeyDown}
        // A form that a draft had opened stays, even if the draft ends.
        onFocus={() => edit(message._id)}
        rows={Math.min(lines, ROWS_MAX)}
        dir="auto"
        aria-label={t('Edit message')}
        aria-invalid={!isValid || undefined}
        className="block w-full resize-none bg-transparent px-1.5 py-1 text-base outline-none sm:text-sm"
      />
      <span className="flex flex-wrap items-center justify-end gap-2 pt-1">
        <span className="min-w-0 flex-1 px-1.5 text-xs text-muted max-sm:hidden">{t('Enter saves, Esc cancels')}</span>
        <Button variant="ghost" size="sm" onClick={cancel}>
          {isDeleted ? t('Discard') : t('Cancel')}
        </Button>
        <Button type="submit" size="sm" busy={isPending} disabled={!isValid || isDeleted}>
          {isChanged && !isDeleted ? t('Save mine instead') : t('Save')}
        </Button>
      </span>
    </form>
  );
}
