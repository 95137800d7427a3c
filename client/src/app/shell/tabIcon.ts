import { useEffect } from 'react';
import { atMostNine } from './unreadCount.tsx';

const PLAIN_ICON = '/favicon.svg';

/** Puts the number of unread chats on the tab's icon, and takes it off again. */
export function useUnreadIcon(unread: number): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link) return;
    link.href = unread > 0 ? iconWith(atMostNine(unread)) : PLAIN_ICON;
    return () => {
      link.href = PLAIN_ICON;
    };
  }, [unread]);
}

function iconWith(count: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g fill="none" stroke="#4a73f5" stroke-width="4" stroke-linejoin="round"><path d="M18 5a8 8 0 1 1 0 16h-6V5Z"/></g><path d="M4 6a3 3 0 0 1 3-3h5v19.5l-8 8Z" fill="#4a73f5"/><rect x="10" y="14" width="22" height="18" rx="9" fill="#b42318"/><text x="21" y="28" font-family="sans-serif" font-size="15" font-weight="700" text-anchor="middle" fill="#fff">${count}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
