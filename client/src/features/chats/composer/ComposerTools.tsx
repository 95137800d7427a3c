import { FileText, Paperclip, Smile, X } from 'lucide-react';
import { type ChangeEvent, type RefObject, useRef, useState } from 'react';
import { MESSAGE_MAX_LENGTH } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { formatBytes, formatCount } from '../../../lib/format.ts';
import { msg, plural, t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import type { DraftFiles } from './draft.ts';
import type { Mode } from './mode.ts';

/** Small buttons are larger on touch screens. */
export const TOUCH_SIZE = 'pointer-coarse:size-10!';

const EmojiPanel = lazyPart(async () => (await import('./EmojiPanel.tsx')).EmojiPanel, {
  waiting: <EmojiLoading />,
});

const MODES: readonly { mode: Mode; label: string; look: string }[] = [
  { mode: 'reply', label: msg('Reply'), look: 'bg-accent-soft text-accent-strong' },
  { mode: 'note', label: msg('Note'), look: 'bg-waiting text-surface' },
];

/** Switches between reply and note. */
export function ModeSwitch({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  return (
    <fieldset aria-label={t('Write a')} className="me-1 flex shrink-0 gap-0.5">
      {MODES.map((each) => (
        <button
          key={each.mode}
          type="button"
          aria-pressed={mode === each.mode}
          onClick={() => onMode(each.mode)}
          className={cx(
            'h-8 rounded-control px-2.5 text-xs font-medium transition-colors',
            mode === each.mode ? each.look : 'text-muted hover:bg-text/5 hover:text-text',
          )}
        >
          {t(each.label)}
        </button>
      ))}
    </fieldset>
  );
}

/** The files of the next message, and why some were left out. */
export function FileTray({ draft }: { draft: DraftFiles }) {
  return (
    <>
      {draft.problem !== null && (
        <p role="alert" className="px-3.5 pt-2.5 text-xs font-medium wrap-anywhere text-danger">
          {draft.problem}
        </p>
      )}
      {draft.files.length > 0 && (
        <ul aria-label={t('Files to send')} className="flex max-h-32 flex-wrap gap-2 overflow-y-auto px-3 pt-3">
          {draft.files.map((file, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be chosen twice
              key={index}
              className="flex max-w-full items-center gap-2 rounded-control border bg-background py-0.5 pe-0.5 ps-2.5 text-xs"
            >
              <FileText size={16} aria-hidden className="shrink-0 text-muted" />
              <span dir="auto" className="max-w-48 min-w-0 truncate font-medium">
                {file.name}
              </span>
              <span className="shrink-0 text-muted tabular-nums">{formatBytes(file.size)}</span>
              <IconButton label={t('Remove {name}', { name: file.name })} size="sm" onClick={() => draft.remove(file)}>
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Opens the browser's file dialog. */
export function AttachButton({ onFiles }: { onFiles: DraftFiles['add'] }) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onFiles(target.files ?? []);
    // Else choosing the same file again would send no event.
    target.value = '';
  };
  return (
    <>
      <input ref={input} type="file" multiple hidden aria-label={t('Files')} onChange={onChange} />
      <IconButton label={t('Attach files')} size="sm" className={TOUCH_SIZE} onClick={() => input.current?.click()}>
        <Paperclip size={18} aria-hidden />
      </IconButton>
    </>
  );
}

interface EmojiButtonProps {
  /** Gets the focus when the picker closes. */
  field: RefObject<HTMLElement | null>;
  onChoose: (emoji: string) => void;
}

/** Opens the emoji picker, whose code and data are loaded with its first use. */
export function EmojiButton({ field, onChoose }: EmojiButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={t('Emoji')}
      open={open}
      onOpenChange={setOpen}
      returnTo={field}
      trigger={
        <IconButton label={t('Emoji')} size="sm">
          <Smile size={18} aria-hidden />
        </IconButton>
      }
    >
      <EmojiPanel
        onChoose={(emoji) => {
          setOpen(false);
          onChoose(emoji);
        }}
      />
    </Popover>
  );
}

function EmojiLoading() {
  return <p className="flex h-80 items-center justify-center text-muted">{t('Loading…')}</p>;
}

/** From this length on the characters that are left are shown. */
const COUNT_FROM = MESSAGE_MAX_LENGTH - 200;

/** The hint about Enter, or near the limit how many characters are left. */
export function LengthHint({ length }: { length: number }) {
  const over = length - MESSAGE_MAX_LENGTH;
  if (length <= COUNT_FROM)
    return <span className="@max-2xl:hidden">{t('Enter sends, Shift+Enter begins a new line')}</span>;
  if (over <= 0)
    return (
      <span className="tabular-nums">
        {plural(MESSAGE_MAX_LENGTH - length, '{count} character left', '{count} characters left')}
      </span>
    );
  return (
    <span role="alert" className="font-medium text-danger tabular-nums">
      {plural(
        over,
        '{count} character too long. A message has at most {max}.',
        '{count} characters too long. A message has at most {max}.',
        { max: formatCount(MESSAGE_MAX_LENGTH) },
      )}
    </span>
  );
}
