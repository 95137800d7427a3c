import { describe, expect, it, vi } from 'vitest';
import { createStorage } from './storage.ts';

const refused = () => {
  throw new DOMException('The operation is insecure', 'SecurityError');
};

describe('storage', () => {
  it('keeps values in memory when the browser has no storage', () => {
    const storage = createStorage(refused);
    expect(storage.get('a')).toBeNull();
    storage.set('a:1', 'x');
    storage.set('b', 'y');
    expect(storage.get('a:1')).toBe('x');
    expect(storage.keys('a:')).toEqual(['a:1']);
    storage.remove('a:1');
    expect(storage.keys('')).toEqual(['b']);
  });

  it('does not return an older value when there is no room for the new one', () => {
    const storage = createStorage(() => localStorage);
    storage.set('a', 'old');
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    storage.set('a', 'new');
    expect(storage.get('a')).toBe('new');
    expect(localStorage.getItem('a')).toBeNull();
    full.mockRestore();
    storage.set('a', 'newer');
    expect(storage.get('a')).toBe('newer');
    expect(localStorage.getItem('a')).toBe('newer');
  });
});
