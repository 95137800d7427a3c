import { type FormEvent, useState } from 'react';
import { can, type TeamMember } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Input } from '../../ui/Input.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

interface TeammatesProps {
  /** Whom one can choose, in the order shown; undefined: not loaded yet. */
  candidates: readonly TeamMember[] | undefined;
  isError: boolean;
  onRetry: () => void;
  /** Shown where there are no candidates. */
  nobody: string;
  userId: string;
  /** Whether the queue is a choice. */
  queue: boolean;
  /** Called with null for the queue. */
  onChoose: (to: TeamMember | null) => void;
  onCancel: () => void;
}

/** A list of teammates to hand chats to, with a search. */
export function Teammates(props: TeammatesProps) {
  const { candidates, isError, userId, onChoose } = props;
  const [query, setQuery] = useState('');
  const shown = candidates?.filter(({ name, email }) =>
    `${name} ${email}`.toLowerCase().includes(query.trim().toLowerCase()),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const [first] = shown ?? [];
    if (first) onChoose(first);
  };
  return (
    <>
      <form onSubmit={onSubmit} className="pt-4">
        <Input
          aria-label={t('Find a teammate')}
          placeholder={t('Find a teammate')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </form>
      {!shown && !isError && <Skeleton className="mt-3 h-24" />}
      {isError && <ErrorState what={t('The team could not be loaded.')} onRetry={props.onRetry} />}
      {shown?.length === 0 && (
        <p className="py-6 text-center text-muted">
          {candidates?.length === 0 ? props.nobody : t('Nobody with this name.')}
        </p>
      )}
      <ul aria-label={t('Teammates')} className="-mx-2 flex max-h-72 flex-col overflow-y-auto py-2">
        {shown?.map((member) => (
          <li key={member._id}>
            <button
              type="button"
              onClick={() => onChoose(member)}
              className="flex w-full items-center gap-3 rounded-control px-2 py-2 text-start transition-colors hover:bg-text/5 focus-visible:-outline-offset-2"
            >
              <Avatar name={member.name} />
              <span className="min-w-0 flex-1 truncate font-medium">
                {member._id === userId ? t('{name} (you)', { name: member.name }) : member.name}
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
                {member.online ? t('Online') : member.away ? t('Away') : t('Offline')}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2 pt-2">
        <Button variant="secondary" onClick={props.onCancel}>
          {t('Cancel')}
        </Button>
        {props.queue && (
          <Button variant="secondary" onClick={() => onChoose(null)}>
            {t('Back to the queue')}
          </Button>
        )}
      </div>
    </>
  );
}

/** Who may answer on all of these sites; those who are online first, then by name. */
export function repliersOf(members: readonly TeamMember[], siteIds: readonly string[]): TeamMember[] {
  return members
    .filter(({ sites }) =>
      siteIds.every((id) => {
        const role = sites.find(({ _id }) => _id === id)?.role;
        return role && can({ role, isOwner: false }, 'chats.reply');
      }),
    )
    .sort((a, b) => Number(b.online) - Number(a.online) || a.name.localeCompare(b.name));
}
