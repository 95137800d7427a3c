import type { UseQueryResult } from '@tanstack/react-query';
import { MessageCircleX, Upload } from 'lucide-react';
import { type ReactNode, type RefObject, useState } from 'react';
import toast from 'react-hot-toast';
import { type Chat, can, type Site } from 'server/contract';
import { AssistantBar, CanTranslateContext, useCanWrite } from '#features/assistant';
import { ApiError } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { useShortcuts } from '../../../lib/keyboard.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { useStopAssistant } from '../actions/api.ts';
import { useClaim } from '../actions/claim.ts';
import { Composer } from '../composer/Composer.tsx';
import { useDraftFiles, useFileDrop } from '../composer/draft.ts';
import { ReopenedContext, useComposerMode } from '../composer/mode.ts';
import type { Thread } from '../live/thread.ts';
import { useSending } from '../outbox/outbox.ts';
import { useUploads } from '../outbox/uploads.ts';
import { inboxKeymap } from '../shortcuts.ts';
import { EditingContext, useEditing, useEditLast } from './editing.ts';
import { FindBar } from './FindBar.tsx';
import { ConversationSkeleton, MessagesSkeleton } from './Skeletons.tsx';
import { ThreadView, type ThreadViewProps } from './ThreadView.tsx';

interface ThreadPaneProps extends Omit<ThreadViewProps, 'thread' | 'sending'> {
  thread: UseQueryResult<Thread>;
  /** Unknown while the websites are loading. */
  site: Site | undefined;
  composer: RefObject<HTMLTextAreaElement | null>;
  /** Shown above the messages. @param onFind opens the search within the chat */
  header: (onFind: () => void) => ReactNode;
}

/** What a page passes on to the chat that is open in it. */
export interface OpenChatProps extends Pick<ThreadPaneProps, 'user' | 'composer' | 'at' | 'onShow'> {
  chatId: string;
  /** Deselects the chat. */
  onBack: () => void;
}

/** The middle of an open chat, in the inbox and in the console: the thread and the composer. */
export function ThreadPane({ chat, thread, user, site, composer, at, onShow, header }: ThreadPaneProps) {
  const sending = useSending(chat._id, user, useUploads(chat._id, user));
  const draftFiles = useDraftFiles(`${user._id}:${chat._id}`);
  const mayWrite = site !== undefined && can(site, 'chats.reply') && chat.status !== 'closed';
  const editing = useEditing(chat._id, user._id, composer);
  const editLast = useEditLast({ chatId: chat._id, userId: user._id, sending, composer, edit: editing.edit });
  const mode = useComposerMode(chat, user, composer, draftFiles.files.length > 0);
  const onDrop = (files: Iterable<File>) => {
    draftFiles.add(files);
    if (!mode.offerReply()) toast(t('Notes have no files. They are kept for your reply.'));
  };
  const drop = useFileDrop(mayWrite ? onDrop : null);
  const claim = useClaim();
  const canTranslate = useCanWrite(site);
  const stop = useStopAssistant();
  const [finding, setFinding] = useState(false);
  useShortcuts(inboxKeymap({ find: () => setFinding(true) }));
  return (
    <section aria-label={t('Chat')} className="relative flex min-w-0 flex-1 flex-col" {...drop.handlers}>
      <ReopenedContext value={mode.offerReply}>{header(() => setFinding(true))}</ReopenedContext>
      {finding && <FindBar chatId={chat._id} at={at} onShow={onShow} onClose={() => setFinding(false)} />}
      {thread.data ? (
        <EditingContext value={editing}>
          <CanTranslateContext value={canTranslate}>
            <ThreadView chat={chat} thread={thread.data} user={user} sending={sending} at={at} onShow={onShow} />
          </CanTranslateContext>
        </EditingContext>
      ) : thread.isError ? (
        <div className="flex flex-1 items-center justify-center">
          <ErrorState what={t('The messages could not be loaded.')} onRetry={() => void thread.refetch()} />
        </div>
      ) : (
        <MessagesSkeleton />
      )}
      {chat.assistant?.active && (
        <AssistantBar chatId={chat._id} mayAct={mayWrite} onTakeOver={() => claim(chat)} onStop={() => stop(chat)} />
      )}
      <Composer
        chat={chat}
        user={user}
        site={site}
        field={composer}
        mode={mode}
        draftFiles={draftFiles}
        sending={sending}
        onEditLast={editLast}
      />
      {drop.isOver && <DropHint />}
    </section>
  );
}

/** Shown while the chat is loading, or when there is none. */
export function NoChat({ chat }: { chat: UseQueryResult<Chat> }) {
  if (chat.isPending) return <ConversationSkeleton />;
  const isGone = chat.error instanceof ApiError && chat.error.status === 404;
  return (
    <div className="flex flex-1 items-center justify-center">
      {isGone ? (
        <EmptyState
          icon={MessageCircleX}
          title={t('This chat does not exist')}
          text={t('It was deleted, or you are not on the team of its website.')}
        />
      ) : (
        <ErrorState what={t('The chat could not be loaded.')} onRetry={() => void chat.refetch()} />
      )}
    </div>
  );
}

function DropHint() {
  return (
    <p className="pointer-events-none absolute inset-2 z-20 flex animate-fade items-center justify-center gap-2 rounded-card border-2 border-accent border-dashed bg-accent-soft/90 font-medium text-accent-strong">
      <Upload size={20} aria-hidden />
      {t('Drop files to send them')}
    </p>
  );
}
