import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDrafts } from './drafts.ts';
import { createStorage } from './storage.ts';

const PREFIX = 'draft:';
/** Two tabs of one browser. */
const tab = () =>
  createDrafts(
    createStorage(() => localStorage),
    PREFIX,
  );
/** Browsers send this to the other tabs, which a test has to do by itself. */
const tellOtherTabs = (key: string | null) => dispatchEvent(new StorageEvent('storage', { key }));

describe('drafts', () => {
  afterEach(() => localStorage.clear());

  it('is the same in all tabs, and outlives them', () => {
    const [one, other] = [tab(), tab()];
    one.write('reply:1', 'Hello');
    expect(other.read('reply:1')).toBe('Hello');
    expect(other.read('note:1')).toBe('');
    expect(tab().keys('reply:')).toEqual(['reply:1']);
  });

  it('gives a draft to one tab only', () => {
    const [one, other] = [tab(), tab()];
    one.write('reply:1', 'Hello');
    expect([other.take('reply:1'), one.take('reply:1')]).toEqual(['Hello', '']);
  });

  it('tells of changes here and in other tabs, until nobody watches', () => {
    const drafts = tab();
    const changed = vi.fn();
    const stop = drafts.watch(changed);
    drafts.write('reply:1', 'Hello');
    drafts.write('reply:1', 'Hello');
    tellOtherTabs(`${PREFIX}reply:1`);
    tellOtherTabs('theme');
    tellOtherTabs(null);
    expect(changed.mock.calls).toEqual([['reply:1'], ['reply:1'], ['']]);
    stop();
    tellOtherTabs(null);
    drafts.write('reply:1', '');
    expect(changed).toHaveBeenCalledTimes(3);
  });

  it('keeps drafts as long as the page where the browser refuses to', () => {
    const drafts = createDrafts(
      createStorage(() => {
        throw new DOMException('The operation is insecure', 'SecurityError');
      }),
      PREFIX,
    );
    drafts.write('reply:1', 'Hello');
    expect(drafts.take('reply:1')).toBe('Hello');
    expect(drafts.keys('')).toEqual([]);
  });
});
