import { Webhook as Icon, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { WEBHOOKS_MAX } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ListSection } from '../../ui/ListSection.tsx';
import { useWebhooks } from './api.ts';
import { NewWebhook } from './NewWebhook.tsx';
import { WebhookCard } from './WebhookCard.tsx';

/** The webhooks of a site: what it tells other programs. */
export function Webhooks({ siteId }: { siteId: string }) {
  const list = useWebhooks(siteId);
  const [adding, setAdding] = useState(false);
  const isEmpty = list.data?.length === 0;
  const add = (
    <Button variant={isEmpty ? 'primary' : 'secondary'} onClick={() => setAdding(true)}>
      <Plus size={18} aria-hidden />
      {t('Add webhook')}
    </Button>
  );
  return (
    <>
      <ListSection
        id="webhooks"
        title={t('Webhooks')}
        text={
          <>
            {t('Parley tells a chat service or a program of yours what happens on this website, as it happens.')}{' '}
            <Link to="/docs?tab=webhooks" className="font-medium text-accent hover:text-accent-strong">
              {t('How webhooks work')}
            </Link>
          </>
        }
        list={list}
        loading={t('Loading webhooks')}
        failure={t('The webhooks could not be loaded.')}
        full={t('A website can have up to {max} webhooks. Delete one to add another.', { max: WEBHOOKS_MAX })}
        max={WEBHOOKS_MAX}
        add={!isEmpty && add}
      >
        {(webhooks) =>
          isEmpty ? (
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
        }
      </ListSection>
      <Dialog open={adding} onOpenChange={setAdding} title={t('Add webhook')}>
        <NewWebhook siteId={siteId} onDone={() => setAdding(false)} />
      </Dialog>
    </>
  );
}
