import { UserRoundCheck, UserRoundCog } from 'lucide-react';
import type { Chat } from 'server/contract';

/** Who has the chat, and whether he took it or the server gave it to him; nothing where nobody has it. */
export function Claimed({ chat, userId, spelled = false }: { chat: Chat; userId: string; spelled?: boolean }) {
  if (!chat.claimedBy) return null;
  const word = chat.assignedAt ? 'Assigned to' : 'Claimed by';
  const Icon = chat.assignedAt ? UserRoundCog : UserRoundCheck;
  const name = chat.claimedBy._id === userId ? 'you' : chat.claimedBy.name;
  return (
    <span className="inline-flex min-w-0 items-center gap-1" title={`${word} ${name}`}>
      {!spelled && <Icon size={14} aria-hidden className="shrink-0" />}
      <span dir="auto" className="truncate">
        <span className={spelled ? '' : 'sr-only'}>{word} </span>
        {name}
      </span>
    </span>
  );
}
