import { Check, CheckCheck, Pause, Play, RotateCcw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { AGENT, FIRST_PICTURE, type Line, SCRIPT, type Scene, sceneAfter, VISITOR } from './script.ts';

const STORY = `A visitor, ${VISITOR}, asks a question in the widget of a shop. It shows in the inbox at once; ${AGENT} claims the chat and answers, and the visitor reads the answer right away.`;

/** The product at work: one scripted conversation, seen from the visitor's page and from the team's inbox. */
export function Demo() {
  const [beat, setBeat] = useState(FIRST_PICTURE);
  const [playing, setPlaying] = useState(true);
  const over = beat >= SCRIPT.length;
  const scene = sceneAfter(beat);

  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) setBeat(SCRIPT.length);
  }, []);
  useEffect(() => {
    const next = SCRIPT[beat];
    if (!playing || !next) return;
    const timer = setTimeout(() => setBeat(beat + 1), next.afterMs);
    return () => clearTimeout(timer);
  }, [beat, playing]);

  const press = () => {
    if (!over) return setPlaying(!playing);
    setBeat(0);
    setPlaying(true);
  };
  const [Icon, label] = over ? [RotateCcw, 'Play again'] : playing ? [Pause, 'Pause'] : [Play, 'Play'];

  return (
    <figure className="pt-12">
      <figcaption className="sr-only">{STORY}</figcaption>
      <div aria-hidden className="grid gap-x-6 gap-y-8 select-none md:grid-cols-[19rem_1fr] lg:grid-cols-[25rem_1fr]">
        <Side title="Your website">
          <Page scene={scene} />
        </Side>
        <Side title="Your inbox">
          <Inbox scene={scene} />
        </Side>
      </div>
      <div className="flex justify-end pt-2">
        <Button variant="ghost" size="sm" onClick={press}>
          <Icon size={14} aria-hidden /> {label}
        </Button>
      </div>
    </figure>
  );
}

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="pb-2 font-medium text-muted">{title}</p>
      <div className="h-[27rem] overflow-hidden rounded-card border bg-surface shadow-float">{children}</div>
    </div>
  );
}

function Inbox({ scene }: { scene: Scene }) {
  const last = scene.lines.at(-1)?.text ?? '';
  const state = scene.claimed ? 'active' : 'waiting';
  return (
    <div className="grid h-full lg:grid-cols-[15rem_1fr]">
      <div className="border-r max-lg:hidden">
        <p className="flex h-12 items-center border-b px-4 font-semibold">Chat Inbox</p>
        {scene.lines.length > 0 && <Row name={VISITOR} text={last} state={state} chosen />}
        <Row name="Tom Keller" text="Thanks, it arrived today." state="active" />
        <Row name="Anonymous" text="Do you ship to Norway?" state="closed" />
        <Row name="Priya Nair" text="I will try that and write again." state="closed" />
      </div>
      {scene.lines.length > 0 ? (
        <div className="flex min-h-0 min-w-0 flex-col">
          <div className="flex h-12 items-center gap-2.5 border-b px-4">
            <Avatar name={VISITOR} size="sm" />
            <span className="mr-auto truncate font-medium">{VISITOR}</span>
            {scene.claimed ? (
              STATES.active
            ) : (
              <span className="rounded-control bg-accent px-3 py-1 font-medium text-on-accent">Claim</span>
            )}
          </div>
          <Thread scene={scene} own="agent" />
          <Composer>Write a message…</Composer>
        </div>
      ) : (
        <p className="m-auto px-4 text-center text-muted">Select a chat to start messaging</p>
      )}
    </div>
  );
}

function Composer({ children }: { children: string }) {
  return <p className="mx-3 mb-3 truncate rounded-control border px-3 py-2 text-muted">{children}</p>;
}

const STATES = {
  waiting: <Badge tone="waiting">Waiting</Badge>,
  active: <Badge tone="success">Active</Badge>,
  closed: <Badge tone="closed">Closed</Badge>,
};

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

/** A shop's page, in outlines, with the widget open in its corner. */
function Page({ scene }: { scene: Scene }) {
  return (
    <div className="relative h-full bg-background">
      <div className="flex h-9 items-center gap-1.5 border-b bg-surface px-3">
        <span className="size-2 rounded-full bg-line" />
        <span className="size-2 rounded-full bg-line" />
        <span className="size-2 rounded-full bg-line" />
        <span className="ml-2 rounded-small bg-background px-2 text-xs text-muted">oakandline.example</span>
      </div>
      <div className="p-5">
        <p className="text-lg font-semibold">Oak desk</p>
        <p className="text-muted">Solid oak, oiled by hand</p>
        <div className="mt-4 grid grid-cols-2 gap-3">
          <span className="h-56 rounded-control bg-line" />
          <span className="flex flex-col gap-2">
            <span className="h-2.5 rounded-full bg-line" />
            <span className="h-2.5 w-4/5 rounded-full bg-line" />
            <span className="h-2.5 w-3/5 rounded-full bg-line" />
          </span>
        </div>
      </div>
      <div className="absolute right-3 bottom-3 flex h-76 w-[min(17rem,calc(100%-1.5rem))] flex-col overflow-hidden rounded-card border bg-raised shadow-float">
        <p className="flex h-12 shrink-0 items-center bg-accent px-4 font-semibold text-on-accent">Chat with us</p>
        <div className="flex min-h-0 flex-1 flex-col justify-end overflow-hidden">
          <p className="mx-3 max-w-[85%] shrink-0 self-start rounded-bubble rounded-bl-small border px-3 py-2">
            Hello! How can we help you today?
          </p>
          <Thread scene={scene} own="visitor" />
        </div>
        <Composer>Type your message…</Composer>
      </div>
    </div>
  );
}

function Thread({ scene, own }: { scene: Scene; own: Line['from'] }) {
  return (
    <div className={cx('flex flex-col justify-end gap-2 p-3', own === 'agent' && 'min-h-0 flex-1 overflow-hidden')}>
      {scene.lines.map((line) => (
        <Bubble key={line.text} line={line} own={line.from === own} />
      ))}
      {scene.typing && scene.typing !== own && (
        <p className="animate-fade text-xs text-muted">{scene.typing === 'agent' ? AGENT : VISITOR} is typing…</p>
      )}
    </div>
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
