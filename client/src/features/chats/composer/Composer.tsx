import { type RefObject, useState } from 'react';
import { type Chat, can, type Site, type User } from 'server/contract';
import { Dialog } from '../../../ui/Dialog.tsx';
import { onDemand } from '../../../ui/onDemand.ts';
import type { Sending } from '../outbox/sending.ts';
import { hasDraft } from './draft.ts';
import { Writer } from './MessageField.tsx';
import type { Mode } from './Modes.tsx';
import type { Staged } from './staged.ts';

const replies = onDemand(() => import('./ManageReplies.tsx'));

interface ComposerProps {
  chat: Chat;
  user: User;
  /** Unknown while the sites are on their way. */
  site: Site | undefined;
  field: RefObject<HTMLTextAreaElement | null>;
  staged: Staged;
  sending: Sending;
}

/** The foot of a chat: where answers and notes are written, or why they cannot be. */
export function Composer({ chat, user, site, field, staged, sending }: ComposerProps) {
  const draftOf = `${user._id}:${chat._id}`;
  const [chosen, choose] = useState<Mode>(() => (hasDraft(`${draftOf}:note`) && !hasDraft(draftOf) ? 'note' : 'reply'));
  // Files dropped while one writes a note are for the visitor, and must be seen.
  const [held, hold] = useState(staged.files);
  if (held !== staged.files) {
    hold(staged.files);
    if (staged.files.length > held.length) choose('reply');
  }
  const [isManaging, setManaging] = useState(false);
  const loaded = replies.usePart(isManaging);
  const isClosed = chat.status === 'closed';
  const mode = isClosed ? 'note' : chosen;

  if (!site || !can(site, 'chats.reply')) {
    return (
      <Strip>{site ? 'You can read this chat, but not answer it: your role on this website is viewer.' : ''}</Strip>
    );
  }
  return (
    <>
      {isClosed && <Strip>This chat is closed. When the visitor writes again, a new chat begins.</Strip>}
      {chat.blocked && !isClosed && <Strip>This visitor is blocked: what they write does not reach you.</Strip>}
      <Writer
        chatId={chat._id}
        site={site}
        mode={mode}
        onMode={isClosed ? null : choose}
        draftOf={mode === 'note' ? `${draftOf}:note` : draftOf}
        field={field}
        staged={staged}
        sending={sending}
        onManage={() => setManaging(true)}
      />
      <Dialog
        open={isManaging && loaded !== null}
        onOpenChange={setManaging}
        title="Canned replies"
        text={`For everybody who answers for ${site.name}. Type / in a chat to find them.`}
      >
        {loaded && <loaded.Replies site={site} onDone={() => setManaging(false)} />}
      </Dialog>
    </>
  );
}

function Strip({ children }: { children: string }) {
  return <p className="shrink-0 border-t bg-background px-6 py-3 text-center text-balance text-muted">{children}</p>;
}
