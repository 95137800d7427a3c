import { AtSign, SendHorizontal, Slash } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import {
  type CannedReply,
  fillPlaceholders,
  MESSAGE_MAX_LENGTH,
  type PlaceholderValues,
  type Site,
} from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { isComposing } from '../../../lib/keyboard.ts';
import { readReplyFiles } from '../../../shared/cannedReplies.ts';
import { showFailure } from '../../../ui/failureToast.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { onDemand } from '../../../ui/onDemand.ts';
import { useReportTyping } from '../live/activity.ts';
import type { Sending } from '../outbox/sending.ts';
import {
  AttachButton,
  EmojiButton,
  FileTray,
  LengthHint,
  type Mode,
  ModeSwitch,
  TOUCH_SIZE,
} from './ComposerTools.tsx';
import { useCannedReplyMenu } from './cannedReplyMenu.ts';
import { type DraftFiles, pasteFiles, useDraftText } from './draft.ts';
import { useMentionMenu } from './mentionMenu.ts';

const menus = onDemand(() => import('./SuggestionMenus.tsx'));

const MAX_HEIGHT_PX = 200;

interface MessageFieldProps {
  chatId: string;
  userId: string;
  site: Site;
  /** For the placeholders of canned replies. */
  names: PlaceholderValues;
  mode: Mode;
  /** `null` where only notes can be written. */
  onMode: ((mode: Mode) => void) | null;
  draftOwner: string;
  field: RefObject<HTMLTextAreaElement | null>;
  draftFiles: DraftFiles;
  sending: Sending;
  /** Begins to correct the user's last message. */
  onEditLast: () => void;
  /** Opens the dialog of the canned replies. */
  onManage: () => void;
}

/** The text field: Enter sends, Shift+Enter begins a new line, '/' opens the canned replies, '@' in a note the teammates. */
export function MessageField(props: MessageFieldProps) {
  const { chatId, userId, site, names, mode, onMode, draftOwner, field, draftFiles, sending, onEditLast, onManage } =
    props;
  const isNote = mode === 'note';
  const reportTyping = useReportTyping(chatId);
  const editor = useEditor(field, draftOwner, (text) => {
    if (!isNote) reportTyping(text.trim() !== '');
  });
  const listId = useId();
  const text = editor.draft.trim();
  const isTooLong = text.length > MESSAGE_MAX_LENGTH;
  const files = isNote ? [] : draftFiles.files;
  const isEmpty = text === '' && files.length === 0;
  const canned = useCannedReplyMenu({
    siteId: site._id,
    text: editor.draft,
    caret: editor.caret,
    onChoose: (reply, from) => {
      editor.insert(fillPlaceholders(reply.content, names), from);
      if (!isNote && reply.files.length > 0) void attach(reply);
    },
    onLeave: editor.removeOffered,
    onManage,
  });
  const mention = useMentionMenu({
    isNote,
    team: site.team,
    userId,
    text: editor.draft,
    caret: editor.caret,
    onChoose: editor.insert,
    onLeave: editor.removeOffered,
  });
  const loaded = menus.usePart(canned.isOpen || mention.isOpen);
  const listed = loaded && (canned.state === 'open' ? canned : mention.isOpen ? mention : null);
  const attach = async (reply: CannedReply): Promise<void> => {
    try {
      draftFiles.add(await readReplyFiles(reply));
    } catch (error) {
      showFailure(error, t('The files of the reply could not be loaded.'), () => void attach(reply));
    }
  };

  const send = () => {
    if (isEmpty || isTooLong) return;
    if (isNote) sending.note(text, mention.mentionedIn(text));
    else {
      // Text first: it is sent at once, while files take their time.
      if (text !== '') sending.send(text);
      if (files.length > 0) sending.attach(files);
      draftFiles.clear();
    }
    editor.write('', 0);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter and the arrows choose characters.
    if (isComposing(event.nativeEvent) || canned.onKeyDown(event) || mention.onKeyDown(event)) return;
    if (event.key === 'ArrowUp' && !isNote && editor.draft === '') {
      event.preventDefault();
      onEditLast();
      return;
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  const switchMode = (next: Mode) => {
    reportTyping(false);
    onMode?.(next);
    field.current?.focus();
  };

  return (
    <form onSubmit={onSubmit} className="relative shrink-0 border-t bg-surface px-3 py-3 sm:px-4">
      {loaded && <loaded.CannedReplyMenu id={listId} canned={canned} />}
      {loaded && <loaded.MentionMenu id={listId} mention={mention} />}
      <div
        className={cx(
          'rounded-card border transition-colors',
          isNote
            ? 'border-waiting/50 bg-waiting-soft focus-within:border-waiting'
            : 'border-edge bg-surface focus-within:border-accent hover:border-muted',
          isTooLong && 'border-danger!',
        )}
      >
        {!isNote && <FileTray draft={draftFiles} />}
        <textarea
          ref={field}
          value={editor.draft}
          onChange={({ target }) => editor.write(target.value, target.selectionEnd)}
          onSelect={({ currentTarget }) => editor.setCaret(currentTarget.selectionEnd)}
          onKeyDown={onKeyDown}
          onPaste={isNote ? undefined : (event) => pasteFiles(event, draftFiles.add)}
          rows={1}
          dir="auto"
          aria-label={isNote ? t('Note') : t('Message')}
          aria-describedby={`${listId}-notice`}
          aria-invalid={isTooLong || undefined}
          aria-autocomplete="list"
          aria-controls={listed ? listId : undefined}
          aria-activedescendant={listed ? `${listId}-${listed.active}` : undefined}
          placeholder={isNote ? t('Write a note. Only your team sees this.') : t('Type your message...')}
          className="block min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-base outline-none sm:text-sm"
        />
        <div className="flex items-center gap-0.5 p-1.5 pt-0">
          {onMode && <ModeSwitch mode={mode} onMode={switchMode} />}
          {!isNote && <AttachButton onFiles={draftFiles.add} />}
          <EmojiButton field={field} onChoose={editor.insert} />
          {isNote && (
            <IconButton
              label={t('Mention a teammate')}
              size="sm"
              className={TOUCH_SIZE}
              onClick={() => editor.offer('@')}
            >
              <AtSign size={16} aria-hidden />
            </IconButton>
          )}
          <IconButton label={t('Canned replies')} size="sm" className={TOUCH_SIZE} onClick={() => editor.offer('/')}>
            <Slash size={16} aria-hidden />
          </IconButton>
          <span id={`${listId}-notice`} className="min-w-0 flex-1 px-1 text-end text-xs text-muted">
            <LengthHint length={text.length} />
          </span>
          <IconButton
            label={isNote ? t('Add note') : t('Send')}
            type="submit"
            size="sm"
            disabled={isEmpty || isTooLong}
            className={cx(TOUCH_SIZE, isNote ? 'text-waiting!' : 'text-accent hover:text-accent-strong!')}
          >
            <SendHorizontal size={18} aria-hidden className="rtl:-scale-x-100" />
          </IconButton>
        </div>
      </div>
    </form>
  );
}

/** The draft in the field, its caret, and what buttons insert at the caret. */
function useEditor(field: RefObject<HTMLTextAreaElement | null>, owner: string, onWrite: (text: string) => void) {
  const [draft, setDraft] = useDraftText(owner);
  const [caret, setCaret] = useState(draft.length);
  const offered = useRef<{ from: number; text: string } | null>(null);
  useAutoHeight(field, draft);

  const write = (text: string, at: number) => {
    setDraft(text);
    setCaret(at);
    onWrite(text);
  };
  const replace = (from: number, to: number, text: string) => {
    const area = field.current;
    if (!area) return;
    const at = from + text.length;
    // By `value`, which React tracks. After `setRangeText` it would miss a key that restores the text from before.
    area.value = draft.slice(0, from) + text + draft.slice(to);
    area.setSelectionRange(at, at);
    write(area.value, at);
    area.focus();
  };
  /** Replaces the selection, or with `from` the text between that and the caret. */
  const insert = (text: string, from?: number) => {
    const area = field.current;
    if (!area) return;
    replace(from ?? area.selectionStart, from === undefined ? area.selectionEnd : caret, text);
  };
  /** Inserts the sign that opens a menu. */
  const offer = (sign: '/' | '@') => {
    const from = field.current?.selectionStart ?? draft.length;
    const text = /(^|\s)$/.test(draft.slice(0, from)) ? sign : ` ${sign}`;
    offered.current = { from, text };
    insert(text);
  };
  /** Removes the sign that a button inserted; one that the user typed stays. */
  const removeOffered = () => {
    const sign = offered.current;
    offered.current = null;
    if (sign && draft.slice(sign.from, caret) === sign.text) replace(sign.from, caret, '');
  };
  return { draft, caret, setCaret, write, insert, offer, removeOffered };
}

/** The field grows with its text, up to a limit. */
function useAutoHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the change to react to
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, MAX_HEIGHT_PX)}px`;
  }, [field, text]);
}
