import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, Download, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { type Chat, can, type Site } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { saveFile } from '../../../shared/saveFile.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { showFailure } from '../../../ui/failureToast.tsx';
import { putChat, removeChats } from '../live/cache.ts';

/** Exports the visitor's data, blocks and erases the visitor. */
export function VisitorActions({ chat, site, onErased }: { chat: Chat; site: Site; onErased: () => void }) {
  const [erasing, setErasing] = useState(false);
  const toggleBlock = useToggleBlock();
  const { erase, isPending } = useErase(onErased);
  const { name } = chat.visitorInfo;
  const save = () => void saveFile(`/visitors/${chat.visitorId}/export`, `visitor-${chat.visitorId}.json`);
  return (
    <section aria-label={t('This visitor')} className="flex flex-col items-start gap-1 px-2 py-4">
      <Button variant="ghost" size="sm" onClick={save}>
        <Download size={16} aria-hidden />
        {t('Save a copy of all data')}
      </Button>
      {can(site, 'visitors.block') && (
        <Button variant="ghost" size="sm" onClick={() => toggleBlock(chat)}>
          <Ban size={16} aria-hidden />
          {chat.blocked ? t('Unblock visitor') : t('Block visitor')}
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
          {t('Erase visitor')}
        </Button>
      )}
      <ConfirmDialog
        open={erasing}
        onOpenChange={setErasing}
        title={t('Erase visitor')}
        text={
          name
            ? t(
                'All data of {name} will be deleted: every chat on {site}, with its messages, files and notes. This action cannot be undone.',
                { name, site: site.name },
              )
            : t(
                'All data of this visitor will be deleted: every chat on {site}, with its messages, files and notes. This action cannot be undone.',
                { site: site.name },
              )
        }
        confirmLabel={t('Erase visitor')}
        onConfirm={() => void erase(chat.visitorId)}
        busy={isPending}
      />
    </section>
  );
}

/** Blocks or unblocks the visitor of a chat; an optimistic update. */
function useToggleBlock() {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ visitorId, blocked }: Chat) =>
      call(blocked ? 'DELETE /visitors/:id/block' : 'POST /visitors/:id/block', { params: { id: visitorId } }),
    onMutate: (chat) => putChat(client, { ...chat, blocked: !chat.blocked }),
    onError: (error, chat) => {
      putChat(client, chat);
      showFailure(error, t('The visitor could not be blocked or unblocked.'), () => mutate(chat));
    },
  });
  return (chat: Chat) => mutate(chat);
}

function useErase(onDone: () => void) {
  const client = useQueryClient();
  const erasure = useMutation({
    mutationFn: (visitorId: string) => call('DELETE /visitors/:id', { params: { id: visitorId } }),
    onSuccess: (_, erased) => {
      onDone();
      removeChats(client, ({ visitorId }) => visitorId === erased);
    },
  });
  const erase = useAction(erasure, { success: t('Visitor erased'), failure: t('The visitor could not be erased.') });
  return { erase, isPending: erasure.isPending };
}
