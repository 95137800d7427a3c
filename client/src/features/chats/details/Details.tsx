import { useQueryClient } from '@tanstack/react-query';
import { BadgeCheck, Ban, X } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { type Chat, can, type Site } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { useSocketEvents } from '../../../lib/socket.tsx';
import { visitorName } from '../../../shared/visitorName.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Badge } from '../../../ui/Badge.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { patchThread, type Thread } from '../live/thread.ts';
import { Bounced } from './Bounced.tsx';
import { DepartmentSection } from './Department.tsx';
import { EditContact } from './EditContact.tsx';
import { Facts, FormFacts, WebsiteFacts } from './Facts.tsx';
import { OtherChats } from './OtherChats.tsx';
import { PersonNoteSection } from './PersonNote.tsx';
import { StartChat } from './StartChat.tsx';
import { Tags } from './Tags.tsx';
import { VisitorActions } from './VisitorActions.tsx';

interface DetailsProps {
  chat: Chat;
  thread: Thread | undefined;
  userId: string;
  /** Unknown while the websites are loading. */
  site: Site | undefined;
  /** Whether the visitor has the website open; `null` while that is unknown. */
  online: boolean | null;
  /** Matters on narrow screens only: wide ones always show the details. */
  open: boolean;
  onHide: () => void;
  /** Called when the visitor and their chats were erased. */
  onErased: () => void;
}

/** The details of the visitor: a column on wide screens, else a sheet over the thread. */
export function Details({ chat, thread, userId, site, online, open, onHide, onErased }: DetailsProps) {
  const { name, email } = chat.visitorInfo;
  const phone = thread?.visitor?.phone;
  const mayEdit = site !== undefined && can(site, 'visitors.edit');
  useVisitorEvents(chat);
  const pane = useRef<HTMLElement>(null);
  useFocusWhileOpen(open, pane);
  return (
    <aside
      ref={pane}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (!open || event.key !== 'Escape' || event.defaultPrevented) return;
        // Else Escape would also leave the chat.
        event.preventDefault();
        onHide();
      }}
      aria-label={t('Visitor details')}
      className={cx(
        'outline-none relative w-76 shrink-0 overflow-y-auto border-s bg-surface',
        'max-xl:absolute max-xl:inset-y-0 max-xl:end-0 max-xl:z-20 max-xl:max-w-full max-xl:animate-fade max-xl:shadow-float max-sm:w-full',
        !open && 'max-xl:hidden',
      )}
    >
      <div className="flex h-16 items-center justify-between pe-3 ps-5 xl:hidden">
        <h2 className="font-semibold">{t('Details')}</h2>
        <IconButton label={t('Hide details')} onClick={onHide}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <div className="flex flex-col items-center gap-2 border-b px-5 pt-2 pb-5 text-center xl:pt-8">
        <Avatar name={visitorName(name)} size="lg" />
        <p dir="auto" className="max-w-full pt-1 font-semibold wrap-anywhere">
          {visitorName(name)}
        </p>
        {email ? (
          <a
            href={`mailto:${encodeURIComponent(email)}`}
            className="address max-w-full text-accent-strong underline-offset-2 wrap-anywhere hover:underline"
          >
            {email}
          </a>
        ) : (
          <p className="text-muted">{t('No email')}</p>
        )}
        {phone && (
          <a
            href={`tel:${phone.replace(/[^\d+]/g, '')}`}
            className="address text-accent-strong underline-offset-2 hover:underline"
          >
            {phone}
          </a>
        )}
        <div className="flex items-center gap-1 empty:hidden">
          {email && <CopyButton text={email} label={t('Copy email')} />}
          {mayEdit && thread?.visitor && <EditContact key={chat.visitorId} chat={chat} userId={userId} phone={phone} />}
        </div>
        {email && thread?.visitor?.bounced && <Bounced chat={chat} site={site} bounced={thread.visitor.bounced} />}
        {thread?.visitor?.verified && (
          <Badge tone="success">
            <BadgeCheck size={12} aria-hidden />
            {t('Verified')}
          </Badge>
        )}
        {chat.blocked && (
          <Badge tone="closed">
            <Ban size={12} aria-hidden />
            {t('Blocked')}
          </Badge>
        )}
        {site && online && <StartChat chat={chat} site={site} />}
      </div>
      {thread?.visitor && (
        <PersonNoteSection
          key={chat.visitorId}
          chat={chat}
          userId={userId}
          note={thread.visitor.note}
          mayEdit={mayEdit}
        />
      )}
      {site && <DepartmentSection key={chat._id} chat={chat} site={site} />}
      <Tags chat={chat} site={site} />
      {thread?.visitor && <FormFacts visitor={thread.visitor} />}
      {thread?.visitor && <WebsiteFacts visitor={thread.visitor} />}
      <Facts chat={chat} thread={thread} userId={userId} />
      <OtherChats chat={chat} />
      {site && <VisitorActions chat={chat} site={site} onErased={onErased} />}
    </aside>
  );
}

/** Moves the focus into the sheet when it opens, and back when it closes. */
function useFocusWhileOpen(open: boolean, pane: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!open) return;
    const before = document.activeElement;
    pane.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, [open, pane]);
}

/** Puts the events of an open chat's visitor into its thread. A new connection reads the thread again, so it needs no more. */
function useVisitorEvents({ _id: chatId, visitorId }: Chat): void {
  const client = useQueryClient();
  useSocketEvents({
    visitor_updated: ({ visitorId: of, siteId: _site, name: _name, email: _email, ...details }) => {
      if (of !== visitorId) return;
      patchThread(client, chatId, (thread) => {
        const { visitor } = thread;
        return visitor ? { ...thread, visitor: { _id: visitor._id, online: visitor.online, ...details } } : thread;
      });
    },
  });
}
