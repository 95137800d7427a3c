import { describe, expect, it, vi } from 'vitest';
import { newClientId } from '../../../lib/clientId.ts';
import { deviceOf } from '../../../lib/device.ts';
import { formatRelativeDay } from '../../../lib/format.ts';
import { webAddress } from '../../../lib/webAddress.ts';
import { segmentsOf } from '../thread/links.ts';
import { preview } from './words.ts';

describe('links in a message', () => {
  const hrefs = (text: string) => segmentsOf(text).flatMap(({ href }) => href ?? []);

  it('are web addresses, without the punctuation around them', () => {
    expect(hrefs('See https://a.example/x?y=1, (http://b.example/z_(1)) and https://c.example.')).toEqual([
      'https://a.example/x?y=1',
      'http://b.example/z_(1)',
      'https://c.example/',
    ]);
  });

  it('are also written without their scheme, as people do', () => {
    expect(hrefs('See www.a.example/x, or (WWW.b.example).')).toEqual([
      'https://www.a.example/x',
      'https://www.b.example/',
    ]);
  });

  it('end where a character turns the direction of the text, which would show another address', () => {
    expect(hrefs('https://a.example/\u202Emoc.knab')).toEqual(['https://a.example/']);
  });

  it('are nothing else', () => {
    expect(hrefs('javascript:alert(1) data:text/html,x ftp://a.example mailto:a@b.example awww.a.example')).toEqual([]);
    expect(webAddress('javascript:alert(1)')).toBeUndefined();
    expect(webAddress('JavaScript://a.example/%0aalert(1)')).toBeUndefined();
  });

  it('are found in one pass, whatever brackets and punctuation follow', () => {
    const bomb = `http://x/${'!'.repeat(100_000)}a${')'.repeat(100_000)}`;
    expect(hrefs(`${bomb} ${'('.repeat(100_000)}http://b.example/${'.)'.repeat(100_000)}`)).toEqual([
      `http://x/${'!'.repeat(100_000)}a`,
      'http://b.example/',
    ]);
  });

  it('lose no character of the text', () => {
    const text = 'a https://x.example/), b\nhttps://y.example… https:// c';
    expect(
      segmentsOf(text)
        .map((segment) => segment.text)
        .join(''),
    ).toBe(text);
  });
});

describe('a user agent', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0',
      'Edge 131',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Safari 18',
      'macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari 18',
      'iOS 18',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
      'Chrome 131',
      'Android 14',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox 133', 'Linux'],
    ['curl/8', 'Unknown', 'Unknown'],
  ])('%s', (userAgent, browser, system) => {
    expect(deviceOf(userAgent)).toEqual({ browser, system });
  });
});

describe('a preview', () => {
  it('is the first 30 letters, on one line', () => {
    expect(preview('Short\nand sweet')).toBe('Short and sweet');
    expect(preview('abcdefghij'.repeat(4))).toBe(`${'abcdefghij'.repeat(3)}…`);
  });

  it('cuts between letters as people see them', () => {
    expect(preview('👩‍👩‍👧'.repeat(40))).toBe(`${'👩‍👩‍👧'.repeat(30)}…`);
  });
});

it('names days as people do', () => {
  const now = Date.parse('2026-03-10T12:00:00');
  expect(formatRelativeDay('2026-03-10T01:00:00', now)).toBe('Today');
  expect(formatRelativeDay('2026-03-09T23:00:00', now)).toBe('Yesterday');
  // The clocks changed on Sunday: half past midnight on Monday is 23 and a half hours after Saturday's last moments.
  vi.stubEnv('TZ', 'Europe/Berlin');
  const monday = Date.parse('2026-03-30T00:30:00');
  expect(formatRelativeDay('2026-03-29T12:00:00', monday)).toBe('Yesterday');
  expect(formatRelativeDay('2026-03-28T23:40:00', monday)).toBe('Saturday, March 28');
  vi.unstubAllEnvs();
  expect(formatRelativeDay('2026-03-02T23:00:00', now)).toBe('Monday, March 2');
  expect(formatRelativeDay('2025-12-24T08:00:00', now)).toBe('Wednesday, December 24, 2025');
});

it('names messages with UUIDs, also on pages without TLS', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(newClientId()).toMatch(uuid);
  const secure = Object.getOwnPropertyDescriptor(crypto, 'randomUUID');
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  expect(newClientId()).toMatch(uuid);
  expect(newClientId()).not.toBe(newClientId());
  if (secure) Object.defineProperty(crypto, 'randomUUID', secure);
  else Reflect.deleteProperty(crypto, 'randomUUID');
});
