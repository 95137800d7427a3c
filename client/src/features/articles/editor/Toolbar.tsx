import {
  Bold,
  Code,
  Heading2,
  ImagePlus,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  StickyNote,
  Table,
} from 'lucide-react';
import { Toolbar as Radix } from 'radix-ui';
import { type ChangeEvent, type KeyboardEvent, type RefObject, useRef } from 'react';
import { direction, facts, msg, t } from '../../../lib/i18n.ts';
import { isMac } from '../../../lib/keyboard.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import {
  applyEdit,
  code,
  type Edit,
  link,
  nextLine,
  note,
  prefixed,
  type Selected,
  table,
  wrapped,
} from './markdown.ts';

interface Tool {
  label: string;
  icon: LucideIcon;
  edit: (selected: Selected) => Edit;
  /** With Ctrl, or ⌘ on a Mac. */
  key?: string;
}

const TOOLS: readonly Tool[] = [
  { label: msg('Bold'), icon: Bold, key: 'b', edit: (selected) => wrapped(selected, '**') },
  { label: msg('Italic'), icon: Italic, key: 'i', edit: (selected) => wrapped(selected, '*') },
  { label: msg('Heading'), icon: Heading2, edit: (selected) => prefixed(selected, () => '## ') },
  { label: msg('List'), icon: List, edit: (selected) => prefixed(selected, () => '- ') },
  { label: msg('Numbered list'), icon: ListOrdered, edit: (selected) => prefixed(selected, (line) => `${line + 1}. `) },
  { label: msg('Link'), icon: Link, key: 'k', edit: (selected) => link(selected, t('words of the link')) },
  { label: msg('Code'), icon: Code, key: 'e', edit: code },
  { label: msg('Table'), icon: Table, edit: (selected) => table(selected, [t('First column'), t('Second column')]) },
  { label: msg('Note'), icon: StickyNote, edit: (selected) => note(selected, t('Note')) },
];

interface ToolbarProps {
  field: RefObject<HTMLTextAreaElement | null>;
  onPictures: (files: Iterable<File>) => void;
}

/** What formats the text in a field, and adds pictures. */
export function Toolbar({ field, onPictures }: ToolbarProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onPictures(target.files ?? []);
    // Without this, choosing the same file again sends no event.
    target.value = '';
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label={t('Pictures to add')}
        onChange={choose}
      />
      <Radix.Root
        dir={direction()}
        aria-label={t('Formatting')}
        className="flex gap-0.5 overflow-x-auto border-b px-1.5 py-1"
      >
        {TOOLS.map(({ label, icon: Icon, key, edit }) => (
          <Radix.Button key={label} asChild>
            <IconButton
              label={key ? facts(t(label), isMac() ? `⌘${key.toUpperCase()}` : `Ctrl+${key.toUpperCase()}`) : t(label)}
              size="sm"
              onClick={() => field.current && applyEdit(field.current, edit(selectedIn(field.current)))}
            >
              <Icon size={16} aria-hidden />
            </IconButton>
          </Radix.Button>
        ))}
        <Radix.Button asChild>
          <IconButton label={t('Picture')} size="sm" onClick={() => input.current?.click()}>
            <ImagePlus size={16} aria-hidden />
          </IconButton>
        </Radix.Button>
      </Radix.Root>
    </>
  );
}

function selectedIn({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selected {
  return { value, start: selectionStart, end: selectionEnd };
}

/** The keys of the tools, and Enter in a list. */
export function onFormattingKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, currentTarget } = event;
  const isCommand = (isMac() ? metaKey : ctrlKey) && !altKey && !shiftKey;
  const tool = isCommand ? TOOLS.find((each) => each.key === key.toLowerCase()) : undefined;
  const isEnter = key === 'Enter' && !ctrlKey && !metaKey && !altKey && !shiftKey;
  const edit = tool?.edit(selectedIn(currentTarget)) ?? (isEnter ? nextLine(selectedIn(currentTarget)) : null);
  if (!edit) return;
  event.preventDefault();
  applyEdit(currentTarget, edit);
}
