import { describe, expect, test } from 'vitest';
import { hostedEntries, missingEntries, unlockedAsks, unverifiedEntries } from '../lock.js';
import { overBudget } from './bytes.js';
import { cyclesIn, roomsOf } from './cycles.js';
import { pathsIn } from './docs.js';
import { literalSpreads, sameButForCase, smallFiles } from './house.js';
import { importsOf, wrongImport } from './imports.js';
import { tooLong } from './length.js';
import { normalizations, regexpsOf, slowness } from './regexps.js';
import { tooLarge } from './size.js';

describe('the direction of imports', () => {
  const allowed = [
    ['server/src/main.ts', 'server/src/app/app.ts'],
    ['server/src/features/visitors/socket.ts', 'server/src/features/chats/index.ts'],
    ['server/src/features/chats/routes.ts', 'server/src/features/chats/turns/closing.ts'],
    ['server/src/features/chats/feature.ts', 'server/src/app/feature.ts'],
    ['server/src/features/chats/feature.ts', 'server/src/features/search/index.ts'],
    ['server/src/app/features.ts', 'server/src/features/chats/feature.ts'],
    ['server/src/features/chats/contract.ts', 'server/src/platform/http/contract.ts'],
    ['server/src/store/query/match.ts', 'server/src/store/bson/keys.ts'],
    ['server/src/features/chats/chats.test.ts', 'server/src/features/visitors/socket.ts'],
    ['client/src/app/routes.tsx', 'client/src/features/inbox/console/ConsolePage.tsx'],
    ['client/src/app/shell/Shell.tsx', 'client/src/features/chats/index.ts'],
    ['client/src/features/inbox/Inbox.tsx', 'client/src/features/chats/index.ts'],
    ['client/src/features/chats/thread/MessageList.tsx', 'client/src/features/chats/api.ts'],
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
    ['server/src/features/visitors/socket.ts', 'server/src/features/chats/turns/closing.ts'],
    ['server/src/features/visitors/socket.ts', 'server/src/features/chats/feature.ts'],
    ['server/src/features/chats/turns/closing.ts', 'server/src/features/chats/index.ts'],
    ['server/src/features/chats/turns/closing.ts', 'server/src/app/context.ts'],
    ['server/src/platform/http/endpoint/validate.ts', 'server/src/features/auth/index.ts'],
    ['server/src/features/visitors/socket.ts', 'server/src/features/chats/socket.ts'],
    ['server/src/features/chats/contract.ts', 'server/src/features/chats/model.ts'],
    ['server/src/store/worker.ts', 'server/src/platform/env/index.ts'],
    ['server/src/features/chats/model.ts', 'server/src/store/worker.ts'],
    ['server/src/features/chats/turns/closing.ts', 'server/src/features/chats/chats.test.ts'],
    ['server/src/cellar/wine.ts', 'server/src/platform/http/errors.ts'],
    ['client/src/ui/Button.tsx', 'client/src/features/inbox/api.ts'],
    ['client/src/ui/Button.tsx', 'client/src/shared/LeaveTeam.tsx'],
    ['client/src/shared/LeaveTeam.tsx', 'client/src/features/team/api.ts'],
    ['client/src/features/inbox/Inbox.tsx', 'client/src/app/App.tsx'],
    ['client/src/features/inbox/Inbox.tsx', 'client/src/features/sites/SiteCard.tsx'],
    ['client/src/features/inbox/Inbox.tsx', 'client/src/features/chats/api.ts'],
    ['client/src/features/inbox/Inbox.tsx', 'client/src/features/chats/thread/index.ts'],
    ['client/src/features/inbox/Inbox.tsx', 'client/src/features/team/TeamPage.tsx'],
    ['client/src/app/shell/Shell.tsx', 'client/src/features/chats/live/live.ts'],
    ['client/src/lib/api.ts', 'server/src/platform/http/contract.ts'],
    ['widget/src/page-api.ts', 'client/src/lib/api.ts'],
    ['browser/drafts.ts', 'client/src/lib/api.ts'],
    ['server/src/main.ts', 'browser/storage'],
    ['widget/src/page-api.ts', 'e2e/delivery/face.ts'],
  ];
  test.each(refused)('%s may not import %s', (from, to) => {
    expect(wrongImport(from, to)).toContain(from);
  });

  test('every form of import is found, with the file it is in', () => {
    const text = `import type { A } from '#features/chats';
      import type { C } from '#features/chats/bulk/contract';
      export * from './contract.ts';
      export { b } from './view.ts';
      import 'express';
      const lazy = () => import('./socket.ts');`;
    expect(importsOf('server/src/features/visitors/routes.ts', text).sort()).toEqual([
      'express',
      'server/src/features/chats/bulk/contract.ts',
      'server/src/features/chats/index.ts',
      'server/src/features/visitors/contract.ts',
      'server/src/features/visitors/socket.ts',
      'server/src/features/visitors/view.ts',
    ]);
  });
});

test('a folder that grows much from one release to the next is refused, and one without files', () => {
  const folder = 'server/src';
  expect(tooLarge({ folder, before: 1_000, now: 1_150 })).toEqual([]);
  expect(tooLarge({ folder, before: 1_000, now: 1_151 })).toEqual([expect.stringMatching(/1151 lines, at most 1150/)]);
  expect(tooLarge({ folder, before: 1_000, now: 0 })).toEqual([expect.stringContaining('no files')]);
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

test('features that need each other are found, though no two files do', () => {
  const graph = new Map([
    ['client/src/features/chats/url.ts', ['client/src/features/team/index.ts', 'client/src/lib/api.ts']],
    ['client/src/features/team/index.ts', ['client/src/features/team/api.ts']],
    ['client/src/features/team/Roles.tsx', ['client/src/features/chats/index.ts']],
    ['client/src/features/team/roles.test.tsx', ['client/src/features/sites/index.ts']],
    ['client/src/features/sites/SiteCard.tsx', ['client/src/features/team/index.ts']],
  ]);
  const [chats, team] = ['client/src/features/chats', 'client/src/features/team'];
  const roomOf = (path) => /^client\/src\/features\/\w+/.exec(path)?.[0];
  expect(cyclesIn(roomsOf(graph, roomOf))).toEqual([[chats, team, chats]]);
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
  const slownessIn = (code, path = 'server/src/platform/http/pages/pages.ts') =>
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
    expect(slownessIn(code)).toEqual([expect.stringMatching(/^server\/src\/platform\/http\/pages\/pages\.ts:1 /)]);
  });

  test('linear patterns pass, and tests may build patterns at run time', () => {
    expect(slownessIn("/^[0-9a-f]{24}$/i.test(id) || /\\s+/g.test(id) || new RegExp('^a+$').test(id)")).toEqual([]);
    expect(slownessIn('new RegExp(name)', 'server/src/platform/env/env.test.ts')).toEqual([]);
  });

  test('the server normalizes texts in one place, which takes linear time', () => {
    const code = "tag\n  .normalize('NFC')";
    expect(normalizations('server/src/chats/tags.ts', code)).toEqual([expect.stringContaining('chats/tags.ts:2 ')]);
    for (const path of ['server/src/platform/text/text.ts', 'server/src/chats/tags.test.ts', 'client/src/lib/tags.ts'])
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
  expect(unverifiedEntries({ packages })).toContain('node_modules/@tool/here');
});

test('a package that was added, changed or removed by hand is reported as missing from the lock file', () => {
  const packages = { '': { dependencies: { kept: '1.0.0', changed: '1.0.0', gone: '1.0.0' } } };
  const manifests = { '': { dependencies: { kept: '1.0.0', changed: '2.0.0', added: '1.0.0' } } };
  expect(unlockedAsks({ packages }, manifests).sort()).toEqual(['root: added', 'root: changed', 'root: gone']);
});
