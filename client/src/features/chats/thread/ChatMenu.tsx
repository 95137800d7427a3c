import {
  AlarmClock,
  AlarmClockOff,
  CircleCheck,
  Ellipsis,
  FileText,
  Forward,
  Mail,
  Printer,
  Search,
  Sparkles,
  Trash2,
  Undo2,
} from 'lucide-react';
import { useState } from 'react';
import { type Chat, can, type ExportFormat, type Site } from 'server/contract';
import { requestSummary, useCanWrite } from '#features/assistant';
import { localTimeZone } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { useShortcuts } from '../../../lib/keyboard.ts';
import { saveFile } from '../../../shared/saveFile.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuItem } from '../../../ui/DropdownMenu.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useDeleteChat, useMarkUnread, useTransfer } from '../actions/api.ts';
import { isClaimable } from '../actions/claim.ts';
import { inboxKeymap } from '../shortcuts.ts';
import { useSnooze, useUnsnooze } from '../snooze/api.ts';
import { SnoozeDialog } from '../snooze/SnoozeDialog.tsx';
import { useChatsUrl } from '../url.ts';
import { TransferDialog } from './TransferDialog.tsx';

interface ChatMenuProps {
  chat: Chat;
  site: Site | undefined;
  userId: string;
  onFind: () => void;
  onClose: () => void;
  onBack: () => void;
}

/** The less frequent actions, with their keys and dialogs. */
export function ChatMenu({ chat, site, userId, onFind, onClose, onBack }: ChatMenuProps) {
  const [deleting, setDeleting] = useState(false);
  const [transferring, setTransferring] = useState(false);
  const [snoozing, setSnoozing] = useState(false);
  const snooze = useSnooze();
  const unsnooze = useUnsnooze();
  const transfer = useTransfer();
  const url = useChatsUrl();
  const markUnread = useMarkUnread(({ _id }) => url.open(_id));
  const { remove, isPending } = useDeleteChat(onBack);
  const canWrite = useCanWrite(site);
  const isOpen = site !== undefined && can(site, 'chats.reply') && chat.status !== 'closed';
  const name = visitorName(chat.visitorInfo.name);
  const leaveUnread = () => {
    // Nobody looks any more when it becomes unread.
    onBack();
    markUnread(chat);
  };
  const onTransfer = () => setTransferring(true);
  const onSnooze = () => setSnoozing(true);
  useShortcuts(inboxKeymap(isOpen ? { transfer: onTransfer, unread: leaveUnread, snooze: onSnooze } : {}));
  return (
    <>
      <DropdownMenu
        label={t('Chat')}
        trigger={
          <IconButton label={t('More')}>
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Search size={16} aria-hidden />} onSelect={onFind}>
          {t('Search in this chat')}
        </MenuItem>
        {canWrite && (
          <MenuItem icon={<Sparkles size={16} aria-hidden />} onSelect={() => requestSummary(chat._id)}>
            {t('Summary as a note')}
          </MenuItem>
        )}
        {isOpen && isClaimable(chat) && (
          <MenuItem icon={<CircleCheck size={16} aria-hidden />} onSelect={onClose}>
            {t('Close|chat')}
          </MenuItem>
        )}
        {isOpen && (
          <MenuItem icon={<AlarmClock size={16} aria-hidden />} onSelect={onSnooze}>
            {chat.snoozedUntil ? t('Change the snooze') : t('Snooze')}
          </MenuItem>
        )}
        {isOpen && chat.snoozedUntil && (
          <MenuItem icon={<AlarmClockOff size={16} aria-hidden />} onSelect={() => unsnooze(chat)}>
            {t('Bring back now')}
          </MenuItem>
        )}
        {isOpen && (
          <MenuItem icon={<Mail size={16} aria-hidden />} onSelect={leaveUnread}>
            {t('Mark as unread')}
          </MenuItem>
        )}
        {isOpen && (
          <MenuItem icon={<Forward size={16} aria-hidden className="rtl:-scale-x-100" />} onSelect={onTransfer}>
            {t('Hand to a teammate')}
          </MenuItem>
        )}
        {isOpen && chat.claimedBy && (
          <MenuItem
            icon={<Undo2 size={16} aria-hidden className="rtl:-scale-x-100" />}
            onSelect={() => transfer(chat, null)}
          >
            {t('Back to the queue')}
          </MenuItem>
        )}
        <MenuItem icon={<FileText size={16} aria-hidden />} onSelect={() => save(chat, 'txt')}>
          {t('Save as TXT')}
        </MenuItem>
        <MenuItem icon={<Printer size={16} aria-hidden />} onSelect={() => save(chat, 'pdf')}>
          {t('Save as PDF')}
        </MenuItem>
        {site && can(site, 'chats.delete') && (
          <MenuItem tone="danger" icon={<Trash2 size={16} aria-hidden />} onSelect={() => setDeleting(true)}>
            {t('Delete chat')}
          </MenuItem>
        )}
      </DropdownMenu>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={t('Delete chat')}
        text={t(
          'The chat of {name} will be deleted, with all its messages, files and notes. This action cannot be undone.',
          { name },
        )}
        confirmLabel={t('Delete chat')}
        onConfirm={() => void remove(chat)}
        busy={isPending}
      />
      <SnoozeDialog
        chat={chat}
        open={snoozing && isOpen}
        onOpenChange={setSnoozing}
        onSnooze={(until) => snooze(chat, until)}
        onBringBack={() => unsnooze(chat)}
      />
      {site && (
        <TransferDialog
          chat={chat}
          site={site}
          userId={userId}
          open={transferring && isOpen}
          onOpenChange={setTransferring}
        />
      )}
    </>
  );
}

function save({ _id }: Chat, format: ExportFormat): void {
  const query = new URLSearchParams({ format, tz: localTimeZone() });
  void saveFile(`/chats/${_id}/export?${query}`, `chat-${_id}.${format}`);
}
