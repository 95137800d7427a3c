import { AlignLeft, Languages, PenLine, Smile, Sparkles, Text } from 'lucide-react';
import type { RefObject } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { DropdownMenu, MenuItem } from '../../../ui/DropdownMenu.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import type { Writer } from './writer.ts';

interface WriterMenuProps {
  writer: Writer;
  isNote: boolean;
  isEmpty: boolean;
  className: string;
  /** Gets the focus when the menu closes. */
  field: RefObject<HTMLElement | null>;
}

/** What the assistant can write into the field. */
export function WriterMenu({ writer: { write }, isNote, isEmpty, className, field }: WriterMenuProps) {
  return (
    <DropdownMenu
      label={t('Assistant')}
      returnTo={field}
      trigger={
        <IconButton label={t('Assistant')} size="sm" className={className}>
          <Sparkles size={18} aria-hidden />
        </IconButton>
      }
    >
      {isNote ? (
        <MenuItem icon={<AlignLeft size={16} aria-hidden />} onSelect={() => void write('summary')}>
          {t('Summarize the chat')}
        </MenuItem>
      ) : (
        <MenuItem icon={<PenLine size={16} aria-hidden />} onSelect={() => void write('draft')}>
          {t('Draft an answer')}
        </MenuItem>
      )}
      {!isEmpty && (
        <>
          <MenuItem icon={<Text size={16} aria-hidden />} onSelect={() => void write('shorter')}>
            {t('Make it shorter')}
          </MenuItem>
          <MenuItem icon={<Smile size={16} aria-hidden />} onSelect={() => void write('friendlier')}>
            {t('Make it friendlier')}
          </MenuItem>
        </>
      )}
      {!isEmpty && !isNote && (
        <MenuItem icon={<Languages size={16} aria-hidden />} onSelect={() => void write('translate-for-visitor')}>
          {t('Translate for the visitor')}
        </MenuItem>
      )}
    </DropdownMenu>
  );
}

/** What the assistant is doing in the field, or has done. */
export function WriterStatus({ writer: { isWriting, stop, takeBack } }: { writer: Writer }) {
  return (
    <div role="status">
      {(isWriting || takeBack) && (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3.5 py-1.5 text-xs text-muted">
          {isWriting ? <Spinner size={14} /> : <Sparkles size={14} aria-hidden className="shrink-0" />}
          <span className="min-w-0 flex-1">
            {isWriting ? t('The assistant writes…') : t('Written by the assistant. Read it before you send it.')}
          </span>
          <Button
            variant="ghost"
            size="sm"
            className="h-7! px-2! text-xs! pointer-coarse:h-10!"
            onClick={isWriting ? stop : (takeBack ?? undefined)}
          >
            {isWriting ? t('Stop') : t('Undo')}
          </Button>
        </p>
      )}
    </div>
  );
}
