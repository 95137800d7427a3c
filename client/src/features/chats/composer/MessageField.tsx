import { isComposing } from 'browser/isComposing';
import { AtSign, SendHorizontal, Slash } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type RefObject, useId } from 'react';
import {
  type CannedReply,
  type Chat,
  fillPlaceholders,
  MESSAGE_MAX_LENGTH,
  type PlaceholderValues,
  type Site,
} from 'server/contract';
import { useCanWrite, useWriter, WriterMenu, WriterStatus } from '#features/assistant';
import { readReplyFiles } from '#features/replies';
import { SuggestionStrip, useSuggestedAnswers } from '#features/suggestions';
import { cx } from '../../../lib/cx.ts';
import { drafts } from '../../../lib/drafts.ts';
import { t } from '../../../lib/i18n.ts';
import { showFailure } from '../../../ui/failureToast.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useReportTyping } from '../live/activity.ts';
import type { Sending } from '../outbox/outbox.ts';
import { useArticleMenu } from './articleMenu.ts';
import { AttachButton, EmojiButton, FileTray, LengthHint, ModeSwitch, TOUCH_SIZE } from './ComposerTools.tsx';
import { useCannedReplyMenu } from './cannedReplyMenu.ts';
import { type DraftFiles, pasteFiles } from './draft.ts';
import { useEditor } from './editor.ts';
import { FormatButtons } from './FormatButtons.tsx';
import { applyFormat, type Format, formatOf } from './formatting.ts';
import { useMentionMenu } from './mentionMenu.ts';
import type { Mode } from './mode.ts';
import { ArticleMenu, CannedReplyMenu, MentionMenu } from './SuggestionMenus.tsx';

export interface MessageFieldProps {
  chat: Chat;
  userId: string;
  site: Site;
  /** For the placeholders of canned replies. */
  names: PlaceholderValues;
  mode: Mode;
  onMode: (mode: Mode) => void;
  draftKey: string;
  /** Nothing can be sent at the moment; typing goes on. */
  isLocked: boolean;
  /** The id of the element that says why. */
  noticeId: string;
  field: RefObject<HTMLTextAreaElement | null>;
  draftFiles: DraftFiles;
  sending: Sending;
  /** Begins to correct the user's last message. */
  onEditLast: () => void;
  /** Opens the dialog of the canned replies. */
  onManage: () => void;
}

/** The text field: Enter sends, Shift+Enter begins a new line, '/' opens the canned replies, '//' the help articles, '@' in a note the teammates. */
export function MessageField(props: MessageFieldProps) {
  const { chat, userId, site, names, mode, onMode, draftKey, isLocked, noticeId } = props;
  const { field, draftFiles, sending, onEditLast, onManage } = props;
  const isNote = mode === 'note';
  const reportTyping = useReportTyping(chat._id);
  const editor = useEditor(field, draftKey, (text) => {
    if (!isNote && !isLocked) reportTyping(text.trim() !== '');
  });
  const listId = useId();
  const text = editor.draft.trim();
  const isTooLong = text.length > MESSAGE_MAX_LENGTH;
  const files = isNote ? [] : draftFiles.files;
  const isEmpty = text === '' && files.length === 0;
  const canned = useCannedReplyMenu({
    siteId: site._id,
    editor,
    onChoose: (reply, from) => {
      editor.insert(fillPlaceholders(reply.content, names), from);
      if (!isNote && reply.files.length > 0) void attach(reply);
    },
    onManage,
  });
  const mention = useMentionMenu({ isNote, team: site.team, userId, editor });
  const articles = useArticleMenu(site._id, editor);
  const canWrite = useCanWrite(site);
  const writer = useWriter({ chatId: chat._id, draftKey, isNote, onNote: () => onMode('note'), field });
  const listed =
    canned.state === 'open' ? canned : articles.state === 'open' ? articles : mention.isOpen ? mention : null;
  const suggested = useSuggestedAnswers({
    chat,
    site,
    names,
    isReply: !isNote && !isLocked,
    text,
    onInsert: (answer) => {
      field.current?.select();
      editor.insert(answer);
    },
  });
  const attach = async (reply: CannedReply): Promise<void> => {
    try {
      draftFiles.add(await readReplyFiles(reply));
    } catch (error) {
      showFailure(error, t('The files of the reply could not be loaded.'), () => void attach(reply));
    }
  };

  const send = () => {
    if (isEmpty || isTooLong || isLocked) return;
    // Another tab has sent it, or changed it a moment ago: what is sent is what is shown here, and once.
    if (drafts.read(draftKey) !== editor.draft) return;
    if (isNote) sending.note(text, mention.mentionedIn(text));
    else {
      // Text first: it is sent at once, while files take their time.
      if (text !== '') sending.send(text);
      suggested.onSend(text);
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
  const onFormat = (format: Format) => field.current && applyFormat(field.current, format, editor.insert);
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter and the arrows choose characters.
    const menus = [canned, articles, mention, writer];
    if (isComposing(event.nativeEvent) || menus.some((menu) => menu.onKeyDown(event))) return;
    if (event.key === 'ArrowUp' && !isNote && editor.draft === '') {
      event.preventDefault();
      onEditLast();
      return;
    }
    const format = isNote ? null : formatOf(event);
    if (format) {
      event.preventDefault();
      onFormat(format);
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  const switchMode = (next: Mode) => {
    reportTyping(false);
    onMode(next);
  };

  return (
    <form onSubmit={onSubmit} className="relative shrink-0 border-t bg-surface px-3 py-3 sm:px-4">
      <CannedReplyMenu id={listId} canned={canned} />
      <ArticleMenu id={listId} articles={articles} />
      <MentionMenu id={listId} mention={mention} />
      <SuggestionStrip answers={suggested} />
      <div
        className={cx(
          '@container rounded-card border transition-colors',
          isNote
            ? 'border-waiting/50 bg-waiting-soft focus-within:border-waiting'
            : 'border-edge bg-surface focus-within:border-accent hover:border-muted',
          isTooLong && 'border-danger!',
        )}
      >
        <WriterStatus writer={writer} />
        {!isNote && <FileTray draft={draftFiles} />}
        <textarea
          ref={field}
          {...editor.props}
          onKeyDown={onKeyDown}
          onPaste={isNote ? undefined : (event) => pasteFiles(event, draftFiles.add)}
          rows={1}
          dir="auto"
          aria-label={isNote ? t('Note') : t('Message')}
          aria-describedby={`${noticeId} ${listId}-hint`}
          aria-invalid={isTooLong || undefined}
          aria-autocomplete="list"
          aria-controls={listed ? listId : undefined}
          aria-activedescendant={listed ? `${listId}-${listed.active}` : undefined}
          placeholder={isNote ? t('Write a note. Only your team sees this.') : t('Type your message...')}
          className="block min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-base outline-none sm:text-sm"
        />
        <div className="flex flex-wrap items-center gap-0.5 p-1.5 pt-0">
          <ModeSwitch mode={mode} onMode={switchMode} />
          {!isNote && <AttachButton onFiles={draftFiles.add} />}
          <EmojiButton field={field} onChoose={editor.insert} />
          {!isNote && <FormatButtons onFormat={onFormat} />}
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
          {canWrite && (
            <WriterMenu writer={writer} isNote={isNote} isEmpty={text === ''} className={TOUCH_SIZE} field={field} />
          )}
          <span id={`${listId}-hint`} className="min-w-0 flex-1 px-1 text-end text-xs text-muted">
            <LengthHint length={text.length} />
          </span>
          <IconButton
            label={isNote ? t('Add note') : t('Send')}
            type="submit"
            size="sm"
            disabled={isEmpty || isTooLong || isLocked || writer.isWriting}
            className={cx(TOUCH_SIZE, isNote ? 'text-waiting!' : 'text-accent hover:text-accent-strong!')}
          >
            <SendHorizontal size={18} aria-hidden className="rtl:-scale-x-100" />
          </IconButton>
        </div>
      </div>
    </form>
  );
}
