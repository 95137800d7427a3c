import { useState } from 'react';
import type { ApiKey, ApiKeyScope } from 'server/contract';
import { formatDate } from '../../../lib/format.ts';
import { listed, msg, t } from '../../../lib/i18n.ts';
import { rich } from '../../../lib/rich.ts';
import { useSites } from '../../../shared/sites.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { Time, useClock } from '../../../ui/Time.tsx';
import { useRevokeApiKey } from './api.ts';

/** The scopes in words, in their order. */
export const SCOPE_WORDS: Record<ApiKeyScope, [label: string, hint: string]> = {
  read: [msg('Read|verb'), msg('Chats, visitors, reports and settings of websites; changes nothing.')],
  reply: [msg('Read and reply'), msg('Also answers, claims, tags and closes chats, and writes notes.')],
  manage: [msg('Manage'), msg('Also changes websites and teams, and deletes chats, visitors and websites.')],
};

/** An API key: what it may do and where, when it was last used, and a way to revoke it. */
export function ApiKeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { _id, name, scope, siteIds, expiresAt, lastUsedAt } = apiKey;
  const [asking, setAsking] = useState(false);
  const clock = useClock();
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= clock;
  const revocation = useRevokeApiKey();
  const revoke = useAction(revocation, {
    success: t('The API key is revoked'),
    failure: t('The API key could not be revoked.'),
    onSuccess: () => setAsking(false),
  });
  return (
    <li className="flex items-start gap-4 p-4">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span dir="auto" className="min-w-0 font-medium wrap-anywhere">
            {name}
          </span>
          <Badge>{t(SCOPE_WORDS[scope][0])}</Badge>
          {isExpired && <Badge tone="waiting">{t('Expired')}</Badge>}
        </p>
        <p className="text-muted wrap-anywhere">
          <SiteNames siteIds={siteIds} />
        </p>
        <p className="text-muted">
          {lastUsedAt ? rich('Last used {time}', { time: <Time at={lastUsedAt} /> }) : t('Never used')}
          {' · '}
          {expiryWords(expiresAt, isExpired)}
        </p>
      </div>
      <Button variant="secondary" size="sm" aria-label={t('Revoke {name}', { name })} onClick={() => setAsking(true)}>
        {t('Revoke')}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('Revoke API key')}
        text={t('Programs that use “{name}” stop working at once. This cannot be undone.', { name })}
        confirmLabel={t('Revoke')}
        onConfirm={() => void revoke(_id)}
        busy={revocation.isPending}
      />
    </li>
  );
}

function expiryWords(expiresAt: string | null, isExpired: boolean): string {
  if (expiresAt === null) return t('Never expires');
  const date = formatDate(expiresAt);
  return isExpired ? t('Expired {date}', { date }) : t('Expires {date}', { date });
}

function SiteNames({ siteIds }: Pick<ApiKey, 'siteIds'>) {
  const { data: sites = [] } = useSites();
  if (siteIds === null) return t('All websites');
  const names = sites.filter(({ _id }) => siteIds.includes(_id)).map(({ name }) => name);
  return names.length > 0 ? listed(names) : t('No website');
}
