import { CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { NotificationSettings } from 'server/contract';
import { useSettings } from '#features/settings';
import { listed, msg, plural, t } from '../../lib/i18n.ts';
import { useSocket } from '../../lib/socket.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import type { Outcome } from './outcome.ts';
import { CHECKS, runChecks } from './run.ts';

/** /dashboard/self-check */
export default function SelfCheckPage() {
  const { data: settings, isPending, refetch } = useSettings();
  return (
    <div className="w-full max-w-7xl px-4 py-6 sm:p-8">
      <h1 className="text-2xl font-semibold">{t('Self-check')}</h1>
      <p className="pt-0.5 pb-6 text-muted">
        {t('Tests everything that tells you about visitors’ messages, on this device and on the server.')}
      </p>
      {settings && <Checks wanted={settings.notifications} />}
      {isPending && <Skeleton className="h-96 rounded-card!" />}
      {!isPending && !settings && (
        <ErrorState what={t('Your settings could not be loaded.')} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

function Checks({ wanted }: { wanted: NotificationSettings }) {
  const { socket, connected } = useSocket();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [running, setRunning] = useState(false);
  const run = async () => {
    setOutcomes(new Map());
    setRunning(true);
    const transport = socket && connected ? socket.io.engine.transport.name : null;
    try {
      await runChecks({ wanted, transport }, (name, outcome) =>
        setOutcomes((held) => new Map([...held, [name, outcome]])),
      );
    } finally {
      setRunning(false);
    }
  };
  const names = [...new Set([...CHECKS, ...outcomes.keys()])];
  const done = !running && outcomes.size > 0;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-4">
        <Button busy={running} onClick={run}>
          {running ? t('Checking...') : done ? t('Run it again') : t('Run the self-check')}
        </Button>
        <p role="status" className="text-muted">
          {done ? summaryOf([...outcomes.values()]) : t('It plays a sound, shows a notification and sends you a mail.')}
        </p>
      </div>
      <ul aria-label={t('Checks')} className="divide-y rounded-card border bg-surface">
        {names.map((name) => (
          <Row key={name} name={name} outcome={outcomes.get(name)} running={running} />
        ))}
      </ul>
    </>
  );
}

const LOOKS: Record<Outcome['state'], { icon: LucideIcon; word: string; className: string }> = {
  ok: { icon: CircleCheck, word: msg('OK|state'), className: 'text-success' },
  attention: { icon: TriangleAlert, word: msg('Attention'), className: 'text-waiting' },
  failed: { icon: CircleX, word: msg('Failed'), className: 'text-danger' },
};

interface RowProps {
  name: string;
  outcome: Outcome | undefined;
  running: boolean;
}

function Row({ name, outcome, running }: RowProps) {
  const look = outcome && LOOKS[outcome.state];
  const Icon = look?.icon ?? CircleDashed;
  return (
    <li className="flex items-start gap-3 px-4 py-3.5 sm:px-5">
      <span className={look?.className ?? 'text-muted'}>
        {running && !look ? <Spinner size={18} /> : <Icon size={18} aria-hidden className="mt-px" />}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span dir="auto" className="font-medium wrap-anywhere">
            {t(name)}
          </span>
          {look && <span className={`text-xs font-medium ${look.className}`}>{t(look.word)}</span>}
        </p>
        {outcome && (
          <p className="wrap-anywhere text-muted">
            {outcome.says}{' '}
            {outcome.way && (
              <Link to={outcome.way.to} className="font-medium whitespace-nowrap text-accent hover:underline">
                {t(outcome.way.label)}
              </Link>
            )}
          </p>
        )}
      </div>
    </li>
  );
}

function summaryOf(outcomes: readonly Outcome[]): string {
  const count = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state).length;
  const [failed, attention] = [count('failed'), count('attention')];
  if (failed + attention === 0) return t('All is well.');
  const parts = [
    failed > 0 && plural(failed, '{count} failed', '{count} failed'),
    attention > 0 && plural(attention, '{count} to check', '{count} to check'),
    plural(count('ok'), '{count} fine.', '{count} fine.'),
  ];
  return listed(parts.filter((part) => part !== false));
}
