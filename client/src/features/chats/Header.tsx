import { ArrowLeft, PanelRight } from 'lucide-react';
import type { Chat } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { claimable } from './rows.ts';
import { STATUS_TONES } from './words.ts';

interface HeaderProps {
  chat: Chat;
  userId: string;
  /** Whether the visitor is there right now; `null` while nobody can know. */
  online: boolean | null;
  /** The user may claim and close. */
  mayAct: boolean;
  detailsOpen: boolean;
  closing: boolean;
  onBack: () => void;
  onClaim: () => void;
  onClose: () => void;
  onDetails: () => void;
}

/** Who one is talking to, and what can be done with the chat. */
export function Header(props: HeaderProps) {
  const { chat, userId, online, mayAct, detailsOpen, closing, onBack, onClaim, onClose, onDetails } = props;
  const name = chat.visitorInfo.name || 'Anonymous';
  return (
    <header className="flex h-16 shrink-0 items-center gap-2 border-b bg-surface px-2 sm:px-4">
      <IconButton label="Back to the list" onClick={onBack} className="md:hidden">
        <ArrowLeft size={18} aria-hidden />
      </IconButton>
      <span className="max-sm:hidden">
        <Avatar name={name} size="lg" />
      </span>
      <div className="min-w-0 flex-1 sm:pl-1">
        <h2 dir="auto" className="truncate font-semibold">
          {name}
        </h2>
        <p className="flex items-center gap-1.5 text-xs text-muted">
          {online !== null && <Presence online={online} />}
          {chat.claimedBy && (
            <span className="truncate max-sm:hidden">
              {online !== null && '· '}Claimed by {chat.claimedBy._id === userId ? 'you' : chat.claimedBy.name}
            </span>
          )}
        </p>
      </div>
      <span className="max-sm:hidden">
        <Badge tone={STATUS_TONES[chat.status]}>
          <span className="capitalize">{chat.status}</span>
        </Badge>
      </span>
      {mayAct && claimable(chat) && (
        <Button size="sm" onClick={onClaim}>
          Claim
        </Button>
      )}
      {mayAct && chat.status !== 'closed' && (
        <Button variant="secondary" size="sm" busy={closing} onClick={onClose}>
          Close
        </Button>
      )}
      <IconButton
        label={detailsOpen ? 'Hide details' : 'Show details'}
        aria-expanded={detailsOpen}
        onClick={onDetails}
        className="xl:hidden"
      >
        <PanelRight size={18} aria-hidden />
      </IconButton>
    </header>
  );
}

function Presence({ online }: { online: boolean }) {
  return (
    <span className={cx('inline-flex shrink-0 items-center gap-1.5', online && 'text-success')}>
      <span aria-hidden className={cx('size-2 rounded-full', online ? 'bg-success' : 'border border-edge')} />
      {online ? 'Online' : 'Offline'}
    </span>
  );
}
