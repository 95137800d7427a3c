import { cx } from '../../../lib/cx.ts';

/** To whom one writes: to the visitor, or to the team alone. */
export type Mode = 'reply' | 'note';

const MODES: readonly { mode: Mode; label: string; look: string }[] = [
  { mode: 'reply', label: 'Reply', look: 'bg-accent-soft text-accent-strong' },
  { mode: 'note', label: 'Note', look: 'bg-waiting text-surface' },
];

/** Chooses whom the words are for. */
export function Modes({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  return (
    <fieldset aria-label="Write a" className="mr-1 flex shrink-0 gap-0.5">
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
          {each.label}
        </button>
      ))}
    </fieldset>
  );
}
