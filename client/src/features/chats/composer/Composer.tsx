import { type ReactNode, useId, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type Chat, can, type Site, type User } from 'server/contract';
import { ManageReplies } from '#features/replies';
import { drafts, useDraft } from '../../../lib/drafts.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useReopen } from '../actions/api.ts';
import { DeepLink } from './DeepLink.tsx';
import { MessageField, type MessageFieldProps } from './MessageField.tsx';
import type { ComposerMode, Mode } from './mode.ts';

interface ComposerProps extends Pick<MessageFieldProps, 'field' | 'draftFiles' | 'sending' | 'onEditLast'> {
  chat: Chat;
  user: User;
  /** Unknown while the websites are loading. */
  site: Site | undefined;
  mode: ComposerMode;
}

/**
 * The bottom of a chat: where replies and notes are written, or the reason why the user cannot. What happens to the chat while
 * somebody writes may lock the field, but leaves its text, its focus and its readers as they are.
 */
export function Composer({ chat, user, site: given, mode, ...writing }: ComposerProps) {
  const { field } = writing;
  const mayWrite = given !== undefined && can(given, 'chats.reply');
  // As it was when the user could still write.
  const [site, setSite] = useState<Site>();
  if (mayWrite && given !== site) setSite(given);
  const [isManaging, setManaging] = useState(false);
  const [params] = useSearchParams();
  const isDeepLink = params.has('do') || params.has('reply');
  const noticeId = useId();
  const isClosed = chat.status === 'closed';
  const isLocked = !mayWrite || (isClosed && mode.mode === 'reply');
  const choose = (next: Mode) => {
    mode.choose(next);
    field.current?.focus();
  };

  if (!site) return given ? <Notice>{readOnlyText()}</Notice> : null;
  const names = { 'visitor.name': chat.visitorInfo.name, 'agent.name': user.name, 'site.name': site.name };
  return (
    <>
      {isDeepLink && <DeepLink chat={chat} user={user} names={names} field={field} mode={mode} />}
      <div id={noticeId} role="status" className="shrink-0">
        {!mayWrite ? (
          <Notice>{readOnlyText()}</Notice>
        ) : isClosed ? (
          <Notice>
            {t('This chat is closed. When the visitor writes again, a new chat begins.')}
            {isLocked && <Unlock chat={chat} keys={mode.keys} onMode={choose} />}
          </Notice>
        ) : mode.isReopened ? (
          <Notice>
            {t('The chat is open again. What you write here is still a note.')}
            <NoticeButton onClick={() => choose('reply')}>{t('Write a reply')}</NoticeButton>
          </Notice>
        ) : (
          chat.blocked && <Notice>{t('This visitor is blocked: what they write does not reach you.')}</Notice>
        )}
      </div>
      <MessageField
        {...writing}
        chat={chat}
        userId={user._id}
        site={site}
        names={names}
        mode={mode.mode}
        onMode={choose}
        draftKey={mode.keys[mode.mode]}
        isLocked={isLocked}
        noticeId={noticeId}
        onManage={() => setManaging(true)}
      />
      <Dialog
        open={isManaging}
        onOpenChange={setManaging}
        title={t('Canned replies')}
        text={t('Texts for {name}, for everybody or only for you. Type / in a chat to insert one.', {
          name: site.name,
        })}
      >
        <ManageReplies site={site} onDone={() => setManaging(false)} />
      </Dialog>
    </>
  );
}

interface UnlockProps {
  chat: Chat;
  keys: ComposerMode['keys'];
  onMode: (mode: Mode) => void;
}

/** What can be done about a reply to a chat that was closed meanwhile. */
function Unlock({ chat, keys, onMode }: UnlockProps) {
  const reopen = useReopen();
  const [text] = useDraft(keys.reply);
  const keepAsNote = () => {
    const texts = [drafts.read(keys.note), drafts.take(keys.reply)];
    drafts.write(keys.note, texts.filter((each) => each.trim() !== '').join('\n'));
    onMode('note');
  };
  return (
    <>
      <NoticeButton
        onClick={() => {
          reopen(chat);
          onMode('reply');
        }}
      >
        {t('Reopen')}
      </NoticeButton>
      <NoticeButton onClick={keepAsNote}>{text.trim() === '' ? t('Write a note') : t('Keep as a note')}</NoticeButton>
    </>
  );
}

function readOnlyText(): string {
  return t('You can read this chat, but not answer it: your role on this website is viewer.');
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 border-t bg-background px-6 py-3 text-center text-balance text-muted">
      {children}
    </p>
  );
}

function NoticeButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <Button variant="secondary" size="sm" onClick={onClick}>
      {children}
    </Button>
  );
}
