import type { ReactNode } from 'react';
import type { PlatformFigures } from 'server/contract';
import { bytesText } from '../../lib/bytes.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useFigures } from './api.ts';
import { counted, countText, dayText } from './words.ts';

/** The numbers and the days need the rest. */
const BAR_MAX_PERCENT = 70;

/** What the instance holds and carries right now. */
export function Figures() {
  const { data: figures, isPending, refetch } = useFigures();
  if (figures) {
    return (
      <>
        <Cards figures={figures} />
        <ChatsPerDay perDay={figures.perDay} />
      </>
    );
  }
  if (isPending) return <Skeleton className="h-80 rounded-card!" />;
  return (
    <div className="rounded-card border bg-surface">
      <ErrorState what="The figures could not be loaded." onRetry={() => void refetch()} />
    </div>
  );
}

function Cards({ figures }: { figures: PlatformFigures }) {
  const { accounts, sites, messages, sockets, storage, version, startedAt } = figures;
  const { disk } = storage;
  const engine = storage.engine === 'embedded' ? 'in the embedded store' : 'in MongoDB';
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-card border bg-surface lg:grid-cols-3">
      <Fact label="Accounts" value={countText(accounts)} />
      <Fact label="Websites" value={countText(sites)} />
      <Fact label="Messages" value={countText(messages)} />
      <Fact
        label="Open connections"
        value={countText(sockets.dashboards + sockets.widgets)}
        note={`${counted(sockets.dashboards, 'dashboard')}, ${counted(sockets.widgets, 'widget')}`}
      />
      <Fact label="Storage" value={bytesText(storage.bytes)} note={engine}>
        {disk && <Disk {...disk} />}
      </Fact>
      <Fact label="Version" value={version} note={`running since ${dayText(startedAt)}`} />
    </dl>
  );
}

interface FactProps {
  label: string;
  value: string;
  note?: string;
  children?: ReactNode;
}

function Fact({ label, value, note, children }: FactProps) {
  return (
    <div className="-mr-px -mb-px border-r border-b px-4 py-4 sm:px-5">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="pt-0.5">
        <span className="block text-xl font-semibold wrap-anywhere tabular-nums">{value}</span>
        {note && <span className="block text-xs text-muted">{note}</span>}
        {children}
      </dd>
    </div>
  );
}

/** How full the disk is; the bell tells of it, too, before that is a trouble. */
function Disk({ used, total }: { used: number; total: number }) {
  const percent = Math.floor((used / total) * 100);
  const text = `Disk ${percent} % full, ${bytesText(total - used)} free`;
  return (
    <span className="flex flex-col gap-1.5 pt-2 text-xs text-muted">
      <Meter label="Disk" percent={percent} text={text} />
      {text}
    </span>
  );
}

function ChatsPerDay({ perDay }: Pick<PlatformFigures, 'perDay'>) {
  const most = Math.max(...perDay.map(({ chats }) => chats));
  return (
    <section aria-labelledby="per-day" className="rounded-card border bg-surface p-4 sm:p-5">
      <h2 id="per-day" className="text-base font-semibold">
        Chats per day
      </h2>
      {most === 0 ? (
        <p className="flex h-44 items-center justify-center text-muted">No chats in these days</p>
      ) : (
        <ol className="flex h-44 items-end gap-1 pt-4 sm:gap-2">
          {perDay.map((each, index) => (
            <Day key={each.day} {...each} share={each.chats / most} named={index % 2 === 1} />
          ))}
        </ol>
      )}
    </section>
  );
}

interface DayProps {
  day: string;
  chats: number;
  /** Of the day with the most chats. */
  share: number;
  /** Whether the day stands below its bar; not all of them have room. */
  named: boolean;
}

function Day({ day, chats, share, named }: DayProps) {
  return (
    <li title={`${dayText(day)}: ${countText(chats)}`} className="flex h-full flex-1 flex-col justify-end">
      <span className="sr-only">
        {dayText(day)}: {counted(chats, 'chat')}
      </span>
      <span aria-hidden className="pb-1 text-center text-xs text-muted tabular-nums">
        {chats > 0 && countText(chats)}
      </span>
      <span
        aria-hidden
        className="block min-h-px rounded-t-small bg-accent"
        style={{ height: `${share * BAR_MAX_PERCENT}%` }}
      />
      <span aria-hidden className="h-6 truncate pt-1.5 text-center text-xs text-muted max-sm:hidden">
        {named && dayText(day)}
      </span>
    </li>
  );
}
