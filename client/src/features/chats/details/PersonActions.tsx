import { Ban, Download, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { type Chat, can, type Site } from 'server/contract';
import { saveFile } from '../../../shared/saveFile.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { useBlock, useErase } from './people.ts';

interface PersonActionsProps {
  chat: Chat;
  site: Site;
  onErased: () => void;
}

/** What may be done about a person: a copy of all that is kept, peace from them, and forgetting them. */
export function PersonActions({ chat, site, onErased }: PersonActionsProps) {
  const [erasing, setErasing] = useState(false);
  const block = useBlock();
  const { erase, isPending } = useErase(onErased);
  const name = chat.visitorInfo.name || 'this visitor';
  const save = () => void saveFile(`/visitors/${chat.visitorId}/export`, `visitor-${chat.visitorId}.json`);
  return (
    <section aria-label="This visitor" className="flex flex-col items-start gap-1 px-2 py-4">
      <Button variant="ghost" size="sm" onClick={save}>
        <Download size={16} aria-hidden />
        Save a copy of all data
      </Button>
      {can(site, 'visitors.block') && (
        <Button variant="ghost" size="sm" onClick={() => block(chat)}>
          <Ban size={16} aria-hidden />
          {chat.blocked ? 'Unblock visitor' : 'Block visitor'}
        </Button>
      )}
      {can(site, 'visitors.erase') && (
        <Button
          variant="ghost"
          size="sm"
          className="text-danger! hover:bg-danger-soft!"
          onClick={() => setErasing(true)}
        >
          <UserRoundX size={16} aria-hidden />
          Erase visitor
        </Button>
      )}
      <ConfirmDialog
        open={erasing}
        onOpenChange={setErasing}
        title="Erase visitor"
        text={`All that is kept of ${name} goes for good: every chat on ${site.name}, with its messages, files and notes. This action cannot be undone.`}
        confirmLabel="Erase visitor"
        onConfirm={() => erase(chat.visitorId)}
        busy={isPending}
      />
    </section>
  );
}
