import { useState } from 'react';

/**
 * The text somebody is writing, kept on this computer until it is sent.
 * @param owner the user, the chat, and whether it is a note: nobody sees another's draft, no visitor a note's
 */
export function useDraft(owner: string): [string, (text: string) => void] {
  const key = `parley_draft:${owner}`;
  const [held, hold] = useState({ key, text: read(key) });
  if (held.key !== key) hold({ key, text: read(key) });
  return [
    held.key === key ? held.text : read(key),
    (text) => {
      hold({ key, text });
      write(key, text);
    },
  ];
}

/** Whether a draft waits to be finished. */
export function hasDraft(owner: string): boolean {
  return read(`parley_draft:${owner}`) !== '';
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
