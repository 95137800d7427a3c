import type { FlowButton, WidgetButtons } from 'server/contract';
import type { State } from '../chat/state.ts';

/** Buttons that stand together, and the question that they answer; '': none. */
export interface Level {
  question: string;
  buttons: FlowButton[];
}

/**
 * The buttons that follow from what the visitor has tapped since the chat began, in this language or in the site's main one. null:
 * something else was said, or the last button has led somewhere. What a rule of the site has sent is no answer, and changes nothing.
 */
export function levelAfter(
  { chat, messages, pending }: Pick<State, 'chat' | 'messages' | 'pending'>,
  { buttons, main }: WidgetButtons,
): Level | null {
  const isOpen = chat !== null && chat.status !== 'closed';
  const all = messages.filter(({ chatId }) => isOpen && chatId === chat._id);
  const own = all.filter(({ clientId, _id }) => clientId !== _id);
  // Where earlier messages are not loaded, there were more of them than levels.
  if (own.some(({ sender }) => sender !== 'visitor') || (all[0] && all[0].seq > 1)) return null;
  const stored = new Set(messages.map(({ clientId }) => clientId));
  const waiting = pending.filter(({ clientId, failed }) => !failed && !stored.has(clientId));
  let level: Level = { question: '', buttons };
  for (const text of [...own.map(({ text }) => text), ...waiting.map(({ content }) => content)]) {
    const tapped =
      level.buttons.find(({ label }) => label === text) ?? level.buttons.find(({ id }) => main[id] === text);
    if (tapped?.target.kind !== 'question') return null;
    level = tapped.target;
  }
  return level;
}
