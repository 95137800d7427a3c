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
import { useTransfer } from '../actions.ts';

interface TransferProps {
  chat: Chat;
  site: Site;
  userId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** To whom a chat is handed: whoever is there first. */
export function TransferDialog(props: TransferProps) {
  const name = visitorName(props.chat.visitorInfo.name);
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Hand to a teammate"
      text={`The chat of ${name} goes on with somebody else.`}
    >
      <Choice {...props} />
    </Dialog>
  );
}

function Choice({ chat, site, userId, onOpenChange }: TransferProps) {
  const members = useMembers(site._id);
  const transfer = useTransfer();
  const [typed, setTyped] = useState('');
  const able = members.data && answerers(members.data, site, chat);
  const shown = able?.filter(({ name, email }) =>
    `${name} ${email}`.toLowerCase().includes(typed.trim().toLowerCase()),
  );
  const give = (to: TeamMember | null) => {
    onOpenChange(false);
    transfer(chat, to);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const [first] = shown ?? [];
    if (first) give(first);
  };
  return (
    <>
      <form onSubmit={onSubmit} className="pt-4">
        <Input
          aria-label="Find a teammate"
          placeholder="Find a teammate"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
      {!shown && !members.isError && <Skeleton className="mt-3 h-24" />}
      {members.isError && <ErrorState what="The team could not be loaded." onRetry={() => void members.refetch()} />}
      {shown?.length === 0 && (
        <p className="py-6 text-center text-muted">
          {able?.length === 0 ? 'Nobody else on the team can answer chats.' : 'Nobody of that name.'}
        </p>
      )}
      <ul aria-label="Teammates" className="-mx-2 flex max-h-72 flex-col overflow-y-auto py-2">
        {shown?.map((member) => (
          <li key={member._id}>
            <button
              type="button"
              onClick={() => give(member)}
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
                {member.online ? 'Online' : 'Offline'}
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
          <Button variant="secondary" onClick={() => give(null)}>
            Back to the queue
          </Button>
        )}
      </div>
    </>
  );
}

/** Who may have the chat instead of whoever has it: those who are there first, then by name. */
function answerers(members: readonly TeamMember[], site: Site, chat: Chat): TeamMember[] {
  const roleOf = ({ sites }: TeamMember) => sites.find(({ _id }) => _id === site._id)?.role;
  return members
    .filter((member) => {
      const role = roleOf(member);
      return role && member._id !== chat.claimedBy?._id && can({ role, isOwner: false }, 'chats.reply');
    })
    .sort((a, b) => Number(b.online) - Number(a.online) || a.name.localeCompare(b.name));
}
