import { useSingleKeyShortcuts } from '../../lib/preferences.ts';
import { Switch } from '../../ui/Switch.tsx';

/** Switches off the keys that do something by themselves; heeded at once, and on this computer only. */
export function SingleKeyShortcuts() {
  const [on, choose] = useSingleKeyShortcuts();
  return (
    <section aria-labelledby="keyboard" className="flex flex-col gap-3">
      <h2 id="keyboard" className="text-base font-semibold">
        Keyboard
      </h2>
      <div className="flex items-center justify-between gap-6 rounded-card border bg-surface p-4">
        <div className="min-w-0">
          <p className="font-medium">Single-key shortcuts</p>
          <p className="text-muted">
            Letters such as J, C and E act on their own. Switch them off on this computer if you press them by mistake,
            or speak to it. Press ? to see all keys.
          </p>
        </div>
        <Switch label="Single-key shortcuts" checked={on} onCheckedChange={choose} />
      </div>
    </section>
  );
}
