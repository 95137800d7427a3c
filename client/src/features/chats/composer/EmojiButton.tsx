import { Smile } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { IconButton } from '../../../ui/IconButton.tsx';
import { onDemand } from '../../../ui/onDemand.ts';
import { Popover } from '../../../ui/Popover.tsx';

const panel = onDemand(() => import('./EmojiPanel.tsx'));

interface EmojiProps {
  /** Gets the focus when the picker is left. */
  field: RefObject<HTMLElement | null>;
  onChoose: (emoji: string) => void;
}

/** A button that opens all emoji; they and the picker come when somebody first reaches for them. */
export function Emoji({ field, onChoose }: EmojiProps) {
  const [open, setOpen] = useState(false);
  const loaded = panel.usePart(open);
  return (
    <Popover
      label="Emoji"
      open={open}
      onOpenChange={setOpen}
      returnTo={field}
      trigger={
        <IconButton label="Emoji" size="sm">
          <Smile size={18} aria-hidden />
        </IconButton>
      }
    >
      {loaded ? (
        <loaded.EmojiPanel
          onChoose={(emoji) => {
            setOpen(false);
            onChoose(emoji);
          }}
        />
      ) : (
        <p className="flex h-80 items-center justify-center text-muted">Loading…</p>
      )}
    </Popover>
  );
}
