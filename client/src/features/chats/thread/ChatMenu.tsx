import { Ellipsis, FileText, Forward, Printer, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { type Chat, can, type ExportFormat, type Site } from 'server/contract';
import { timeZone } from '../../../lib/format.ts';
import { saveFile } from '../../../shared/saveFile.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuItem } from '../../../ui/DropdownMenu.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useDeleteChat, useTransfer } from '../actions.ts';

interface MenuProps {
  chat: Chat;
  site: Site | undefined;
  onTransfer: () => void;
  onDeleted: () => void;
}

/** What is done with a chat now and then. */
export function Menu({ chat, site, onTransfer, onDeleted }: MenuProps) {
  const [deleting, setDeleting] = useState(false);
  const transfer = useTransfer();
  const { remove, isPending } = useDeleteChat(onDeleted);
  const isOpen = site !== undefined && can(site, 'chats.reply') && chat.status !== 'closed';
  const name = visitorName(chat.visitorInfo.name);
  return (
    <>
      <DropdownMenu
        label="Chat"
        trigger={
          <IconButton label="More">
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
      >
        {isOpen && (
          <MenuItem icon={<Forward size={16} aria-hidden />} onSelect={onTransfer}>
            Hand to a teammate
          </MenuItem>
        )}
        {isOpen && chat.claimedBy && (
          <MenuItem icon={<Undo2 size={16} aria-hidden />} onSelect={() => transfer(chat, null)}>
            Back to the queue
          </MenuItem>
        )}
        <MenuItem icon={<FileText size={16} aria-hidden />} onSelect={() => save(chat, 'txt')}>
          Save as TXT
        </MenuItem>
        <MenuItem icon={<Printer size={16} aria-hidden />} onSelect={() => save(chat, 'pdf')}>
          Save as PDF
        </MenuItem>
        {site && can(site, 'chats.delete') && (
          <MenuItem tone="danger" icon={<Trash2 size={16} aria-hidden />} onSelect={() => setDeleting(true)}>
            Delete chat
          </MenuItem>
        )}
      </DropdownMenu>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title="Delete chat"
        text={`The chat of ${name} goes for good, with all its messages, files and notes. This action cannot be undone.`}
        confirmLabel="Delete chat"
        onConfirm={() => remove(chat)}
        busy={isPending}
      />
    </>
  );
}

function save({ _id }: Chat, format: ExportFormat): void {
  const query = new URLSearchParams({ format, tz: timeZone });
  void saveFile(`/chats/${_id}/export?${query}`, `chat-${_id}.${format}`);
}
