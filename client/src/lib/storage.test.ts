import { describe, expect, it } from 'vitest';
import { localStore, wipePrivate } from './storage.ts';

describe('storage', () => {
  it('removes drafts and places on log-out, and keeps unsent messages and preferences', () => {
    const kept = ['parley_outbox:ana:1', 'parley_theme', 'parley_site'];
    for (const key of [...kept, 'parley_draft:ana:chat', 'parley_draft:ana:chat:note', 'parley_recent']) {
      localStore.set(key, 'x');
    }
    wipePrivate();
    expect(localStore.keys('').sort()).toEqual(kept.sort());
  });
});
