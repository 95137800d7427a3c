import { ArrowLeft, Eye, PanelRight } from 'lucide-react';
import { useState } from 'react';
import { type Chat, can, type Site, type User } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useClaim, useClose } from '../actions.ts';
import { inboxKeymap, useKeys } from '../keyboard.ts';
import { Claimed } from '../list/Claimed.tsx';
import { useViewers, viewersText } from '../live/activity.ts';
import { isClaimable } from '../model/chatPages.ts';
import { STATUS_TONES } from '../model/words.ts';
import { Menu } from './ChatMenu.tsx';
import { TransferDialog } from './TransferDialog.tsx';

interface HeaderProps {
  chat: Chat;
  user: User;
  /** Unknown while the sites are on their way. */
  site: Site | undefined;
  /** Whether the visitor is there right now; `null` while nobody can know. */
  online: boolean | null;
  detailsOpen: boolean;
  onBack: () => void;
  onDetails: () => void;
}

/** Who one is talking to, and what can be done with the chat. */
export function Header({ chat, user, site, online, detailsOpen, onBack, onDetails }: HeaderProps) {
  const [transferring, setTransferring] = useState(false);
  const [closing, setClosing] = useState(false);
  const claim = useClaim();
  const close = useClose();
  const name = visitorName(chat.visitorInfo.name);
  const mayAct = site !== undefined && can(site, 'chats.reply');
  const isOpen = mayAct && chat.status !== 'closed';
  useKeys(
    inboxKeymap({
      close: () => isOpen && setClosing(true),
      transfer: () => isOpen && setTransferring(true),
      details: onDetails,
    }),
  );
  return (
    <header className="relative flex h-16 shrink-0 items-center gap-2 border-b bg-surface px-2 sm:px-4">
      <IconButton label="Back to the list" onClick={onBack} className="md:hidden">
        <ArrowLeft size={18} aria-hidden />
      </IconButton>
      <span className="max-sm:hidden md:max-lg:hidden xl:max-[1440px]:hidden">
        <Avatar name={name} size="lg" />
      </span>
      <div className="min-w-0 flex-1 sm:pl-1">
        <h2 dir="auto" className="truncate text-left font-semibold">
          {name}
        </h2>
        <p className="flex min-w-0 items-center gap-3 text-xs whitespace-nowrap text-muted">
          {online !== null && <Presence online={online} />}
          <Claimed chat={chat} userId={user._id} spelled />
        </p>
      </div>
      <span className="max-sm:hidden">
        <Badge tone={STATUS_TONES[chat.status]}>
          <span className="capitalize">{chat.status}</span>
        </Badge>
      </span>
      {isOpen && isClaimable(chat) && (
        <Button size="sm" onClick={() => claim(chat)}>
          Claim
        </Button>
      )}
      {isOpen && (
        <Button variant="secondary" size="sm" onClick={() => close(chat)}>
          Close
        </Button>
      )}
      <Menu chat={chat} site={site} onTransfer={() => setTransferring(true)} onDeleted={onBack} />
      <IconButton
        label={detailsOpen ? 'Hide details' : 'Show details'}
        aria-expanded={detailsOpen}
        onClick={onDetails}
        className="xl:hidden"
      >
        <PanelRight size={18} aria-hidden />
      </IconButton>
      <Viewers chatId={chat._id} userId={user._id} />
      {/* A key is pressed by mistake more easily than a button, and nothing opens a closed chat again. */}
      <ConfirmDialog
        open={closing && isOpen}
        onOpenChange={setClosing}
        title="Close this chat?"
        text="It cannot be opened again. When the visitor writes, a new chat begins."
        confirmLabel="Close chat"
        onConfirm={() => {
          setClosing(false);
          close(chat);
        }}
      />
      {site && (
        <TransferDialog
          chat={chat}
          site={site}
          userId={user._id}
          open={transferring && isOpen}
          onOpenChange={setTransferring}
        />
      )}
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

/** Two who answer at once are worse than none: whoever else has the chat open is named. */
function Viewers({ chatId, userId }: { chatId: string; userId: string }) {
  const words = viewersText(useViewers(chatId, userId));
  return (
    <p
      role="status"
      className="pointer-events-none absolute inset-x-4 top-full z-10 flex justify-center pt-2 text-xs font-medium"
    >
      {words && (
        <span className="inline-flex max-w-full animate-fade items-center gap-1.5 rounded-full border bg-raised px-3 py-1 shadow-float">
          <Eye size={14} aria-hidden className="shrink-0 text-accent" />
          <span dir="auto" className="truncate">
            {words}
          </span>
        </span>
      )}
    </p>
  );
}
