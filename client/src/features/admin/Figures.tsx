import type { ReactNode } from 'react';
import type { BackupReport, NodeProblem, PlatformFigures } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { formatBytes, formatCount, formatDayTime, formatMonthDay } from '../../lib/format.ts';
import { listed, msg, plural, t } from '../../lib/i18n.ts';
import { ChartCard } from '../../ui/charts/ChartCard.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useFigures } from './api.ts';

export function Figures() {
  const { data: figures, isPending, refetch } = useFigures();
  if (figures) {
    return (
      <>
        <Cards figures={figures} />
        {figures.nodes.length > 1 && <Nodes nodes={figures.nodes} />}
        <ChartCard
          kind="bars"
          title={t('Chats per day')}
          unit={t('Chats')}
          empty={t('No chats in these days')}
          values={figures.perDay.map(({ day, chats }) => ({ at: day, value: chats }))}
          words={(chats) => plural(chats, '{count} chat', '{count} chats')}
          isWhole
        />
      </>
    );
  }
  if (isPending) return <Skeleton className="h-80 rounded-card!" />;
  return (
    <div className="rounded-card border bg-surface">
      <ErrorState what={t('The figures could not be loaded.')} onRetry={() => void refetch()} />
    </div>
  );
}

function Cards({ figures }: { figures: PlatformFigures }) {
  const { accounts, sites, messages, sockets, storage, backups, version, startedAt } = figures;
  const { disk } = storage;
  const engine = storage.engine === 'embedded' ? t('in the embedded store') : t('in MongoDB');
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-card border bg-surface lg:grid-cols-3">
      <Fact label={t('Accounts')} value={formatCount(accounts)} />
      <Fact label={t('Websites')} value={formatCount(sites)} />
      <Fact label={t('Messages')} value={formatCount(messages)} />
      <Fact
        label={t('Open connections')}
        value={formatCount(sockets.dashboards + sockets.widgets)}
        note={listed([
          plural(sockets.dashboards, '{count} dashboard', '{count} dashboards'),
          plural(sockets.widgets, '{count} widget', '{count} widgets'),
        ])}
      />
      <Fact label={t('Storage')} value={formatBytes(storage.bytes)} note={engine}>
        <Disk disk={disk} />
      </Fact>
      <Fact label={t('Version')} value={version} note={t('running since {day}', { day: formatMonthDay(startedAt) })} />
      {storage.engine === 'embedded' && <BackupFact report={backups} />}
    </dl>
  );
}

/** The automatic backups: whether there are any, and whether the last try succeeded. */
function BackupFact({ report }: { report: BackupReport | null }) {
  if (!report)
    return <Fact label={t('Backups')} value={t('Off')} note={t('BACKUP_DIR switches daily backups on')} wide />;
  const { last, count, keep, failure } = report;
  const kept = t('{count} of at most {keep} kept', { count, keep });
  return (
    <Fact
      label={t('Backups')}
      value={last ? formatDayTime(last.at) : t('None yet')}
      note={last ? t('{size}, checked, {kept}', { size: formatBytes(last.bytes), kept }) : kept}
      wide
    >
      {failure && (
        <span className="block pt-1 text-xs text-danger wrap-anywhere">
          {t('Failed {time}: {reason}', { time: formatDayTime(failure.at), reason: t(failure.reason) })}
        </span>
      )}
    </Fact>
  );
}

const PROBLEMS: Record<NodeProblem, string> = {
  redis: msg('cannot reach Redis'),
  clock: msg('clock differs'),
  silent: msg('does not answer'),
  version: msg('another version'),
};

/** The processes that work together. The self-check says what to do about a problem. */
function Nodes({ nodes }: Pick<PlatformFigures, 'nodes'>) {
  return (
    <section aria-labelledby="nodes" className="flex flex-col gap-3">
      <h2 id="nodes" className="text-base font-semibold">
        {t('Nodes')}
      </h2>
      <ul aria-label={t('Nodes')} className="divide-y rounded-card border bg-surface">
        {nodes.map(({ address, version, startedAt, sockets, problems }) => (
          <li key={`${address} ${startedAt}`} className="flex flex-wrap justify-between gap-x-4 px-4 py-3 sm:px-5">
            <span className="address font-medium wrap-anywhere">{address}</span>
            <span className="text-xs text-muted">
              {[
                ...problems.map((problem) => t(PROBLEMS[problem])),
                plural(sockets.dashboards + sockets.widgets, '{count} connection', '{count} connections'),
                t('{version}, running since {day}', { version, day: formatMonthDay(startedAt) }),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FactProps {
  label: string;
  value: string;
  note?: string;
  /** Takes the whole row. */
  wide?: boolean;
  children?: ReactNode;
}

function Fact({ label, value, note, wide, children }: FactProps) {
  return (
    <div className={cx('-me-px -mb-px border-e border-b px-4 py-4 sm:px-5', wide && 'col-span-full')}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="pt-0.5">
        <span className="block text-xl font-semibold wrap-anywhere tabular-nums">{value}</span>
        {note && <span className="block text-xs text-muted">{note}</span>}
        {children}
      </dd>
    </div>
  );
}

/** How full the disk is; the notification bell warns of it, too. */
function Disk({ disk }: Pick<PlatformFigures['storage'], 'disk'>) {
  if (!disk)
    return (
      <span className="block pt-1 text-xs text-muted">
        {t('The database does not say how full its disk is, so nobody is warned before it is full. Watch it yourself.')}
      </span>
    );
  const { used, total } = disk;
  const percent = Math.floor((used / total) * 100);
  const text = t('Disk {percent} % full, {size} free', { percent, size: formatBytes(total - used) });
  return (
    <span className="flex flex-col gap-1.5 pt-2 text-xs text-muted">
      <Meter label={t('Disk')} percent={percent} text={text} />
      {text}
    </span>
  );
}
