import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import toast from 'react-hot-toast';
import { useSearchParams } from 'react-router-dom';
import { type Chat, fillPlaceholders, type PlaceholderValues, type User } from 'server/contract';
import { useCannedReplies } from '#features/replies';
import { drafts } from '../../../lib/drafts.ts';
import { t } from '../../../lib/i18n.ts';
import { isClaimable, useClaim } from '../actions/claim.ts';
import type { ComposerMode } from './mode.ts';

interface DeepLinkProps {
  chat: Chat;
  user: User;
  names: PlaceholderValues;
  field: RefObject<HTMLTextAreaElement | null>;
  mode: ComposerMode;
}

/**
 * Deep links: does what a link of a notification or a mail asks for, once: the field is ready for a reply, `do=claim` claims the chat, and
 * `reply` adds a canned reply to the draft. Nothing happens before somebody looks at the page: browsers open links ahead.
 */
export function DeepLink({ chat, user, names, field, mode }: DeepLinkProps) {
  const [params, setParams] = useSearchParams();
  const replyId = params.get('reply');
  const claim = useClaim();
  const isSeen = useIsSeen();
  const replies = useCannedReplies(chat.site._id, replyId !== null && isSeen);
  const mayReply = chat.status !== 'closed';
  const isLoaded = replyId === null || !replies.isPending;

  const claimOrSayWho = () => {
    const isMine = chat.claimedBy?._id === user._id;
    // What the server assigned is claimed by hand.
    if (isClaimable(chat) || (isMine && chat.assignedAt)) claim(chat);
    else if (chat.claimedBy && !isMine) toast(t('Already claimed by {name}', { name: chat.claimedBy.name }));
  };
  const begin = useEffectEvent(() => {
    const isClaim = params.get('do') === 'claim';
    if (mayReply && isClaim && replyId === null) mode.offerReply();
    else if (mayReply) mode.choose('reply');
    if (isClaim) claimOrSayWho();
    field.current?.focus();
  });
  // The reply may arrive when a note is being written: it goes into its own draft.
  const finish = useEffectEvent(() => {
    const reply = replies.data?.find(({ _id }) => _id === replyId);
    if (replyId !== null && mayReply) {
      if (reply) addToDraft(mode.keys.reply, fillPlaceholders(reply.content, names));
      else
        toast.error(
          replies.isError ? t('The canned reply could not be loaded.') : t('This canned reply does not exist.'),
        );
    }
    const rest = new URLSearchParams(params);
    for (const name of ['do', 'reply']) rest.delete(name);
    // Replaced, so that neither a reload nor the way back does it again.
    setParams(rest, { replace: true });
  });
  useEffect(() => {
    if (isSeen) begin();
  }, [isSeen]);
  useEffect(() => {
    if (isSeen && isLoaded) finish();
  }, [isSeen, isLoaded]);
  return null;
}

/** Whether somebody has looked at the page since it was opened. */
function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') setSeen(true);
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}

function addToDraft(key: string, text: string): void {
  const begun = drafts.read(key);
  if (!begun.includes(text)) drafts.write(key, begun.trim() === '' ? text : `${begun}\n${text}`);
}
