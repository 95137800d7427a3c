import { describe, expect, it } from 'vitest';
import { httpUrl } from '../../../lib/validate.ts';
import { segmentsOf } from './MessageText.tsx';

describe('links in a message', () => {
  const hrefs = (text: string) => segmentsOf(text).flatMap(({ href }) => href ?? []);

  it('are web addresses, without the punctuation around them', () => {
    expect(hrefs('See https://a.example/x?y=1, (http://b.example/z_(1)) and https://c.example.')).toEqual([
      'https://a.example/x?y=1',
      'http://b.example/z_(1)',
      'https://c.example/',
    ]);
  });

  it('may be written without a scheme', () => {
    expect(hrefs('See www.a.example/x, or (WWW.b.example).')).toEqual([
      'https://www.a.example/x',
      'https://www.b.example/',
    ]);
  });

  it('end before a bidirectional control character, which could disguise the address', () => {
    expect(hrefs('https://a.example/\u202Emoc.knab')).toEqual(['https://a.example/']);
  });

  it('are made from nothing else', () => {
    expect(hrefs('javascript:alert(1) data:text/html,x ftp://a.example mailto:a@b.example awww.a.example')).toEqual([]);
    expect(httpUrl('javascript:alert(1)')).toBeUndefined();
    expect(httpUrl('JavaScript://a.example/%0aalert(1)')).toBeUndefined();
  });

  it('are found in linear time, whatever brackets and punctuation follow', () => {
    const bomb = `http://x/${'!'.repeat(100_000)}a${')'.repeat(100_000)}`;
    expect(hrefs(`${bomb} ${'('.repeat(100_000)}http://b.example/${'.)'.repeat(100_000)}`)).toEqual([
      `http://x/${'!'.repeat(100_000)}a`,
      'http://b.example/',
    ]);
  });

  it('keep every character of the text', () => {
    const text = 'a https://x.example/), b\nhttps://y.example… https:// c';
    expect(
      segmentsOf(text)
        .map((segment) => segment.text)
        .join(''),
    ).toBe(text);
  });
});
