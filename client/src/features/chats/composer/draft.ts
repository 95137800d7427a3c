import { useState } from 'react';
import { localStore } from '../../../lib/storage.ts';

/**
 * The text somebody is writing, kept on this computer until it is sent, or its writer logs out.
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
  return localStore.get(key) ?? '';
}

function write(key: string, text: string): void {
  if (text === '') localStore.remove(key);
  else localStore.set(key, text);
}
