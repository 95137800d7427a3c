import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

interface WholeMailProps {
  chatId: string;
  messageId: string;
}

/** All that was written in a mail, with what is quoted in it. */
export function WholeMail({ chatId, messageId }: WholeMailProps) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['mail', chatId, messageId],
    queryFn: async ({ signal }) =>
      (await call('GET /chats/:id/messages/:messageId/mail', { params: { id: chatId, messageId }, signal })).mail,
    // A mail never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data && isError)
    return (
      <ErrorState compact what={t('The mail could not be loaded.')} busy={isFetching} onRetry={() => void refetch()} />
    );
  if (!data)
    return (
      <div role="status">
        <span className="sr-only">{t('Loading the mail')}</span>
        <Skeleton className="h-24 w-full rounded-card!" />
      </div>
    );
  return (
    <section
      aria-label={t('Whole mail')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys
      tabIndex={0}
      className="mb-1 max-h-96 overflow-y-auto rounded-card border border-dashed px-3.5 py-3 wrap-anywhere focus-visible:-outline-offset-2"
    >
      <p dir="auto" className="text-left font-medium rtl:text-right">
        {data.subject || t('No subject')}
      </p>
      {data.from && <p className="address text-xs text-muted">{data.from}</p>}
      <p dir="auto" className="pt-2 whitespace-pre-wrap">
        {data.text}
      </p>
    </section>
  );
}
