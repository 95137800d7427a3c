import { CircleCheck, CircleDashed, CircleX, type LucideIcon } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { formatTime } from '../../lib/format.ts';
import { PublicLayout } from '../../shared/PublicLayout.tsx';
import { Button } from '../../ui/Button.tsx';

const ASK_EVERY_MS = 30_000;
const PATIENCE_MS = 10_000;

type State = 'asking' | 'ready' | 'not-ready' | 'unreachable';

interface Look {
  icon: LucideIcon;
  tone: string;
  title: string;
  text: string;
}

const LOOKS: Record<State, Look> = {
  asking: {
    icon: CircleDashed,
    tone: 'bg-closed-soft text-closed',
    title: 'Checking the server…',
    text: 'This takes a moment.',
  },
  ready: {
    icon: CircleCheck,
    tone: 'bg-success-soft text-success',
    title: 'Everything works',
    text: 'The server answers and can save messages.',
  },
  'not-ready': {
    icon: CircleX,
    tone: 'bg-danger-soft text-danger',
    title: 'Not ready',
    text: 'The server is running, but its database does not answer. New messages wait in the visitors’ browsers.',
  },
  unreachable: {
    icon: CircleX,
    tone: 'bg-danger-soft text-danger',
    title: 'No answer',
    text: 'The server could not be reached from here. It may be your connection.',
  },
};

/** /status: asks the server, again and again, whether it can do its work. */
export default function StatusPage() {
  const { state, at, ask } = useReadiness();
  const { icon: Icon, tone, title, text } = LOOKS[state];
  return (
    <PublicLayout>
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6">
        <h1 className="text-4xl font-semibold tracking-[-0.03em] sm:text-5xl">Status</h1>
        <section className="mt-8 flex max-w-2xl items-start gap-5 rounded-card border bg-surface p-6 max-sm:flex-col">
          <span className={`inline-flex size-11 shrink-0 items-center justify-center rounded-full ${tone}`}>
            <Icon size={22} aria-hidden />
          </span>
          <div role="status" className="flex-1">
            <h2 className="text-lg font-semibold">{title}</h2>
            <p className="text-muted">{text}</p>
            {at && <p className="pt-2 text-xs text-muted tabular-nums">Checked at {formatTime(at.toISOString())}</p>}
          </div>
          <Button variant="secondary" size="sm" onClick={ask}>
            Check again
          </Button>
        </section>
        <p className="max-w-prose pt-6 text-base text-muted">
          This page checks every half minute. Monitoring tools can request{' '}
          <a href="/readyz" className="underline hover:text-text">
            /readyz
          </a>{' '}
          themselves: it answers 200 when everything works, and 503 when it does not.
        </p>
      </div>
    </PublicLayout>
  );
}

function useReadiness(): { state: State; at: Date | null; ask: () => void } {
  const [answer, setAnswer] = useState<{ state: State; at: Date | null }>({ state: 'asking', at: null });
  const ask = useCallback(() => {
    void readiness().then((state) => setAnswer({ state, at: new Date() }));
  }, []);
  useEffect(() => {
    ask();
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [ask]);
  return { ...answer, ask };
}

async function readiness(): Promise<State> {
  try {
    const { ok, status } = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) });
    if (ok) return 'ready';
    // Anything else comes from something that stands before the server.
    return status === 503 ? 'not-ready' : 'unreachable';
  } catch {
    return 'unreachable';
  }
}
