import { useState } from 'react';
import type { User } from 'server/contract';
import { lastSeq, type Thread } from '../model/thread.ts';

/** How many are held for screen readers that are slow to ask. */
const KEPT = 5;

interface AnnouncerProps {
  thread: Thread;
  visitorName: string;
  user: User;
}

/** Reads what others write out to screen readers, each once; not what was there, nor what is loaded above it. */
export function Announcer({ thread, visitorName, user }: AnnouncerProps) {
  const [fromSeq] = useState(() => lastSeq(thread));
  const [fromNote] = useState(() => thread.notes.at(-1)?.createdAt ?? '');
  const messages = thread.messages.slice(-KEPT).filter(({ seq, senderId }) => seq > fromSeq && senderId !== user._id);
  const notes = thread.notes.slice(-1).filter((each) => each.createdAt > fromNote && each.author._id !== user._id);
  return (
    <div role="log" aria-live="polite" aria-label="New messages" className="sr-only">
      {messages.map(({ seq, sender, senderName, file, content }) => (
        <p key={seq}>
          {sender !== 'system' && `${sender === 'visitor' ? visitorName : (senderName ?? 'Team')}: `}
          {file && 'File '}
          {content}
        </p>
      ))}
      {notes.map(({ _id, author, content }) => (
        <p key={_id}>
          Note by {author.name}: {content}
        </p>
      ))}
    </div>
  );
}
