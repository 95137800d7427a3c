import { Pause, Play, RotateCcw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { DemoInbox } from './DemoInbox.tsx';
import { DemoSite } from './DemoSite.tsx';
import { AGENT, FIRST_PICTURE, SCRIPT, sceneAfter, VISITOR } from './demoScript.ts';

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
          <DemoSite scene={scene} />
        </Side>
        <Side title="Your inbox">
          <DemoInbox scene={scene} />
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
