import { type FormEvent, useState } from 'react';
import { type Chat, can, type Site, type TeamMember } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Input } from '../../../ui/Input.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useMembers } from '../../team/api.ts';
import { useTransfer } from '../actions/api.ts';

interface TransferProps {
  chat: Chat;
  site: Site;
  userId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Hands a chat to a teammate: those who are online are listed first. */
export function TransferDialog(props: TransferProps) {
  const name = visitorName(props.chat.visitorInfo.name);
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Hand to a teammate"
      text={`The chat of ${name} will be answered by the person you choose.`}
    >
      <TeammateList {...props} />
    </Dialog>
  );
}

function TeammateList({ chat, site, userId, onOpenChange }: TransferProps) {
  const members = useMembers(site._id);
  const transfer = useTransfer();
  const [query, setQuery] = useState('');
  const candidates = members.data && candidatesFor(members.data, site, chat);
  const shown = candidates?.filter(({ name, email }) =>
    `${name} ${email}`.toLowerCase().includes(query.trim().toLowerCase()),
  );
  const transferTo = (to: TeamMember | null) => {
    onOpenChange(false);
    transfer(chat, to);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const [first] = shown ?? [];
    if (first) transferTo(first);
  };
  return (
    <>
      <form onSubmit={onSubmit} className="pt-4">
        <Input
          aria-label="Find a teammate"
          placeholder="Find a teammate"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </form>
      {!shown && !members.isError && <Skeleton className="mt-3 h-24" />}
      {members.isError && <ErrorState what="The team could not be loaded." onRetry={() => void members.refetch()} />}
      {shown?.length === 0 && (
        <p className="py-6 text-center text-muted">
          {candidates?.length === 0 ? 'Nobody else on the team can answer chats.' : 'Nobody with this name.'}
        </p>
      )}
      <ul aria-label="Teammates" className="-mx-2 flex max-h-72 flex-col overflow-y-auto py-2">
        {shown?.map((member) => (
          <li key={member._id}>
            <button
              type="button"
              onClick={() => transferTo(member)}
              className="flex w-full items-center gap-3 rounded-control px-2 py-2 text-left transition-colors hover:bg-text/5 focus-visible:-outline-offset-2"
            >
              <Avatar name={member.name} />
              <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
                {member._id === userId ? `${member.name} (you)` : member.name}
              </span>
              <span
                className={cx(
                  'inline-flex items-center gap-1.5 text-xs',
                  member.online ? 'text-success' : 'text-muted',
                )}
              >
                <span
                  aria-hidden
                  className={cx('size-2 rounded-full', member.online ? 'bg-success' : 'border border-edge')}
                />
                {member.online ? 'Online' : member.away ? 'Away' : 'Offline'}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2 pt-2">
        <Button variant="secondary" onClick={() => onOpenChange(false)}>
          Cancel
        </Button>
        {chat.claimedBy && (
          <Button variant="secondary" onClick={() => transferTo(null)}>
            Back to the queue
          </Button>
        )}
      </div>
    </>
  );
}

/** Who may answer and does not have the chat already; those who are online first, then by name. */
function candidatesFor(members: readonly TeamMember[], site: Site, chat: Chat): TeamMember[] {
  const roleOf = ({ sites }: TeamMember) => sites.find(({ _id }) => _id === site._id)?.role;
  return members
    .filter((member) => {
      const role = roleOf(member);
      return role && member._id !== chat.claimedBy?._id && can({ role, isOwner: false }, 'chats.reply');
    })
    .sort((a, b) => Number(b.online) - Number(a.online) || a.name.localeCompare(b.name));
}
