import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MessageSquarePlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type Chat, can, MESSAGE_MAX_LENGTH, type Site } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { clientIdFor } from '../../../lib/clientId.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { failureText } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Textarea } from '../../../ui/Input.tsx';
import { putChat } from '../live/cache.ts';
import { useChatsUrl } from '../url.ts';

/** Writes to a visitor who is online and whose last chat is closed. */
export function StartChat({ chat, userId, site }: { chat: Chat; userId: string; site: Site }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useDraft(`${userId}:start:${chat.visitorId}`);
  const start = useStartChat(chat.visitorId, () => setText(''));
  const url = useChatsUrl();
  if (chat.status !== 'closed' || chat.blocked || !can(site, 'chats.reply')) return null;
  const content = text.trim();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (content === '' || start.isPending) return;
    start.mutate(clientIdFor(start.variables, content), {
      onSuccess: (begun) => {
        setOpen(false);
        url.open(begun._id);
      },
    });
  };
  return (
    <>
      <Button size="sm" className="mt-1" onClick={() => setOpen(true)}>
        <MessageSquarePlus size={16} aria-hidden />
        {t('Start a chat')}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('Start a chat')}
        text={
          chat.visitorInfo.name
            ? t('{name} is on {site} right now and sees your message at once.', {
                name: chat.visitorInfo.name,
                site: site.name,
              })
            : t('The visitor is on {site} right now and sees your message at once.', { site: site.name })
        }
      >
        <form onSubmit={onSubmit} className="pt-4">
          <Field
            label={t('Message')}
            error={start.isError ? failureText(start.error, t('The chat could not be started.')) : undefined}
          >
            <Textarea value={text} maxLength={MESSAGE_MAX_LENGTH} onChange={(event) => setText(event.target.value)} />
          </Field>
          <div className="flex justify-end gap-2 pt-5">
            <Button variant="secondary" onClick={() => setOpen(false)}>
              {t('Cancel')}
            </Button>
            <Button type="submit" busy={start.isPending} disabled={content === ''}>
              {t('Send')}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

/** Idempotent: the same text sent again after a failure has the same `clientId`. @param onSent called also if the form is gone by then */
function useStartChat(visitorId: string, onSent: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ content, clientId }: { content: string; clientId: string }) =>
      (await call('POST /visitors/:id/chats', { params: { id: visitorId }, body: { content, clientId } })).chat,
    onSuccess: (chat) => {
      onSent();
      putChat(client, chat);
      void client.invalidateQueries({ queryKey: keys.earlier(visitorId) });
    },
  });
}
