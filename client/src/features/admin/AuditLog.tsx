import { ScrollText } from 'lucide-react';
import type { AuditEntry } from 'server/contract';
import { msg, plural, t } from '../../lib/i18n.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ShowMore } from '../../ui/ShowMore.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { VirtualList, type VirtualRowProps } from '../../ui/VirtualList.tsx';
import { useAuditLog } from './api.ts';

const ROW_HEIGHT_PX = 41;
const ACTIONS: Record<string, string> = {
  signed_in: msg('{who} signed in'),
  sign_ins_refused: msg('{who} was refused after too many wrong passwords'),
  two_factor_enabled: msg('{who} turned on two-factor authentication'),
  two_factor_disabled: msg('{who} had two-factor authentication turned off'),
  recovery_codes_changed: msg('{who} created new recovery codes'),
  recovery_code_used: msg('{who} signed in with a recovery code'),
  reset_link_made: msg('{who} got a link to reset the password'),
  password_reset: msg('{who} reset the password with a link'),
  password_changed: msg('{who} changed the password'),
  api_key_created: msg('{who} created an API key'),
  api_key_revoked: msg('{who} revoked an API key'),
  account_deleted: msg('{who} deleted the account'),
  account_promoted: msg('{who} was made a platform admin on the server'),
  account_suspended: msg('{who} suspended {whom}'),
  account_restored: msg('{who} ended the suspension of {whom}'),
  platform_role_set: msg('{who} changed the role of {whom} on this server'),
  account_changed: msg('{who} changed the account'),
  session_ended: msg('{who} was signed out of a device'),
  site_created: msg('{who} created the website'),
  site_changed: msg('{who} changed the website'),
  widget_code_changed: msg('{who} changed the widget code'),
  identity_secret_changed: msg('{who} changed the identity secret'),
  webhook_added: msg('{who} added a webhook'),
  webhook_changed: msg('{who} changed a webhook'),
  webhook_removed: msg('{who} deleted a webhook'),
  webhook_secret_changed: msg('{who} changed the secret of a webhook'),
  webhook_switched_off: msg('A webhook was switched off'),
  site_handed_over: msg('{who} handed the website over to {whom}'),
  article_published: msg('{who} published an article'),
  article_withdrawn: msg('{who} withdrew an article'),
  article_deleted: msg('{who} deleted an article'),
  history_imported: msg('{who} imported the history of another chat'),
  site_deleted: msg('{who} deleted the website'),
  visitor_changed: msg('{who} corrected the contact details of a visitor'),
  visitor_erased: msg('{who} erased a visitor'),
  chat_deleted: msg('{who} deleted a chat'),
  invite_sent: msg('{who} invited somebody'),
  invite_revoked: msg('{who} revoked an invite'),
  invite_accepted: msg('{who} accepted an invite'),
  member_joined: msg('{who} joined the team'),
  member_role_set: msg('{who} gave {whom} another role'),
  member_left: msg('{who} left the team'),
  member_removed: msg('{who} removed {whom} from the team'),
};
/** The same, where actor and subject are the same person. */
const OWN_ACTIONS: Record<string, string> = { two_factor_disabled: msg('{who} turned off two-factor authentication') };

/** Who did what, to whom, and where. */
export function AuditLog() {
  const query = useAuditLog();
  const { data: entries, isPending, refetch } = query;
  return (
    <section aria-labelledby="trail" className="flex flex-col gap-3">
      <div>
        <h2 id="trail" className="text-base font-semibold">
          {t('Audit trail')}
        </h2>
        <p className="text-muted">{t('Changes to accounts, websites and teams. Conversations are not recorded.')}</p>
      </div>
      <div className="rounded-card border bg-surface">
        {isPending && <Skeleton className="h-64 rounded-card!" />}
        {!isPending && !entries && (
          <ErrorState what={t('The audit trail could not be loaded.')} onRetry={() => void refetch()} />
        )}
        {entries?.length === 0 && <EmptyState icon={ScrollText} title={t('No entries yet')} />}
        {entries && entries.length > 0 && (
          <VirtualList
            as="ol"
            label={t('Audit trail')}
            className="divide-y"
            rows={entries}
            rowHeight={ROW_HEIGHT_PX}
            row={(entry, place) => <Row entry={entry} place={place} />}
          />
        )}
        <ShowMore of={query} />
      </div>
    </section>
  );
}

function Row({ entry, place }: { entry: AuditEntry; place: VirtualRowProps }) {
  const detail = detailOf(entry);
  const { times = 1 } = entry;
  return (
    <li {...place} className="flex items-baseline gap-4 px-4 py-2.5 sm:px-5">
      <p className="min-w-0 flex-1 wrap-anywhere">
        {sentenceOf(entry)}
        {entry.site?.name && <span className="text-muted"> · {entry.site.name}</span>}
        {times > 1 && <span className="text-muted"> · {plural(times, '{count} time', '{count} times')}</span>}
        {detail && <span className="block text-xs text-muted">{detail}</span>}
      </p>
      <Time at={entry.lastAt ?? entry.at} className="shrink-0 text-xs text-muted tabular-nums" />
    </li>
  );
}

function sentenceOf({ action, actor, subject }: AuditEntry): string {
  const who = nameOf(actor ?? subject);
  const sentence = (actor && OWN_ACTIONS[action]) ?? ACTIONS[action];
  return sentence ? t(sentence, { who, whom: nameOf(subject) }) : `${who} ${action.replaceAll('_', ' ')}`;
}

/** Details that are not in the sentence: role, reason, fields. */
function detailOf({ detail: { role, reason, fields } }: AuditEntry): string {
  // An earlier version wrote down that people did something themselves, which the sentence says.
  const because = reason === 'owner' ? undefined : reason?.replaceAll('_', ' ');
  const parts = [role && t('role: {role}', { role: t(role) }), because, fields?.join(', ')];
  return parts.filter(Boolean).join(' · ');
}

function nameOf(person: AuditEntry['actor']): string {
  return person?.name ?? t('A deleted account');
}
