import { Users } from 'lucide-react';
import { useId } from 'react';
import type { AgentReport } from 'server/contract';
import { plural, t } from '../../lib/i18n.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ReportCard } from './ReportCard.tsx';
import { ReportTable } from './ReportTable.tsx';

interface AgentsCardProps {
  agents: readonly AgentReport[];
  days: number;
  /** Nobody else's figures may be seen. */
  isOwnOnly: boolean;
  onExport: () => void;
}

/** What each agent did, as a table that can be sorted and saved. */
export function AgentsCard({ agents, days, isOwnOnly, onExport }: AgentsCardProps) {
  const titleId = useId();
  return (
    <ReportCard
      titleId={titleId}
      title={t('Agents')}
      text={
        <>
          {plural(
            days,
            'Chats of the last {count} day, times as medians.',
            'Chats of the last {count} days, times as medians.',
          )}
          {isOwnOnly && <> {t('You see your own figures; owners and admins see those of everybody.')}</>}
        </>
      }
      onExport={agents.length > 0 ? onExport : null}
    >
      {agents.length > 0 ? (
        <ReportTable
          titleId={titleId}
          label={t('Agents, table')}
          head={t('Agent')}
          rows={agents.map(({ agent, ...figures }) => ({
            key: agent?._id ?? '',
            name: agent ? (agent.name ?? t('Deleted account')) : t('Nobody'),
            isGone: !agent?.name,
            figures,
          }))}
        />
      ) : (
        <EmptyState
          icon={Users}
          title={t('No figures in these days')}
          text={t('They begin with the first chat that is answered, closed or rated.')}
        />
      )}
    </ReportCard>
  );
}
