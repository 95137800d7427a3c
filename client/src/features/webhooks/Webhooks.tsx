import { Webhook as Icon, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { WEBHOOKS_MAX } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useWebhooks } from './api.ts';
import { NewWebhook } from './NewWebhook.tsx';
import { WebhookCard } from './WebhookCard.tsx';

/** The webhooks of a site: what it tells other programs. */
export function Webhooks({ siteId }: { siteId: string }) {
  const { data: webhooks, isPending, refetch } = useWebhooks(siteId);
  const [adding, setAdding] = useState(false);
  const add = (
    <Button variant={webhooks?.length ? 'secondary' : 'primary'} onClick={() => setAdding(true)}>
      <Plus size={18} aria-hidden />
      {t('Add webhook')}
    </Button>
  );
  return (
    <section aria-labelledby="webhooks" className="flex max-w-3xl flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id="webhooks" className="text-base font-semibold">
            {t('Webhooks')}
          </h2>
          <p className="pt-0.5 text-muted">
            {t('Parley tells a chat service or a program of yours what happens on this website, as it happens.')}{' '}
            <Link to="/docs?tab=webhooks" className="font-medium text-accent hover:text-accent-strong">
              {t('How webhooks work')}
            </Link>
          </p>
        </div>
        {webhooks && webhooks.length > 0 && webhooks.length < WEBHOOKS_MAX && add}
      </div>
      {webhooks ? (
        webhooks.length === 0 ? (
          <div className="rounded-card border bg-surface">
            <EmptyState
              icon={Icon}
              title={t('No webhooks yet')}
              text={t('Let Slack, Teams, Telegram or a program of yours hear of new chats, messages or ratings.')}
              action={add}
            />
          </div>
        ) : (
          <ul className="flex flex-col gap-4">
            {webhooks.map((webhook) => (
              <WebhookCard key={webhook._id} siteId={siteId} webhook={webhook} />
            ))}
          </ul>
        )
      ) : isPending ? (
        <div role="status">
          <span className="sr-only">{t('Loading webhooks')}</span>
          <Skeleton className="h-40 w-full" />
        </div>
      ) : (
        <ErrorState what={t('The webhooks could not be loaded.')} onRetry={() => void refetch()} />
      )}
      {webhooks?.length === WEBHOOKS_MAX && (
        <p className="text-muted">
          {t('A website can have up to {max} webhooks. Delete one to add another.', { max: WEBHOOKS_MAX })}
        </p>
      )}
      <Dialog open={adding} onOpenChange={setAdding} title={t('Add webhook')}>
        <NewWebhook siteId={siteId} onDone={() => setAdding(false)} />
      </Dialog>
    </section>
  );
}
