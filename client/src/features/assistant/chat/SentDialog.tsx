import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { type DialogState, SidePanel } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { RunView } from '../RunView.tsx';

/** What the assistant was asked in a chat, and all that the model was given for it. */
export function SentDialog({ chatId, ...dialog }: DialogState & { chatId: string }) {
  return (
    <SidePanel
      {...dialog}
      title={t('What was sent')}
      text={t('Each question of this chat, with all that the model was given for it.')}
    >
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4">
        <Runs chatId={chatId} />
      </div>
    </SidePanel>
  );
}

function Runs({ chatId }: { chatId: string }) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['assistant', 'chat', chatId] as const,
    queryFn: async ({ signal }) => (await call('GET /chats/:id/assistant', { params: { id: chatId }, signal })).runs,
    staleTime: 0,
  });
  if (!data && isError)
    return <ErrorState what={t('What was sent could not be loaded.')} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-40 w-full shrink-0 rounded-card!" />;
  if (data.length === 0) return <p className="text-muted">{t('Nothing was sent to a model in this chat.')}</p>;
  return data.map((run) => <RunView key={run._id} run={run} />);
}
