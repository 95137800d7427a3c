import { useState } from 'react';

/**
 * The text somebody is writing in a chat, kept on this computer until it is sent.
 * @param owner the user and the chat: nobody sees another's draft
 */
export function useDraft(owner: string): [string, (text: string) => void] {
  const key = `parley_draft:${owner}`;
  const [draft, setDraft] = useState(() => read(key));
  return [
    draft,
    (text) => {
      setDraft(text);
      write(key, text);
    },
  ];
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function write(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Without storage the draft lasts as long as the chat is open.
  }
}
