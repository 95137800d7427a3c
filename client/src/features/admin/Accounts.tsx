import { Crown, Ellipsis, Search, SearchX } from 'lucide-react';
import { useState } from 'react';
import type { AccountPatch, PlatformAccount } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { plural, t } from '../../lib/i18n.ts';
import { rich } from '../../lib/rich.ts';
import { useDebounced } from '../../lib/timing.ts';
import { useAction } from '../../shared/useAction.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Input } from '../../ui/Input.tsx';
import { ShowMore } from '../../ui/ShowMore.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { VirtualList, type VirtualRowProps } from '../../ui/VirtualList.tsx';
import { useAccounts, useChangeAccount } from './api.ts';

const SEARCH_AFTER_MS = 250;
const SEARCH_MAX_LENGTH = 200;
const ROW_HEIGHT_PX = 65;

/** All accounts, with search, suspension and roles. */
export function Accounts() {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim(), SEARCH_AFTER_MS);
  const query = useAccounts(search);
  const { data: accounts, isPending, refetch } = query;
  return (
    <section aria-labelledby="accounts" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="accounts" className="text-base font-semibold">
          {t('Accounts')}
        </h2>
        <div className="relative w-full sm:w-72">
          <Search size={16} aria-hidden className="absolute top-3 start-3 text-muted" />
          <Input
            type="search"
            aria-label={t('Search accounts')}
            placeholder={t('Name or email')}
            maxLength={SEARCH_MAX_LENGTH}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            className="ps-9!"
          />
        </div>
      </div>
      <div className="rounded-card border bg-surface">
        {isPending && <Skeleton className="h-64 rounded-card!" />}
        {!isPending && !accounts && (
          <ErrorState what={t('The accounts could not be loaded.')} onRetry={() => void refetch()} />
        )}
        {accounts?.length === 0 && (
          <EmptyState
            icon={SearchX}
            title={t('No accounts found')}
            text={t('Search for the beginning of a name or an email address.')}
          />
        )}
        {accounts && accounts.length > 0 && (
          <VirtualList
            label={t('Accounts')}
            className="divide-y"
            rows={accounts}
            rowHeight={ROW_HEIGHT_PX}
            row={(account, place) => <AccountRow account={account} place={place} />}
          />
        )}
        <ShowMore of={query} />
      </div>
    </section>
  );
}

/** An action on an account: its menu item, its question, and the patch it sends. */
interface Step {
  action: string;
  text: string;
  danger: boolean;
  patch: AccountPatch;
}

function AccountRow({ account, place }: { account: PlatformAccount; place: VirtualRowProps }) {
  const { user } = useAuth();
  const [step, setStep] = useState<Step | null>(null);
  const { name, email, role, suspended, twoFactorEnabled, sites, createdAt, lastSeenAt } = account;
  return (
    <li {...place} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 sm:px-5">
      <Avatar name={name} size="lg" />
      <div className="min-w-0 flex-1 md:basis-48">
        <p className="flex flex-wrap items-center gap-x-2">
          <span dir="auto" className="min-w-0 truncate font-medium">
            {name}
          </span>
          {role === 'parley_admin' && (
            <Badge tone="waiting">
              <Crown size={12} aria-hidden />
              {t('Platform admin')}
            </Badge>
          )}
          {suspended && <Badge tone="closed">{t('Suspended')}</Badge>}
        </p>
        <p className="address truncate text-muted">{email}</p>
      </div>
      <p className="text-xs text-muted max-md:order-last max-md:w-full max-md:ps-14 md:w-72">
        {plural(sites, '{count} website', '{count} websites')} ·{' '}
        {twoFactorEnabled ? t('two-factor on') : t('two-factor off')}
        <br />
        {rich('Joined {joined} · last seen {seen}', {
          joined: <Time at={createdAt} />,
          seen: lastSeenAt ? <Time at={lastSeenAt} /> : '–',
        })}
      </p>
      <DropdownMenu
        align="end"
        trigger={
          <IconButton label={t('Actions for {name}', { name })}>
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
      >
        {stepsFor(account, account._id === user?._id).map((each) => (
          <MenuItem key={each.action} onSelect={() => setStep(each)}>
            {each.action}
          </MenuItem>
        ))}
      </DropdownMenu>
      <ConfirmStep account={account} step={step} onDone={() => setStep(null)} />
    </li>
  );
}

function stepsFor({ name, role, suspended }: PlatformAccount, own: boolean): Step[] {
  const suspend = {
    action: t('Suspend'),
    text: t('{name} is signed out everywhere and cannot sign in. Chats claimed by {name} return to the queue.', {
      name,
    }),
    danger: true,
    patch: { suspended: true },
  };
  const restore = {
    action: t('End suspension'),
    text: t('{name} can sign in again, to the same websites as before.', { name }),
    danger: false,
    patch: { suspended: false },
  };
  const promote = {
    action: t('Make platform admin'),
    text: t('{name} will see this page, and can suspend accounts. Nobody reads other teams’ conversations here.', {
      name,
    }),
    danger: false,
    patch: { role: 'parley_admin' as const },
  };
  const demote = {
    action: t('Remove platform admin'),
    text: t('{name} will no longer see this page.', { name }),
    danger: true,
    patch: { role: 'user' as const },
  };
  return [role === 'user' ? promote : demote, ...(own ? [] : [suspended ? restore : suspend])];
}

function ConfirmStep({ account, step, onDone }: { account: PlatformAccount; step: Step | null; onDone: () => void }) {
  const change = useChangeAccount(account._id);
  const run = useAction(change, {
    failure: t('{name} could not be changed.', { name: account.name }),
    onSuccess: onDone,
  });
  return (
    <ConfirmDialog
      open={step !== null}
      onOpenChange={(open) => !open && onDone()}
      title={step ? t('{action}?', { action: step.action }) : ''}
      text={step?.text}
      confirmLabel={step?.action ?? ''}
      tone={step?.danger ? 'danger' : 'primary'}
      onConfirm={() => step && void run(step.patch)}
      busy={change.isPending}
    />
  );
}
