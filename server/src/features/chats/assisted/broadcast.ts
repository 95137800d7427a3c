import { events, rooms, type VisitorNamespace } from '#platform/events';
import type { ChatIds } from '../events.ts';

/** Emits to a chat's widget what the assistant does. @returns a disposer */
export function broadcastAssistant(namespace: VisitorNamespace): () => void {
  const visitorOf = ({ visitor }: ChatIds) => namespace.local.to(rooms.visitor(visitor.toHexString()));
  return events.stopAll([
    events.everywhere('assistantText', ({ chat, ...text }) => {
      visitorOf(chat).volatile.emit('assistant_text', { chatId: chat._id.toHexString(), ...text });
    }),
    events.everywhere('assistantChanged', ({ chat, assistant }) => {
      visitorOf(chat).emit('assistant_changed', { chatId: chat._id.toHexString(), assistant });
    }),
    events.everywhere('messageStored', ({ chat, message }) => {
      if (message.event === 'handed_over')
        visitorOf(chat).emit('assistant_changed', { chatId: chat._id.toHexString(), assistant: null });
    }),
  ]);
}
