import { Paperclip, SendHorizontal, Slash } from 'lucide-react';
import {
  type ChangeEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { can, MESSAGE_MAX_LENGTH, type Site } from 'server/contract';
import { isComposing } from '../../../lib/composing.ts';
import { cx } from '../../../lib/cx.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useReportTyping } from '../live/activity.ts';
import type { Sending } from '../outbox/sending.ts';
import { CannedList } from './CannedList.tsx';
import { Count } from './Count.tsx';
import { useCanned } from './canned.ts';
import { useDraft } from './draft.ts';
import { Emoji } from './EmojiButton.tsx';
import { type Mode, Modes } from './Modes.tsx';
import { pasteFiles, type Staged } from './staged.ts';
import { Tray } from './Tray.tsx';

const MAX_HEIGHT_PX = 200;
/** Where fingers point, the small buttons grow. */
const TOUCH = 'pointer-coarse:size-10!';

interface WriterProps {
  chatId: string;
  site: Site;
  mode: Mode;
  /** None where there is nothing to choose. */
  onMode: ((mode: Mode) => void) | null;
  draftOf: string;
  field: RefObject<HTMLTextAreaElement | null>;
  staged: Staged;
  sending: Sending;
  onManage: () => void;
}

/** Where one writes: Enter sends, Shift+Enter begins a new line, '/' finds canned replies. */
export function Writer(props: WriterProps) {
  const { chatId, site, mode, onMode, draftOf, field, staged, sending, onManage } = props;
  const isNote = mode === 'note';
  const [draft, setDraft] = useDraft(draftOf);
  const [caret, setCaret] = useState(draft.length);
  const offered = useRef<{ from: number; words: string } | null>(null);
  const report = useReportTyping(chatId);
  const listId = useId();
  const mayEdit = can(site, 'replies.edit');
  const text = draft.trim();
  const over = text.length - MESSAGE_MAX_LENGTH;
  const files = isNote ? [] : staged.files;
  const isEmpty = text === '' && files.length === 0;
  useHeight(field, draft);

  const write = (now: string, at: number) => {
    setDraft(now);
    setCaret(at);
    if (!isNote) report(now.trim() !== '');
  };
  const replace = (from: number, to: number, words: string) => {
    const area = field.current;
    if (!area) return;
    const at = from + words.length;
    // Set as a whole, which React notices: of `setRangeText` it knows nothing, and would drop the next key that undoes it.
    area.value = draft.slice(0, from) + words + draft.slice(to);
    area.setSelectionRange(at, at);
    write(area.value, at);
    area.focus();
  };
  /** Puts `words` where the caret is, or from `from` to it, and lets one go on behind them. */
  const insert = (words: string, from?: number) => {
    const area = field.current;
    if (!area) return;
    replace(from ?? area.selectionStart, from === undefined ? area.selectionEnd : caret, words);
  };
  const offerReplies = () => {
    const from = field.current?.selectionStart ?? draft.length;
    const words = /(^|\s)$/.test(draft.slice(0, from)) ? '/' : ' /';
    offered.current = { from, words };
    insert(words);
  };
  /** A '/' that the button has put there goes with the list; one that was typed is the writer's own. */
  const takeBack = () => {
    const put = offered.current;
    offered.current = null;
    if (put && draft.slice(put.from, caret) === put.words) replace(put.from, caret, '');
  };
  const canned = useCanned({
    siteId: site._id,
    text: draft,
    caret,
    mayEdit,
    onChoose: ({ content }, from) => insert(content, from),
    onLeave: takeBack,
    onManage,
  });

  const send = () => {
    if (isEmpty || over > 0) return;
    // The words first: they are there at once, and the files take their time.
    if (text !== '') (isNote ? sending.note : sending.send)(text);
    if (files.length > 0) sending.attach(files);
    if (!isNote) staged.clear();
    write('', 0);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, the keys choose characters.
    if (isComposing(event.nativeEvent) || canned.onKeyDown(event)) return;
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  const isListed = canned.state === 'open';

  return (
    <form onSubmit={onSubmit} className="relative shrink-0 border-t bg-surface px-3 py-3 sm:px-4">
      <CannedList id={listId} canned={canned} mayEdit={mayEdit} />
      <div
        className={cx(
          'rounded-card border transition-colors',
          isNote
            ? 'border-waiting/50 bg-waiting-soft focus-within:border-waiting'
            : 'border-edge bg-surface focus-within:border-accent hover:border-muted',
          over > 0 && 'border-danger!',
        )}
      >
        {!isNote && <Tray staged={staged} />}
        <textarea
          ref={field}
          value={draft}
          onChange={({ target }) => write(target.value, target.selectionEnd)}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionEnd)}
          onKeyDown={onKeyDown}
          onPaste={isNote ? undefined : (event) => pasteFiles(event, staged.add)}
          rows={1}
          dir="auto"
          aria-label={isNote ? 'Note' : 'Message'}
          aria-describedby={`${listId}-notice`}
          aria-invalid={over > 0 || undefined}
          aria-autocomplete="list"
          aria-controls={isListed ? listId : undefined}
          aria-activedescendant={isListed ? `${listId}-${canned.active}` : undefined}
          placeholder={isNote ? 'Write a note. Only your team sees this.' : 'Type your message...'}
          className="block min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-base outline-none sm:text-sm"
        />
        <div className="flex items-center gap-0.5 p-1.5 pt-0">
          {onMode && (
            <Modes
              mode={mode}
              onMode={(next) => {
                report(false);
                onMode(next);
                field.current?.focus();
              }}
            />
          )}
          {!isNote && <Attach onFiles={staged.add} />}
          <Emoji field={field} onChoose={insert} />
          <IconButton label="Canned replies" size="sm" className={TOUCH} onClick={offerReplies}>
            <Slash size={16} aria-hidden />
          </IconButton>
          <span id={`${listId}-notice`} className="min-w-0 flex-1 px-1 text-end text-xs text-muted">
            <Count length={text.length} />
          </span>
          <IconButton
            label={isNote ? 'Add note' : 'Send'}
            type="submit"
            size="sm"
            disabled={isEmpty || over > 0}
            className={cx(TOUCH, isNote ? 'text-waiting!' : 'text-accent hover:text-accent-strong!')}
          >
            <SendHorizontal size={18} aria-hidden />
          </IconButton>
        </div>
      </div>
    </form>
  );
}

function Attach({ onFiles }: { onFiles: Staged['add'] }) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onFiles(target.files ?? []);
    // The same file may be chosen again.
    target.value = '';
  };
  return (
    <>
      <input ref={input} type="file" multiple hidden aria-label="Files" onChange={onChange} />
      <IconButton label="Attach files" size="sm" className={TOUCH} onClick={() => input.current?.click()}>
        <Paperclip size={18} aria-hidden />
      </IconButton>
    </>
  );
}

/** The height follows the text, up to a limit. */
function useHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what there is to react to
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, MAX_HEIGHT_PX)}px`;
  }, [field, text]);
}
