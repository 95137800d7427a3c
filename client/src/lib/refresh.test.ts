import { renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, Refusal } from '../../test/api.ts';
import { makeUser } from '../../test/make.ts';
import { useTokenRefresh } from './refresh.ts';
import { token } from './token.ts';

const HOUR_S = 3_600;

function jwtOfAge(hours: number): string {
  const iat = Math.floor(Date.now() / 1_000) - hours * HOUR_S;
  return `e30.${btoa(JSON.stringify({ iat }))}.sig`;
}

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

it('exchanges a token that is older than a day', async () => {
  const api = fakeApi();
  api.on('POST /auth/refresh', { user: makeUser(), token: 'fresh' });
  token.set(jwtOfAge(25));
  renderHook(useTokenRefresh);
  await waitFor(() => expect(token.get()).toBe('fresh'));
});

it('keeps a recent token', () => {
  const api = fakeApi();
  token.set(jwtOfAge(23));
  renderHook(useTokenRefresh);
  window.dispatchEvent(new Event('focus'));
  expect(api.asked()).toEqual([]);
});

it('does not refresh a hidden page until it is visible', async () => {
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  const api = fakeApi();
  api.on('POST /auth/refresh', { user: makeUser(), token: 'fresh' });
  const old = jwtOfAge(48);
  token.set(old);
  renderHook(useTokenRefresh);
  expect(token.get()).toBe(old);
  focus.mockReturnValue(true);
  window.dispatchEvent(new Event('focus'));
  await waitFor(() => expect(token.get()).toBe('fresh'));
});

it('logs out when the session has ended', async () => {
  fakeApi().on('POST /auth/refresh', new Refusal(401, { code: 'UNAUTHORIZED', message: 'Dead' }));
  token.set(jwtOfAge(48));
  renderHook(useTokenRefresh);
  await waitFor(() => expect(token.get()).toBeNull());
});
