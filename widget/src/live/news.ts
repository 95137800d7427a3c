import type { Message } from 'server/contract';
import type { Desk } from '../chat/desk.ts';
import { NARROW } from '../chat/view/phone.ts';
import type { Frame } from '../frame.ts';

/** Tells the page, the launcher and the next page view what has changed. */
export interface News {
  /** Call after every change. */
  tell(): void;
  /** An answer came while this page was looking on. */
  hear(message: Message): void;
}

/**
 * Whether the panel may open by itself for a chat that an agent begins: where it leaves room for the page, which the visitor looks
 * at, and was not closed in this tab. Elsewhere a preview of the words shows above the launcher.
 */
function mayOpen({ button, code }: Frame): boolean {
  if (matchMedia(NARROW).matches || document.hidden || button.hidden) return false;
  try {
    return sessionStorage.getItem(`parley:${code}:open`) !== '';
  } catch {
    return true;
  }
}

export function createNews(desk: Desk): News {
  const { frame, store, storage, fetch, language, panel } = desk;
  let unread = 0;
  let chatId = '';
  let isOpen = false;
  let settled = false;

  function tellUnread(): void {
    const count = store.unread();
    const { chat, pending, link } = store.state;
    const goesOn = pending.length > 0 || count > 0 || (chat !== null && chat.status !== 'closed');
    // Before the server has answered, an empty thread means nothing.
    if (goesOn || link === 'live') storage.write('on', goesOn ? '1' : '');
    if (count !== unread) frame.emit('unread', count);
    unread = count;
  }

  /** What was so before this page looked on is no news. */
  function tellChat(): void {
    const { chat, link } = store.state;
    const was = { chatId, isOpen };
    chatId = chat?._id ?? '';
    isOpen = chat !== null && chat.status !== 'closed';
    if (settled && isOpen && (chatId !== was.chatId || !was.isOpen)) frame.emit('chat:started', { chatId });
    if (settled && was.isOpen && chatId === was.chatId && !isOpen) frame.emit('chat:closed', { chatId });
    settled ||= link === 'live';
  }

  async function alert(message: Message): Promise<void> {
    try {
      const [{ more }, { alertTo }] = await Promise.all([fetch(`more-${language.name}`), fetch('alert')]);
      alertTo(message, desk, more);
    } catch {
      // An answer that makes no sound is on screen all the same.
    }
  }

  return {
    tell() {
      tellUnread();
      tellChat();
    },
    hear(message) {
      frame.emit('message:received', message);
      if (message.seq === 1 && mayOpen(frame)) frame.open(false);
      if (!panel.isWatching()) void alert(message);
    },
  };
}
