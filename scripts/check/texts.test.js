import { describe, expect, test } from 'vitest';
import { gluedIn } from './glued.js';
import { catalogueProblems, earlyIn, errorsIn, formsOf, keysIn, unmarkedIn } from './texts.js';

describe('the texts of the dashboard', () => {
  test('are found where they are marked', () => {
    const text = `const NAMES = [msg('Home')];
      const A = () => <p title={t(open ? 'Close' : 'Open|verb')}>{plural(n, '{count} chat', '{count} chats')}</p>;
      const B = () => rich('Read the <a>docs</a>', {});`;
    expect(keysIn('a.tsx', text)).toEqual([
      { key: 'Home', isPlural: false },
      { key: 'Close', isPlural: false },
      { key: 'Open|verb', isPlural: false },
      { key: '{count} chats', isPlural: true },
      { key: 'Read the <a>docs</a>', isPlural: false },
    ]);
    const server = `const EXPECTED = { slack: { expected: sentence('Use Slack.') } };
      const said = name ? sentence('Claimed by {name}.', { name }) : sentence('This chat is closed.');
      sentence('{field} is required', { field: { text: 'Score' } }); sentence('url must begin with https://');
      throw notFound('chat');`;
    expect(errorsIn('a.ts', server)).toEqual([
      ...['Use Slack.', 'Claimed by {name}.', 'This chat is closed.', '{field} is required', 'Score'],
      'This chat does not exist.',
    ]);
  });

  test('of mails have marks and catalogues of their own', () => {
    const mail = "mailText('Open'); mailPlural(n, '{count} chat', '{count} chats', { site: mailText('a website') });";
    expect(keysIn('a.ts', mail, new Set(['mailText', 'mailPlural']))).toEqual([
      { key: 'Open', isPlural: false },
      { key: '{count} chats', isPlural: true },
      { key: 'a website', isPlural: false },
    ]);
    expect(keysIn('a.ts', mail)).toEqual([]);
    expect(errorsIn('a.ts', mail)).toEqual([]);
  });

  const unmarked = [
    '<p>Nothing found</p>',
    "<p>{open ? 'Close' : t('Open')}</p>",
    '<Field label="Name" />',
    "<Field label={busy ? 'Saving...' : t('Save')} />",
    '<Field hint={`Up to $' + '{max} lines`} />',
    "toast.success('The chat is closed')",
    "useAction(save, { success: 'Saved' })",
  ];
  test.each(unmarked)('%s is found', (code) => {
    expect(unmarkedIn('a.tsx', `const A = () => ${code};`)).toHaveLength(1);
  });

  const left = [
    '<p className="Big text">{t(\'Nothing found\')}</p>',
    '<Input placeholder="https://example.com" />',
    "console.warn('The texts could not be loaded', error)",
    "new Error('No element with this id')",
  ];
  test.each(left)('%s is left alone', (code) => {
    expect(unmarkedIn('a.tsx', `const A = () => ${code};`)).toEqual([]);
  });

  // '#' stands for the dollar of a template.
  const glued = [
    ['server/a.ts', 'sentence(`At most #{max} MB`);'],
    ['server/a.ts', "sentence(name ? `Claimed by #{name}.` : 'Claimed.');"],
    ['server/a.ts', "sentence('No ' + name);"],
    ['server/a.ts', 'mailText(`#{who} invited you`);'],
    ['server/a.ts', 'mailPlural(count, `One on #{site}`, "{count} on {site}", { site });'],
    ['server/a.ts', 'const text = `Claimed by #{name}.`; sentence(text);'],
    ['client/a.tsx', 't(`Claimed by #{name}`)'],
    ['client/a.tsx', "t('Claimed by ' + name)"],
    ['client/a.tsx', 'toast.success(`Claimed by #{name}`)'],
    ['client/a.tsx', "const line = `#{t('Claimed')} #{limit}`;"],
    ['client/a.tsx', "const line = `#{open ? t('Open') : name}: #{reason}`;"],
    ['client/a.tsx', "const line = t('Claimed') + ', ' + name;"],
    ['widget/a.ts', "const name = texts.cancel + ' ' + file;"],
    ['widget/a.ts', 'const name = `#{format(texts.typing, agent)} #{count}`;'],
    ['widget/a.ts', 'const name = `#{texts.cancel}: #{file} (#{size})`;'],
    ['client/public/sw.js', 'const body = `#{message}: #{t("Open")}`;'],
  ];
  test.each(glued)('%s: %s is put together', (path, code) => {
    expect(gluedIn(path, code.replaceAll('#', '$'))).toHaveLength(1);
  });

  const whole = [
    ['server/a.ts', "throw conflict('TAKEN', sentence('Claimed by {name}.', { name: `#{first} #{last}` }));"],
    ['server/a.ts', 'log.warn(`Claimed by #{name}`);'],
    ['widget/a.ts', 'const name = `#{texts.newMessage}. #{name}: #{words}`;'],
    ['client/a.tsx', "t('Claimed by {name}', { name: `#{first} #{last}` })"],
    ['client/a.tsx', 'const key = `#{chatId} #{seq}`; const sum = 1 + 2;'],
  ];
  test.each(whole)('%s: %s is left whole', (path, code) => {
    expect(gluedIn(path, code.replaceAll('#', '$'))).toEqual([]);
  });

  test('are not translated before the language is known', () => {
    const early = (code) => earlyIn('a.ts', code).length;
    expect(early("const NAME = t('Home');")).toBe(1);
    expect(early("const OPTIONS = [1, 2].map((n) => ({ label: t('After {n}', { n }) }));")).toBe(1);
    expect(early("const NAME = msg('Home'); const nameOf = () => t(NAME);")).toBe(0);
    expect(early("function A() { return [1].map(() => t('Home')); }")).toBe(0);
  });

  test('have the placeholders, tags and plural forms of each language', () => {
    expect(formsOf('es')).toEqual(['one', 'other']);
    expect(formsOf('ar')).toHaveLength(6);
    const keys = new Map([
      ['Hello {name}', { isPlural: false }],
      ['{count} chats', { isPlural: true }],
    ]);
    const german = { 'Hello {name}': '{name}, hallo', '{count} chats': { one: 'Ein Chat', other: '{count} Chats' } };
    const problems = (changed) => catalogueProblems('de', keys, { ...german, ...changed });
    expect(problems({})).toEqual([]);
    expect(problems({ 'Hello {name}': 'Hallo {nam}' })).toHaveLength(1);
    expect(problems({ '{count} chats': { other: '{count} Chats' } })).toHaveLength(1);
    expect(problems({ '{count} chats': '{count} Chats' })).toHaveLength(1);
    expect(problems({ 'Good bye': 'Ade' })).toEqual(['de: ‘Good bye’ is not used any more']);
    expect(catalogueProblems('de', keys, {})).toHaveLength(2);
  });
});
