import { useState } from 'react';
import type { NotificationSettings } from 'server/contract';
import { useSettings } from '#features/settings';
import { useAuth } from '../../lib/auth.tsx';
import { listed, plural, t } from '../../lib/i18n.ts';
import { useSocket } from '../../lib/socket.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { AnswersByMail } from './AnswersByMail.tsx';
import type { Outcome } from './outcome.ts';
import { Row } from './Row.tsx';
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
  const { user } = useAuth();
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
        {user?.role === 'parley_admin' && <AnswersByMail />}
      </ul>
    </>
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
