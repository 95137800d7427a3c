import { cx } from '../../lib/cx.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { DemoComposer, DemoThread } from './DemoThread.tsx';
import { type Scene, VISITOR } from './demoScript.ts';

const STATES = {
  waiting: <Badge tone="waiting">Waiting</Badge>,
  active: <Badge tone="success">Active</Badge>,
  closed: <Badge tone="closed">Closed</Badge>,
};

/** The same conversation in the team's inbox. */
export function DemoInbox({ scene }: { scene: Scene }) {
  const last = scene.lines.at(-1)?.text ?? '';
  return (
    <div className="grid h-full lg:grid-cols-[15rem_1fr]">
      <div className="border-r max-lg:hidden">
        <p className="flex h-14 items-center border-b px-4 font-semibold">Chat Inbox</p>
        {scene.lines.length > 0 && <Row name={VISITOR} text={last} state={stateOf(scene)} chosen />}
        <Row name="Tom Keller" text="Thanks, it arrived today." state="active" />
        <Row name="Anonymous" text="Do you ship to Norway?" state="closed" />
        <Row name="Priya Nair" text="I will try that and write again." state="closed" />
      </div>
      {scene.lines.length > 0 ? (
        <Conversation scene={scene} />
      ) : (
        <p className="m-auto px-4 text-center text-muted">Select a chat to start messaging</p>
      )}
    </div>
  );
}

function Conversation({ scene }: { scene: Scene }) {
  return (
    <div className="flex min-h-0 min-w-0 flex-col">
      <div className="flex h-14 shrink-0 items-center gap-2.5 border-b px-4">
        <Avatar name={VISITOR} />
        <span className="mr-auto min-w-0">
          <span className="block truncate leading-5 font-medium">{VISITOR}</span>
          <span className="block truncate text-xs text-muted">On ‘Oak desk’, oakandline.example</span>
        </span>
        {scene.claimed ? (
          STATES.active
        ) : (
          <span className="rounded-control bg-accent px-3 py-1 font-medium text-on-accent">Claim</span>
        )}
      </div>
      <p className="flex items-center gap-3 px-4 pt-4 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        Today
      </p>
      <DemoThread scene={scene} own="agent" />
      <DemoComposer scene={scene} own="agent">
        Write a message…
      </DemoComposer>
    </div>
  );
}

const stateOf = ({ claimed }: Scene) => (claimed ? 'active' : 'waiting');

interface RowProps {
  name: string;
  text: string;
  state: keyof typeof STATES;
  chosen?: boolean;
}

function Row({ name, text, state, chosen }: RowProps) {
  return (
    <div className={cx('flex gap-2.5 border-b px-3 py-3', chosen && 'animate-enter bg-accent-soft')}>
      <Avatar name={name} />
      <div className="min-w-0 flex-1">
        <div className="flex items-center justify-between gap-2">
          <span className="truncate font-medium">{name}</span>
          {STATES[state]}
        </div>
        <p className="truncate text-xs text-muted">{text}</p>
      </div>
    </div>
  );
}
