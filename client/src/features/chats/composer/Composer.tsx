import { type RefObject, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type Chat, can, type Site, type User } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { onDemand } from '../../../ui/onDemand.ts';
import type { Sending } from '../outbox/sending.ts';
import type { Mode } from './ComposerTools.tsx';
import { type DraftFiles, hasDraftText } from './draft.ts';
import { MessageField } from './MessageField.tsx';

const manageReplies = onDemand(() => import('./ManageReplies.tsx'));
const landing = onDemand(() => import('./Landing.tsx'));

interface ComposerProps {
  chat: Chat;
  user: User;
  /** Unknown while the websites are loading. */
  site: Site | undefined;
  field: RefObject<HTMLTextAreaElement | null>;
  draftFiles: DraftFiles;
  sending: Sending;
  /** Begins to correct the user's last message. */
  onEditLast: () => void;
}

/** The bottom of a chat: where replies and notes are written, or the reason why the user cannot. */
export function Composer({ chat, user, site, field, draftFiles, sending, onEditLast }: ComposerProps) {
  const replyOwner = `${user._id}:${chat._id}`;
  const noteOwner = `${replyOwner}:note`;
  const [chosen, setChosen] = useState<Mode>(() =>
    hasDraftText(noteOwner) && !hasDraftText(replyOwner) ? 'note' : 'reply',
  );
  // Notes have no files: files dropped while one is written are for a reply, and must be shown.
  const [files, setFiles] = useState(draftFiles.files);
  if (files !== draftFiles.files) {
    setFiles(draftFiles.files);
    if (draftFiles.files.length > files.length) setChosen('reply');
  }
  const [isManaging, setManaging] = useState(false);
  const loaded = manageReplies.usePart(isManaging);
  const [params] = useSearchParams();
  const isLanding = params.has('do') || params.has('reply');
  const landed = landing.usePart(isLanding);
  const isClosed = chat.status === 'closed';
  const mode = isClosed ? 'note' : chosen;

  if (!site || !can(site, 'chats.reply')) {
    return (
      <Notice>
        {site ? t('You can read this chat, but not answer it: your role on this website is viewer.') : ''}
      </Notice>
    );
  }
  const names = { 'visitor.name': chat.visitorInfo.name, 'agent.name': user.name, 'site.name': site.name };
  return (
    <>
      {isLanding && landed && (
        <landed.Landing
          chat={chat}
          user={user}
          names={names}
          field={field}
          isReply={mode === 'reply'}
          onReply={() => setChosen('reply')}
        />
      )}
      {isClosed && <Notice>{t('This chat is closed. When the visitor writes again, a new chat begins.')}</Notice>}
      {chat.blocked && !isClosed && (
        <Notice>{t('This visitor is blocked: what they write does not reach you.')}</Notice>
      )}
      <MessageField
        chatId={chat._id}
        userId={user._id}
        site={site}
        names={names}
        mode={mode}
        onMode={isClosed ? null : setChosen}
        draftOwner={mode === 'note' ? noteOwner : replyOwner}
        field={field}
        draftFiles={draftFiles}
        sending={sending}
        onEditLast={onEditLast}
        onManage={() => setManaging(true)}
      />
      <Dialog
        open={isManaging && loaded !== null}
        onOpenChange={setManaging}
        title={t('Canned replies')}
        text={t('Texts for {name}, for everybody or only for you. Type / in a chat to insert one.', {
          name: site.name,
        })}
      >
        {loaded && <loaded.ManageReplies site={site} onDone={() => setManaging(false)} />}
      </Dialog>
    </>
  );
}

function Notice({ children }: { children: string }) {
  return <p className="shrink-0 border-t bg-background px-6 py-3 text-center text-balance text-muted">{children}</p>;
}
