import { describe, expect, test } from 'vitest';
import { hostedEntries, missingEntries, unlockedAsks } from '../lock.js';
import { overBudget } from './bytes.js';
import { cyclesIn } from './cycles.js';
import { pathsIn } from './docs.js';
import { gluedIn } from './glued.js';
import { literalSpreads, sameButForCase, smallFiles } from './house.js';
import { importsOf, wrongImport } from './imports.js';
import { tooLong } from './length.js';
import { normalizations, regexpsOf, slowness } from './regexps.js';
import { catalogueProblems, earlyIn, errorsIn, formsOf, keysIn, unmarkedIn } from './texts.js';

describe('the direction of imports', () => {
  const allowed = [
    ['server/src/main.ts', 'server/src/app.ts'],
    ['server/src/visitors/socket.ts', 'server/src/chats/lifecycle.ts'],
    ['server/src/chats/feature.ts', 'server/src/search/find.ts'],
    ['server/src/features.ts', 'server/src/chats/feature.ts'],
    ['server/src/chats/contract.ts', 'server/src/http/contract.ts'],
    ['server/src/store/query/match.ts', 'server/src/store/bson/keys.ts'],
    ['server/src/chats/chats.test.ts', 'server/src/visitors/socket.ts'],
    ['client/src/app/App.tsx', 'client/src/features/inbox/Inbox.tsx'],
    ['client/src/features/inbox/Inbox.tsx', 'client/src/features/chats/api.ts'],
    ['client/src/features/team/Members.tsx', 'client/src/shared/LeaveTeam.tsx'],
    ['client/src/shared/LeaveTeam.tsx', 'client/src/ui/Dialog.tsx'],
    ['client/src/lib/api.ts', 'server/contract'],
    ['widget/src/chat/state.ts', 'server/contract'],
    ['widget/src/chat/state.ts', 'browser/storage'],
    ['browser/drafts.ts', 'browser/storage.ts'],
    ['widget/test/headless.ts', 'e2e/delivery/face.ts'],
  ];
  test.each(allowed)('%s may import %s', (from, to) => {
    expect(wrongImport(from, to)).toBeNull();
  });

  const refused = [
    ['server/src/chats/lifecycle.ts', 'server/src/visitors/model.ts'],
    ['server/src/http/validate.ts', 'server/src/auth/guards.ts'],
    ['server/src/chats/lifecycle.ts', 'server/src/chats/feature.ts'],
    ['server/src/visitors/socket.ts', 'server/src/chats/socket.ts'],
    ['server/src/chats/contract.ts', 'server/src/chats/model.ts'],
    ['server/src/store/worker.ts', 'server/src/env.ts'],
    ['server/src/chats/model.ts', 'server/src/store/worker.ts'],
    ['server/src/chats/lifecycle.ts', 'server/src/chats/chats.test.ts'],
    ['server/src/cellar/wine.ts', 'server/src/http/errors.ts'],
    ['client/src/ui/Button.tsx', 'client/src/features/inbox/api.ts'],
    ['client/src/ui/Button.tsx', 'client/src/shared/LeaveTeam.tsx'],
    ['client/src/shared/LeaveTeam.tsx', 'client/src/features/team/api.ts'],
    ['client/src/features/inbox/Inbox.tsx', 'client/src/app/App.tsx'],
    ['client/src/features/inbox/Inbox.tsx', 'client/src/features/sites/SiteCard.tsx'],
    ['client/src/lib/api.ts', 'server/src/http/contract.ts'],
    ['widget/src/page-api.ts', 'client/src/lib/api.ts'],
    ['browser/drafts.ts', 'client/src/lib/api.ts'],
    ['server/src/main.ts', 'browser/storage'],
    ['widget/src/page-api.ts', 'e2e/delivery/face.ts'],
  ];
  test.each(refused)('%s may not import %s', (from, to) => {
    expect(wrongImport(from, to)).toContain(from);
  });

  test('every form of import is found, with the file it is in', () => {
    const text = `import type { A } from '../chats/model.ts';
      export * from './contract.ts';
      export { b } from './view.ts';
      import 'express';
      const lazy = () => import('./socket.ts');`;
    expect(importsOf('server/src/visitors/routes.ts', text).sort()).toEqual([
      'express',
      'server/src/chats/model.ts',
      'server/src/visitors/contract.ts',
      'server/src/visitors/socket.ts',
      'server/src/visitors/view.ts',
    ]);
  });
});

test('circular imports are found, also through a third file', () => {
  const graph = new Map([
    ['a.ts', ['b.ts', 'server/contract']],
    ['b.ts', ['c.ts']],
    ['c.ts', ['a.ts']],
    ['d.ts', ['a.ts', 'e.ts', 'e.ts']],
    ['e.ts', []],
    ['f.ts', ['f.ts']],
  ]);
  expect(cyclesIn(graph)).toEqual([
    ['a.ts', 'b.ts', 'c.ts', 'a.ts'],
    ['f.ts', 'f.ts'],
  ]);
});

test('the paths in a documentation page are found in code spans and links', () => {
  const text =
    'See `server/src/chats/` and [the map](ARCHITECTURE.md#floors), not `npm test`, [npm](https://npmjs.com) or `server/dist/main.js`.';
  expect(pathsIn('docs/limits.md', text)).toEqual(['server/src/chats/', 'docs/ARCHITECTURE.md']);
  const tree =
    '```\npackage.json  all\nserver/\n  src/main.ts   starts `main`   src/http/   calls\nwidget/\n  src/chat/   the chat\n```';
  expect(pathsIn('docs/ARCHITECTURE.md', tree)).toEqual(['server/src/main.ts', 'server/src/http/', 'widget/src/chat/']);
});

test('a file of 301 lines is too long, one of 300 is not', () => {
  const files = new Map([
    ['a.ts', 'line\n'.repeat(300)],
    ['b.ts', 'line\n'.repeat(301)],
  ]);
  expect(tooLong(files)).toEqual(['b.ts has 301 lines, at most 300']);
});

test('names that differ by case only are refused, except a test named like its file', () => {
  expect(sameButForCase(['a/Thread.tsx', 'a/Thread.test.tsx', 'b/thread.ts'])).toEqual([]);
  expect(sameButForCase(['a/Thread.tsx', 'a/thread.ts', 'a/list.ts'])).toEqual([
    'a/Thread.tsx and a/thread.ts differ by case only',
  ]);
  expect(sameButForCase(['a/Team.tsx', 'a/team.test.tsx'])).toHaveLength(1);
});

test('a file of 20 lines needs a reason, and a reason needs its file', () => {
  const files = new Map([
    ['client/src/lib/small.ts', 'line\n'.repeat(20)],
    ['client/src/lib/grown.ts', 'line\n'.repeat(21)],
    ['client/src/features/team/live.ts', 'line\n'],
  ]);
  const listed = { 'client/src/lib/small.ts': 'a reason' };
  expect(smallFiles(files, listed)).toEqual([]);
  expect(smallFiles(files, {})).toEqual([expect.stringMatching(/small\.ts has 20 lines or fewer/)]);
  const stale = { ...listed, 'client/src/lib/grown.ts': '', 'client/src/features/team/live.ts': '', 'gone.ts': '' };
  expect(smallFiles(files, stale)).toHaveLength(3);
});

test('an object literal spread into another is refused, other spreads are not', () => {
  expect(literalSpreads('a.ts', 'const a = { b,\n  ...{ c: 1 } };')).toEqual([expect.stringMatching(/^a\.ts:2 /)]);
  expect(literalSpreads('a.ts', 'const a = { ...b, ...(c && { d: 1 }) };')).toEqual([]);
});

describe('regular expressions', () => {
  const slownessIn = (code, path = 'server/src/http/pages.ts') =>
    regexpsOf(path, code)
      .map(slowness)
      .filter((problem) => problem !== null);

  test.each([
    "path.replace(/(?<=.)\\/+$/, '')",
    "text.replace(/[.,;:!?…]+$/, '')",
    'const EMAIL = /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/;',
    'type A = string; export const isA = (a: A) => /(a+)+$/.test(a);',
    "new RegExp('(a|a)*b', 'u')",
    "RegExp(typed + 'x')",
  ])('%s is refused', (code) => {
    expect(slownessIn(code)).toEqual([expect.stringMatching(/^server\/src\/http\/pages\.ts:1 /)]);
  });

  test('linear patterns pass, and tests may build patterns at run time', () => {
    expect(slownessIn("/^[0-9a-f]{24}$/i.test(id) || /\\s+/g.test(id) || new RegExp('^a+$').test(id)")).toEqual([]);
    expect(slownessIn('new RegExp(name)', 'server/src/env.test.ts')).toEqual([]);
  });

  test('the server normalizes texts in one place, which takes linear time', () => {
    const code = "tag\n  .normalize('NFC')";
    expect(normalizations('server/src/chats/tags.ts', code)).toEqual([expect.stringContaining('chats/tags.ts:2 ')]);
    for (const path of ['server/src/text.ts', 'server/src/chats/tags.test.ts', 'client/src/lib/tags.ts'])
      expect(normalizations(path, code)).toEqual([]);
  });
});

test('a budget fails when it is exceeded or was not measured', () => {
  expect(overBudget([['held', 10, 10]])).toEqual([]);
  expect(
    overBudget([
      ['burst', 11, 10],
      ['lost', Number.NaN, 10],
      ['empty', 0, 10],
    ]),
  ).toHaveLength(3);
});

test('a lock file without the builds of other platforms is completed', () => {
  const packages = {
    'node_modules/tool': {
      dev: true,
      optionalDependencies: { '@tool/cli-linux-arm64-musl': '1.2.3', '@tool/here': '1.2.3' },
    },
    'node_modules/@tool/here': { resolved: 'https://registry.example/here.tgz' },
  };
  expect([...missingEntries({ packages })]).toEqual([
    [
      'node_modules/@tool/cli-linux-arm64-musl',
      { version: '1.2.3', os: ['linux'], cpu: ['arm64'], libc: ['musl'], dev: true, optional: true },
    ],
  ]);
  expect(hostedEntries({ packages })).toEqual(['node_modules/@tool/here']);
});

test('a package that was added, changed or removed by hand is reported as missing from the lock file', () => {
  const packages = { '': { dependencies: { kept: '1.0.0', changed: '1.0.0', gone: '1.0.0' } } };
  const manifests = { '': { dependencies: { kept: '1.0.0', changed: '2.0.0', added: '1.0.0' } } };
  expect(unlockedAsks({ packages }, manifests).sort()).toEqual(['root: added', 'root: changed', 'root: gone']);
});

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
    ['server/a.ts', 'const text = `Claimed by #{name}.`; sentence(text);'],
    ['client/a.tsx', 't(`Claimed by #{name}`)'],
    ['client/a.tsx', "t('Claimed by ' + name)"],
    ['client/a.tsx', 'toast.success(`Claimed by #{name}`)'],
    ['client/a.tsx', "const line = `#{t('Claimed')} #{limit}`;"],
    ['client/a.tsx', "const line = `#{open ? t('Open') : name}: #{reason}`;"],
    ['client/a.tsx', "const line = t('Claimed') + ', ' + name;"],
    ['client/public/sw.js', 'const body = `#{message}: #{t("Open")}`;'],
  ];
  test.each(glued)('%s: %s is put together', (path, code) => {
    expect(gluedIn(path, code.replaceAll('#', '$'))).toHaveLength(1);
  });

  const whole = [
    ['server/a.ts', "throw conflict('TAKEN', sentence('Claimed by {name}.', { name: `#{first} #{last}` }));"],
    ['server/a.ts', 'log.warn(`Claimed by #{name}`);'],
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
