import type { Message } from 'server/contract';
import type { ChatContext } from '../chat/context.ts';

/** Emits the page's events, and remembers for the next page view whether there is a conversation to continue. */
export function createPageEvents(context: ChatContext) {
  const { host, store, storage, loadPart, language, panel } = context;
  let unread = 0;
  let chatId = '';
  let isOpen = false;
  let settled = false;

  function reportUnread(): void {
    const count = store.unread();
    const { chat, pending, connection } = store.state;
    const continues = pending.length > 0 || count > 0 || (chat !== null && chat.status !== 'closed');
    // Before the server has answered, an empty conversation says nothing.
    if (continues || connection === 'live') storage.write('on', continues ? '1' : '');
    if (count !== unread) host.emit('unread', count);
    unread = count;
  }

  /** The state at the first answer of the server is not a change, and emits nothing. */
  function reportChat(): void {
    const { chat, connection } = store.state;
    const was = { chatId, isOpen };
    chatId = chat?._id ?? '';
    isOpen = chat !== null && chat.status !== 'closed';
    if (settled && isOpen && (chatId !== was.chatId || !was.isOpen)) host.emit('chat:started', { chatId });
    if (settled && was.isOpen && chatId === was.chatId && !isOpen) host.emit('chat:closed', { chatId });
    settled ||= connection === 'live';
  }

  async function alert(message: Message): Promise<void> {
    try {
      const [{ more }, { alertVisitor }] = await Promise.all([loadPart(`more-${language.name}`), loadPart('alert')]);
      alertVisitor(message, context, more);
    } catch {
      // Only the sound is missing then: the message itself is in the conversation.
    }
  }

  return {
    /** Call after every change. */
    report(): void {
      reportUnread();
      reportChat();
    },
    /** An answer arrived live, not with the history. */
    received(message: Message): void {
      host.emit('message:received', message);
      if (!panel.isWatching()) void alert(message);
    },
  };
}
