import { act, renderHook } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { drafts, endDraft, useDraftValues } from './drafts.ts';
import { localStore, wipePrivate } from './storage.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('the draft of a form', () => {
  const BASE = { name: 'Shop', colours: ['red'], open: true };
  const use = (base: object = BASE) =>
    renderHook((now: object) => useDraftValues('ana:form', now), { initialProps: base });
  type Hook = ReturnType<typeof use>['result'];
  const change = ({ current }: Hook, changed: object) => act(() => current[1](changed));

  it('is only what differs from the server, so that what others change meanwhile shows', () => {
    const { result, rerender } = use();
    change(result, { name: 'Sho' });
    rerender({ ...BASE, open: false });
    expect(result.current[0]).toEqual({ name: 'Sho', colours: ['red'], open: false });
    expect([result.current[2], drafts.read('ana:form')]).toEqual([true, '{"name":"Sho"}']);
  });

  it('ends when everything is as the server has it again, whatever else was noted, and when it was sent as it is', () => {
    const { result } = use();
    change(result, { name: 'Sho', colours: [], seen: 4 });
    change(result, { name: 'Shop' });
    change(result, { colours: ['red'] });
    expect([result.current[2], drafts.keys('')]).toEqual([false, []]);
    change(result, { open: false });
    const sent = drafts.read('ana:form');
    change(result, { name: 'Shoe' });
    act(() => endDraft('ana:form', sent));
    expect(result.current[0]).toEqual({ ...BASE, open: false, name: 'Shoe' });
    act(() => endDraft('ana:form', drafts.read('ana:form')));
    expect([result.current[0], drafts.keys('')]).toEqual([BASE, []]);
  });

  it.each(['{"na', 'null', '3', '"text"', '[]', '{"name":{"of":"another release"},"colours":"red","open":null}'])(
    '%s is ignored where another release left it',
    (left) => {
      drafts.write('ana:form', left);
      const [values, , isDraft] = use().result.current;
      expect([values, isDraft]).toEqual([BASE, false]);
    },
  );
});

describe('drafts', () => {
  it('are forgotten when nobody has touched them for a month', () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(100 * DAY_MS);
    // Of a release that noted no times.
    localStore.set('parley_draft:ana:left', 'x');
    drafts.write('ana:old', 'x');
    drafts.write('ana:touched', 'x');
    clock.mockReturnValue(120 * DAY_MS);
    drafts.write('ana:touched', 'xx');
    clock.mockReturnValue(131 * DAY_MS);
    drafts.write('ana:new', 'x');
    expect(drafts.keys('').sort()).toEqual(['ana:new', 'ana:touched']);
    wipePrivate();
    expect(localStore.keys('')).toEqual([]);
  });

  it('are at most 200: the oldest is forgotten', () => {
    const clock = vi.spyOn(Date, 'now');
    for (let each = 1; each <= 201; each++) {
      clock.mockReturnValue(100 * DAY_MS + each * 1_000);
      drafts.write(`ana:${each}`, 'x');
    }
    expect(drafts.keys('')).toHaveLength(200);
    expect([drafts.read('ana:1'), drafts.read('ana:201')]).toEqual(['', 'x']);
  });
});
