import { Bold, Code, Italic, Link, List } from 'lucide-react';
import { msg, t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { Format } from './formatting.ts';

const FORMATS: readonly { format: Format; icon: typeof Bold; label: string }[] = [
  { format: 'bold', icon: Bold, label: msg('Bold') },
  { format: 'italic', icon: Italic, label: msg('Italic') },
  { format: 'list', icon: List, label: msg('List') },
  { format: 'code', icon: Code, label: msg('Code') },
  { format: 'link', icon: Link, label: msg('Named link') },
];

/** The formatting of the selected text. A phone has no room for it, and no keys: there, the signs can be typed. */
export function FormatButtons({ onFormat }: { onFormat: (format: Format) => void }) {
  return (
    <fieldset aria-label={t('Formatting')} className="flex shrink-0 max-sm:hidden @max-md:order-last @max-md:w-full">
      {FORMATS.map(({ format, icon: Icon, label }) => (
        <IconButton
          key={format}
          label={t(label)}
          size="sm"
          // Else the field would lose its selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onFormat(format)}
        >
          <Icon size={16} aria-hidden />
        </IconButton>
      ))}
    </fieldset>
  );
}
