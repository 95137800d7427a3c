import { Check, CheckCheck } from 'lucide-react';
import { cx } from '../../lib/cx.ts';
import { AGENT, type Line, type Scene, VISITOR } from './demoScript.ts';

/** Whose side of the conversation it is. */
interface Side {
  scene: Scene;
  own: Line['from'];
}

/** What was said so far, as one side sees it. */
export function DemoThread({ scene, own }: Side) {
  return (
    <div className={cx('flex flex-col gap-2 p-3', own === 'agent' && 'min-h-0 flex-1 overflow-hidden')}>
      {scene.lines.map((line) => (
        <Bubble key={line.text} line={line} own={line.from === own} />
      ))}
      {scene.typing && scene.typing !== own && (
        <p className="animate-fade text-xs text-muted">{scene.typing === 'agent' ? AGENT : VISITOR} is typing…</p>
      )}
    </div>
  );
}

/** Where one writes: what this side is typing, else what it is for. */
export function DemoComposer({ scene, own, children }: Side & { children: string }) {
  const draft = scene.typing === own ? scene.draft : null;
  return (
    <p className={cx('mx-3 mb-3 truncate rounded-control border px-3 py-2', !draft && 'text-muted')}>
      {draft ?? children}
    </p>
  );
}

function Bubble({ line, own }: { line: Line; own: boolean }) {
  return (
    <div className={cx('flex max-w-[85%] animate-enter flex-col gap-0.5', own ? 'items-end self-end' : 'self-start')}>
      <p
        className={cx(
          'rounded-bubble px-3 py-2',
          own ? 'rounded-br-small bg-accent-soft' : 'rounded-bl-small border bg-surface',
        )}
      >
        {line.text}
      </p>
      {own && (
        <span className={cx('inline-flex items-center gap-1 text-xs', line.read ? 'text-accent' : 'text-muted')}>
          {line.read ? <CheckCheck size={13} /> : <Check size={13} />} {line.read ? 'Read' : 'Sent'}
        </span>
      )}
    </div>
  );
}
