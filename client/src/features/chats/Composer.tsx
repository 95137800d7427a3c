import { SendHorizontal } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import { MESSAGE_MAX_LENGTH } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { useDraft } from './draft.ts';

/** From here on the composer counts what is left. */
const COUNT_FROM = MESSAGE_MAX_LENGTH - 200;
const MAX_HEIGHT_PX = 200;

interface ComposerProps {
  /** The user and the chat that the draft belongs to. */
  draftOf: string;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Why nothing can be written here, where that is so. */
  refusal: string | null;
  onSend: (text: string) => void;
}

/** Where an answer is written: Enter sends, Shift+Enter begins a new line. */
export function Composer({ draftOf, field, refusal, onSend }: ComposerProps) {
  const [draft, setDraft] = useDraft(draftOf);
  const text = draft.trim();
  const over = text.length - MESSAGE_MAX_LENGTH;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, MAX_HEIGHT_PX)}px`;
  }, [field, draft]);

  const send = () => {
    if (text === '' || over > 0) return;
    onSend(text);
    setDraft('');
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a character.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

  if (refusal !== null) {
    return <p className="shrink-0 border-t bg-background px-6 py-4 text-center text-balance text-muted">{refusal}</p>;
  }
  return (
    <form onSubmit={onSubmit} className="shrink-0 border-t bg-surface px-3 pt-3 pb-2 sm:px-4">
      <div
        className={cx(
          'flex items-end rounded-card border border-edge bg-surface transition-colors focus-within:border-accent hover:border-muted',
          over > 0 && 'border-danger!',
        )}
      >
        <textarea
          ref={field}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
          rows={1}
          dir="auto"
          aria-label="Message"
          aria-describedby="composer-notice"
          aria-invalid={over > 0 || undefined}
          placeholder="Type your message..."
          className="min-h-11 min-w-0 flex-1 resize-none bg-transparent px-3.5 py-3 text-base outline-none sm:text-sm"
        />
        <IconButton
          label="Send"
          type="submit"
          disabled={text === '' || over > 0}
          className="m-1 size-9! text-accent hover:text-accent-strong!"
        >
          <SendHorizontal size={18} aria-hidden />
        </IconButton>
      </div>
      <p id="composer-notice" className="flex items-center justify-between gap-3 px-1 pt-1 text-xs text-muted">
        <span className="max-sm:hidden">Enter sends, Shift+Enter begins a new line</span>
        {text.length > COUNT_FROM && <Count over={over} />}
      </p>
    </form>
  );
}

function Count({ over }: { over: number }) {
  if (over <= 0) return <span className="tabular-nums">{-over} characters left</span>;
  return (
    <span role="alert" className="font-medium text-danger tabular-nums">
      {over} {over === 1 ? 'character' : 'characters'} too long. A message has at most{' '}
      {MESSAGE_MAX_LENGTH.toLocaleString('en')}.
    </span>
  );
}
