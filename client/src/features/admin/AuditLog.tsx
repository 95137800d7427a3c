import { ScrollText } from 'lucide-react';
import type { AuditEntry } from 'server/contract';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ShowMore } from '../../ui/ShowMore.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { VirtualList, type VirtualRowProps } from '../../ui/VirtualList.tsx';
import { useAuditLog } from './api.ts';

const ROW_HEIGHT_PX = 41;
/** The predicate for each action of the audit log, after the actor's name; `%` is the name of the subject. */
const ACTIONS: Record<string, string> = {
  signed_in: 'signed in',
  sign_ins_refused: 'was refused after too many wrong passwords',
  two_factor_enabled: 'turned on two-factor authentication',
  two_factor_disabled: 'had two-factor authentication turned off',
  recovery_codes_changed: 'created new recovery codes',
  recovery_code_used: 'signed in with a recovery code',
  reset_link_made: 'got a link to reset the password',
  password_reset: 'reset the password with a link',
  password_changed: 'changed the password',
  account_deleted: 'deleted the account',
  account_promoted: 'was made a platform admin on the server',
  account_suspended: 'suspended %',
  account_restored: 'ended the suspension of %',
  platform_role_set: 'changed the role of % on this server',
  account_changed: 'changed the account',
  session_ended: 'was signed out of a device',
  site_created: 'created the website',
  site_changed: 'changed the website',
  widget_code_changed: 'changed the widget code',
  identity_secret_changed: 'changed the identity secret',
  site_handed_over: 'handed the website over to %',
  site_deleted: 'deleted the website',
  visitor_erased: 'erased a visitor',
  chat_deleted: 'deleted a chat',
  invite_sent: 'invited somebody',
  invite_revoked: 'revoked an invite',
  invite_accepted: 'accepted an invite',
  member_joined: 'joined the team',
  member_role_set: 'gave % another role',
  member_left: 'left the team',
  member_removed: 'removed % from the team',
};
/** The same, where actor and subject are the same person. */
const OWN_ACTIONS: Record<string, string> = { two_factor_disabled: 'turned off two-factor authentication' };

/** Who did what, to whom, and where. */
export function AuditLog() {
  const query = useAuditLog();
  const { data: entries, isPending, refetch } = query;
  return (
    <section aria-labelledby="trail" className="flex flex-col gap-3">
      <div>
        <h2 id="trail" className="text-base font-semibold">
          Audit trail
        </h2>
        <p className="text-muted">Changes to accounts, websites and teams. Conversations are not recorded.</p>
      </div>
      <div className="rounded-card border bg-surface">
        {isPending && <Skeleton className="h-64 rounded-card!" />}
        {!isPending && !entries && (
          <ErrorState what="The audit trail could not be loaded." onRetry={() => void refetch()} />
        )}
        {entries?.length === 0 && <EmptyState icon={ScrollText} title="No entries yet" />}
        {entries && entries.length > 0 && (
          <VirtualList
            as="ol"
            label="Audit trail"
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
  return (
    <li {...place} className="flex items-baseline gap-4 px-4 py-2.5 sm:px-5">
      <p className="min-w-0 flex-1 wrap-anywhere">
        {sentenceOf(entry)}
        {entry.site?.name && <span className="text-muted"> · {entry.site.name}</span>}
        {detail && <span className="block text-xs text-muted">{detail}</span>}
      </p>
      <Time at={entry.at} className="shrink-0 text-xs text-muted tabular-nums" />
    </li>
  );
}

/** An entry of the audit log as a sentence. */
function sentenceOf({ action, actor, subject }: AuditEntry): string {
  const who = nameOf(actor ?? subject);
  const what = (actor && OWN_ACTIONS[action]) ?? ACTIONS[action] ?? action.replaceAll('_', ' ');
  return `${who} ${what.replace('%', () => nameOf(subject))}`;
}

/** Details that are not in the sentence: role, reason, fields. */
function detailOf({ detail: { role, reason, fields } }: AuditEntry): string {
  // An earlier version wrote down that people did something themselves, which the sentence says.
  const because = reason === 'owner' ? undefined : reason?.replaceAll('_', ' ');
  const parts = [role && `role: ${role}`, because, fields?.join(', ')];
  return parts.filter(Boolean).join(' · ');
}

function nameOf(person: AuditEntry['actor']): string {
  return person?.name ?? 'A deleted account';
}
