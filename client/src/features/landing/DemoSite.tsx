import { DemoComposer, DemoThread } from './DemoThread.tsx';
import type { Scene } from './demoScript.ts';

/** A shop's page, with the widget open in its corner. */
export function DemoSite({ scene }: { scene: Scene }) {
  return (
    <div className="relative h-full bg-background">
      <div className="flex h-9 items-center gap-1.5 border-b bg-surface px-3">
        <span className="size-2 rounded-full bg-line" />
        <span className="size-2 rounded-full bg-line" />
        <span className="size-2 rounded-full bg-line" />
        <span className="ml-2 rounded-small bg-background px-2 text-xs text-muted">oakandline.example</span>
      </div>
      <div className="px-5 pt-4">
        <p className="text-lg font-semibold">Oak desk</p>
        <p className="text-muted">Solid oak, oiled by hand</p>
        <Desk />
      </div>
      <div className="absolute right-3 bottom-3 flex h-76 w-[min(17rem,calc(100%-1.5rem))] flex-col overflow-hidden rounded-card border bg-raised shadow-float">
        <p className="flex h-12 shrink-0 items-center gap-2.5 border-b bg-surface px-3 font-semibold">
          <span className="size-7 rounded-full bg-accent" />
          Chat with us
        </p>
        <div className="flex min-h-0 flex-1 flex-col justify-end overflow-hidden">
          <p className="mx-3 max-w-[85%] shrink-0 self-start rounded-bubble rounded-bl-small border px-3 py-2">
            Hello! How can we help you today?
          </p>
          <DemoThread scene={scene} own="visitor" />
        </div>
        <DemoComposer scene={scene} own="visitor">
          Type your message…
        </DemoComposer>
      </div>
    </div>
  );
}

/** What the visitor is looking at. */
function Desk() {
  return (
    <svg viewBox="0 0 320 230" className="mt-4 w-full max-w-sm" aria-hidden="true">
      <rect width="320" height="230" rx="10" className="fill-line/60" />
      <path d="M0 178h320v42a10 10 0 0 1-10 10H10a10 10 0 0 1-10-10Z" className="fill-line" />
      <path d="M34 96 24 196M62 96l-2 100" className="stroke-muted" strokeWidth="5" strokeLinecap="round" />
      <path d="M286 96l10 100M258 96l2 100" className="stroke-muted" strokeWidth="5" strokeLinecap="round" />
      <rect x="16" y="82" width="288" height="14" rx="4" className="fill-waiting/70" />
      <rect x="52" y="96" width="96" height="26" rx="3" className="fill-waiting/50" />
      <circle cx="100" cy="109" r="3" className="fill-surface" />
      <path d="M44 82V58a13 13 0 0 1 26 0v24Z" className="fill-success/50" />
      <path
        d="M57 58c-16-14-14-30-3-38 5 12 6 24 3 38Zm0 0c2-16 12-22 22-20-2 11-9 18-22 20Z"
        className="fill-success/70"
      />
    </svg>
  );
}
