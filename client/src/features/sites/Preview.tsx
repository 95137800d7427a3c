import { MessageCircle, SendHorizontal, X } from 'lucide-react';
import { useState } from 'react';
import { CUSTOMIZATION_DEFAULTS, type Customization } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { paintOf } from './paint.ts';

const HEX = /^#[0-9a-f]{6}$/i;

/** A drawing of the widget with these colours and words. */
export function Preview({ look }: { look: Customization }) {
  const [away, setAway] = useState(false);
  const paint = paintOf(HEX.test(look.color) ? look.color : CUSTOMIZATION_DEFAULTS.color);
  const side = look.position === 'left' ? 'self-start' : 'self-end';
  return (
    <section aria-label="Preview" className="flex flex-col gap-3">
      <div className="flex items-center justify-between">
        <h2 className="font-medium">Preview</h2>
        <button
          type="button"
          aria-pressed={away}
          onClick={() => setAway(!away)}
          className="rounded-small text-xs font-medium text-muted hover:text-text"
        >
          {away ? 'Show it online' : 'Show it offline'}
        </button>
      </div>
      <div className="flex flex-col gap-3 rounded-card border bg-background p-4">
        <div className={cx('flex w-full max-w-72 flex-col overflow-hidden rounded-card border bg-surface', side)}>
          <div className="flex items-center justify-between gap-3 px-4 py-3" style={paint}>
            <div className="min-w-0">
              <p dir="auto" className="truncate font-semibold">
                {look.navbarTitle || ' '}
              </p>
              <p className="text-xs">{away ? 'Offline' : 'Online'}</p>
            </div>
            <X size={16} aria-hidden className="shrink-0" />
          </div>
          <div className="flex min-h-44 flex-col gap-2 p-4">
            <p
              dir="auto"
              className="max-w-[85%] self-start rounded-bubble rounded-bl-small border bg-background px-3 py-2 wrap-anywhere"
            >
              {(away ? look.offlineMessage : look.welcomeMessage) || ' '}
            </p>
            <p className="max-w-[85%] self-end rounded-bubble rounded-br-small px-3 py-2 wrap-anywhere" style={paint}>
              Hi, I have a question.
            </p>
          </div>
          <div className="flex items-center justify-between border-t px-4 py-3 text-muted">
            Write a message
            <SendHorizontal size={16} aria-hidden />
          </div>
        </div>
        <span className={cx('inline-flex size-12 items-center justify-center rounded-full', side)} style={paint}>
          <MessageCircle size={22} aria-hidden />
        </span>
      </div>
      <p className="text-xs text-muted">A drawing. The widget itself follows as soon as you save.</p>
    </section>
  );
}
