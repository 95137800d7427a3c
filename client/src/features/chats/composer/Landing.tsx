import { type RefObject, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import toast from 'react-hot-toast';
import { useSearchParams } from 'react-router-dom';
import { type Chat, fillPlaceholders, type PlaceholderValues, type User } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { useCannedReplies } from '../../../shared/cannedReplies.ts';
import { isClaimable, useClaim } from '../actions/claim.ts';

interface LandingProps {
  chat: Chat;
  user: User;
  names: PlaceholderValues;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Whether the field is for a reply, and not for a note. */
  isReply: boolean;
  onReply: () => void;
}

/**
 * Does what a link of a notification or a mail asks for, once: `do=claim` claims the chat, `reply` puts a canned reply into
 * the field, and the field gets the focus. Nothing happens before somebody looks at the page: browsers open links ahead.
 */
export function Landing({ chat, user, names, field, isReply, onReply }: LandingProps) {
  const [params, setParams] = useSearchParams();
  const replyId = params.get('reply');
  const claim = useClaim();
  const isVisible = useIsVisible();
  const replies = useCannedReplies(chat.site._id, replyId !== null && isVisible);
  const mayReply = chat.status !== 'closed';
  const isReady = isVisible && (isReply || !mayReply) && (replyId === null || !replies.isPending);

  const takeUp = () => {
    const isMine = chat.claimedBy?._id === user._id;
    // What the server assigned is claimed by hand.
    if (isClaimable(chat) || (isMine && chat.assignedAt)) claim(chat);
    else if (chat.claimedBy && !isMine) toast(t('Already claimed by {name}', { name: chat.claimedBy.name }));
  };
  const insertReply = () => {
    const reply = replies.data?.find(({ _id }) => _id === replyId);
    if (reply && field.current) insert(field.current, fillPlaceholders(reply.content, names));
    else
      toast.error(
        replies.isError ? t('The canned reply could not be loaded.') : t('This canned reply does not exist.'),
      );
  };
  const land = useEffectEvent(() => {
    const rest = new URLSearchParams(params);
    for (const name of ['do', 'reply']) rest.delete(name);
    // Replaced, so that neither a reload nor the way back does it again.
    setParams(rest, { replace: true });
    if (params.get('do') === 'claim') takeUp();
    if (replyId !== null && mayReply) insertReply();
    field.current?.focus();
  });
  const switchToReply = useEffectEvent(onReply);
  useEffect(() => {
    if (!isReply && mayReply) switchToReply();
  }, [isReply, mayReply]);
  useEffect(() => {
    if (isReady) land();
  }, [isReady]);
  return null;
}

function useIsVisible(): boolean {
  return useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed);
      return () => document.removeEventListener('visibilitychange', changed);
    },
    () => document.visibilityState === 'visible',
  );
}

/** Adds a text to what is in the field already, as if it was typed. */
function insert(area: HTMLTextAreaElement, text: string): void {
  if (area.value.includes(text)) return;
  const { length } = area.value;
  const isBegun = area.value.trim() !== '';
  area.setRangeText(isBegun ? `\n${text}` : text, isBegun ? length : 0, length, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}
