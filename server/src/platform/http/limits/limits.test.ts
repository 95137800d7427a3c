import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EnvError, readEnv } from '../../env/index.ts';
import { limitsTable, readLimits } from './limitSettings.ts';
import { createLimits } from './limits.ts';

const PAGE = fileURLToPath(new URL('../../../../../docs/limits.md', import.meta.url));

const INTRO = `# Limits

The limits on what people can send, open and store, and the reasons. Above a limit with a time the answer is 429, and \`Retry-After\` says
how many seconds to wait. Above a limit on stored data it is 413. An address is one IPv4 address, or a /64 of IPv6.

You can change numbers in the environment, separated by commas; \`off\` removes a limit:

\`\`\`sh
LIMITS=visitorMessages=30,visitorFilesPerIp=200,callsPerAccount=off
\`\`\`

Sizes are written like \`500MB\` or \`20GB\`. Every server shows this table with its own numbers under \`/docs\`.

`;

function markdown({ head, rows }: ReturnType<typeof limitsTable>): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ').replace('\n', '<br>')} |\n`)
    .join('');
}

test('docs/limits.md is generated from the table of limits', async () => {
  const page = INTRO + markdown(limitsTable(createLimits({ on: true })));
  await expect(page).toMatchFileSnapshot(PAGE);
});

test('LIMITS changes or removes limits', async () => {
  const { limits: changed } = readEnv({ LIMITS: 'visitorMessages=2, callsPerAccount=off' });
  expect(changed).toEqual({ visitorMessages: 2, callsPerAccount: Number.POSITIVE_INFINITY });
  const limits = createLimits({ on: true, changed });
  await limits.take('visitorMessages', 'a');
  await limits.take('visitorMessages', 'a');
  await expect(limits.take('visitorMessages', 'a')).rejects.toMatchObject({ status: 429 });
  await limits.take('callsPerAccount', 'a', 100_000);
});

test('every example of LIMITS is valid', () => {
  const pages = ['.env.example', 'docs/self-hosting.md', 'docs/limits.md'].map((name) =>
    readFileSync(fileURLToPath(new URL(`../../../../../${name}`, import.meta.url)), 'utf8'),
  );
  const examples = pages.flatMap((page) => page.match(/(?<![\w.=])\w+=(?:\w+=)?[\w]+(?:,\w+=\w+)+/g) ?? []);
  expect(examples.length).toBeGreaterThan(3);
  for (const example of examples) expect(readLimits(example.replace(/^LIMITS=/, ''))).not.toEqual({});
});

test.each([
  ['visitorMesages=2', /no limit 'visitorMesages'/],
  ['visitorMessages', /visitorMessages must be a whole number of 1 or more, or off/],
  ['visitorMessages=0', /visitorMessages must be/],
  ['visitorMessages=-1', /visitorMessages must be/],
  ['visitorMessages=2GB', /visitorMessages must be/],
  ['visitorMessages=1=2', /visitorMessages must be/],
])('LIMITS=%s stops the start with an error', (given, sentence) => {
  expect(() => readEnv({ LIMITS: given })).toThrow(EnvError);
  expect(() => readEnv({ LIMITS: given })).toThrow(sentence);
});
