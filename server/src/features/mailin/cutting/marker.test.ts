import { describe, expect, it } from 'vitest';
import { inLanguage } from '#platform/mail';
import { ANSWER_ABOVE, afterMarker } from './marker.ts';

describe('the line above which one answers', () => {
  it.each(['en', 'de', 'es', 'fr', 'pt', 'ar'])('is recognised in %s however mail programs quote it', (language) => {
    const line = inLanguage(ANSWER_ABOVE, language);
    const words = line.split(' ');
    const wrapped = [words.slice(0, 6).join(' '), words.slice(6).join(' ')];
    const forms = [
      [line],
      [`> ${line}`],
      [`>> ${line}`],
      [`    *${line}* `],
      [line.replaceAll('- - -', '---')],
      wrapped,
    ];
    for (const form of [...forms, wrapped.map((part) => `> ${part}`)])
      expect(afterMarker(['yes', ...form, 'Hello'], 1), form.join('\n')).toBe(1 + form.length);
  });

  it('is nothing else', () => {
    const others = ['', '- - -', 'Please', 'Please write your answer', 'I shall write my answer above this line'];
    for (const other of [...others, `${inLanguage(ANSWER_ABOVE, 'en')} yes`])
      expect(afterMarker([other, 'yes'], 0), other).toBe(0);
  });
});
