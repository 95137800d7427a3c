import { Crown, Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { AccountPatch, PlatformAccount } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { formatCount } from '../../lib/format.ts';
import { useAction } from '../../shared/useAction.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import type { RowPlace } from '../../ui/LongList.tsx';
import { Time } from '../../ui/Time.tsx';
import { useChangeAccount } from './api.ts';

/** What can be done to an account: what the menu says, what is asked first, and what is sent. */
interface Step {
  action: string;
  text: string;
  danger: boolean;
  patch: AccountPatch;
}

/** An account, who it is and what may be done about it. */
export function AccountRow({ account, place }: { account: PlatformAccount; place: RowPlace }) {
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
              Platform admin
            </Badge>
          )}
          {suspended && <Badge tone="closed">Suspended</Badge>}
        </p>
        <p className="truncate text-muted">{email}</p>
      </div>
      <p className="text-xs text-muted max-md:order-last max-md:w-full max-md:pl-14 md:w-72">
        {formatCount(sites, 'website')} · two-factor {twoFactorEnabled ? 'on' : 'off'}
        <br />
        Joined <Time at={createdAt} /> · last seen {lastSeenAt ? <Time at={lastSeenAt} /> : '–'}
      </p>
      <DropdownMenu
        align="end"
        trigger={
          <IconButton label={`Actions for ${name}`}>
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
      <Ask account={account} step={step} onDone={() => setStep(null)} />
    </li>
  );
}

function stepsFor({ name, role, suspended }: PlatformAccount, own: boolean): Step[] {
  const suspend = {
    action: 'Suspend',
    text: `${name} is signed out everywhere and cannot sign in. Chats that ${name} had claimed wait again.`,
    danger: true,
    patch: { suspended: true },
  };
  const restore = {
    action: 'End suspension',
    text: `${name} can sign in again, to the same websites as before.`,
    danger: false,
    patch: { suspended: false },
  };
  const promote = {
    action: 'Make platform admin',
    text: `${name} will see this page, and can suspend accounts. Nobody reads other teams’ conversations here.`,
    danger: false,
    patch: { role: 'parley_admin' as const },
  };
  const demote = {
    action: 'Take platform admin away',
    text: `${name} will no longer see this page.`,
    danger: true,
    patch: { role: 'user' as const },
  };
  return [role === 'user' ? promote : demote, ...(own ? [] : [suspended ? restore : suspend])];
}

function Ask({ account, step, onDone }: { account: PlatformAccount; step: Step | null; onDone: () => void }) {
  const change = useChangeAccount(account._id);
  const run = useAction(change, { failure: `${account.name} could not be changed.`, onSuccess: onDone });
  return (
    <ConfirmDialog
      open={step !== null}
      onOpenChange={(open) => !open && onDone()}
      title={step ? `${step.action}?` : ''}
      text={step?.text}
      confirmLabel={step?.action ?? ''}
      tone={step?.danger ? 'danger' : 'primary'}
      onConfirm={() => step && void run(step.patch)}
      busy={change.isPending}
    />
  );
}
