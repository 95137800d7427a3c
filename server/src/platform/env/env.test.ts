import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EnvError, readEnv } from './index.ts';

test.each([
  [undefined, ['loopback']],
  ['2', 2],
  ['off', false],
  ['0', false],
  ['10.1.2.3, 192.168.0.0/16', ['10.1.2.3', '192.168.0.0/16']],
  ['loopback,fd00::/8', ['loopback', 'fd00::/8']],
])('TRUST_PROXY=%s trusts %j', (given, trusted) => {
  expect(readEnv(given === undefined ? {} : { TRUST_PROXY: given }).trustProxy).toEqual(trusted);
});

test('push messages name VAPID_SUBJECT, an https PUBLIC_URL or a default as their contact', () => {
  const subjectOf = (vars: NodeJS.ProcessEnv) => readEnv(vars).vapid.subject;
  expect(subjectOf({ PUBLIC_URL: 'https://chat.example.com/' })).toBe('https://chat.example.com');
  expect(subjectOf({ VAPID_SUBJECT: 'mailto:ops@example.com' })).toBe('mailto:ops@example.com');
  expect(subjectOf({ PUBLIC_URL: 'http://chat.example.com' })).toMatch(/^mailto:/);
  expect(() => readEnv({ VAPID_SUBJECT: 'ops@example.com' })).toThrow(/VAPID_SUBJECT must be/);
  expect(() => readEnv({ VAPID_PRIVATE_KEY: 'too short' })).toThrow(/VAPID_PRIVATE_KEY must be/);
});

test.each(['true', 'everybody', '10.0.0.0/33', '10.0.0.0/8/8', '11', 'loopback,'])(
  'TRUST_PROXY=%s stops the start with an error',
  (given) => {
    expect(() => readEnv({ TRUST_PROXY: given })).toThrow(EnvError);
    expect(() => readEnv({ TRUST_PROXY: given })).toThrow(/TRUST_PROXY must be/);
  },
);

test.each(['JWT_SECRET', 'DATA_KEY'])('%s stops the start when it is short or copied from an example', (name) => {
  for (const given of ['short', 'change-me-change-me-change-me-change-me', 'secret'.repeat(8)]) {
    expect(() => readEnv({ [name]: given })).toThrow(EnvError);
    expect(() => readEnv({ [name]: given })).toThrow(new RegExp(`${name} must be at least 32 random characters`));
  }
  expect(() => readEnv({ [name]: 'k3'.repeat(16) })).not.toThrow();
});

test('BACKUP_DIR switches daily backups of the embedded store on', () => {
  expect(readEnv({ BACKUP_KEEP: '3' }).backups).toBeNull();
  expect(readEnv({ BACKUP_DIR: '/backup' }).backups).toEqual({ folder: '/backup', keep: 7 });
  expect(readEnv({ BACKUP_DIR: '/backup', BACKUP_KEEP: '30' }).backups?.keep).toBe(30);
  expect(() => readEnv({ BACKUP_KEEP: '0' })).toThrow(/BACKUP_KEEP must be a whole number from 1 to 365/);
  expect(() => readEnv({ BACKUP_DIR: '/backup', MONGODB_URI: 'mongodb://localhost/parley' })).toThrow(
    /BACKUP_DIR is for the embedded store/,
  );
});

test('DISK_RESERVE is a size', () => {
  expect(readEnv({}).diskReserve).toBe(64 * 2 ** 20);
  expect(readEnv({ DISK_RESERVE: '1GB' }).diskReserve).toBe(2 ** 30);
  for (const given of ['15MB', 'much', '-1', '64'])
    expect(() => readEnv({ DISK_RESERVE: given })).toThrow(/DISK_RESERVE must be a size of at least 16MB/);
});

test.each([
  [{}, true],
  [{ HOST: '127.0.0.1' }, false],
  [{ HOST: '::1', PUBLIC_URL: 'http://localhost:3000' }, false],
  [{ HOST: '127.0.0.1', PUBLIC_URL: 'https://chat.example.com' }, true],
  [{ HOST: '192.168.0.4' }, true],
])('%o: whether a stranger could sign up first', (vars, asked) => {
  expect(readEnv(vars).foundingCode).toBe(asked);
});

const MAIL = { SMTP_URL: 'smtp://a:b@mail.example.com:587', PUBLIC_URL: 'https://chat.example.com' };

test('mail is off without SMTP_URL, and is sent from the host of PUBLIC_URL without MAIL_FROM', () => {
  expect(readEnv({ PUBLIC_URL: MAIL.PUBLIC_URL }).mail).toBeNull();
  expect(readEnv(MAIL).mail).toEqual({
    smtpUrl: MAIL.SMTP_URL,
    from: { name: 'Parley', address: 'parley@chat.example.com' },
  });
});

test.each([
  ['chat@example.com', { name: 'Parley', address: 'chat@example.com' }],
  ['Corner Shop <chat@example.com>', { name: 'Corner Shop', address: 'chat@example.com' }],
  ['"Shop, Inc." <chat@example.com>', { name: 'Shop, Inc.', address: 'chat@example.com' }],
])('MAIL_FROM=%s sets the sender', (given, from) => {
  expect(readEnv({ ...MAIL, MAIL_FROM: given }).mail?.from).toEqual(from);
});

test.each([
  [{ ...MAIL, PUBLIC_URL: '' }, /SMTP_URL needs PUBLIC_URL/],
  [{ ...MAIL, SMTP_URL: 'mail.example.com:587' }, /SMTP_URL must be/],
  [{ ...MAIL, MAIL_FROM: 'Shop' }, /MAIL_FROM must be/],
  [{ ...MAIL, MAIL_FROM: 'a@b.example, c@d.example' }, /MAIL_FROM must be/],
  [{ MAIL_IN_URL: 'lmtp://127.0.0.1:24' }, /need SMTP_URL/],
  [{ ...MAIL, MAIL_IN_URL: 'pop3://mail.example.com' }, /MAIL_IN_URL must be/],
  [{ ...MAIL, MAIL_IN_URL: 'imaps://mail.example.com' }, /needs a user/],
  [{ ...MAIL, MAIL_IN_URL: 'imaps://chat@mail.example.com' }, /either a password or/],
  [{ ...MAIL, MAIL_IN_URL: 'lmtp://mail.example.com:24' }, /address of this machine/],
  [{ ...MAIL, MAIL_IN_SECRET: 'short' }, /MAIL_IN_SECRET must have/],
  [{ ...MAIL, MAIL_IN_SECRET: 'a'.repeat(16), MAIL_IN_ADDRESS: 'chat+box@example.com' }, /MAIL_IN_ADDRESS must be/],
])('%o stops the start with an error', (vars, sentence) => {
  expect(() => readEnv(vars)).toThrow(sentence);
});

const page = (name: string) => readFileSync(fileURLToPath(new URL(`../../../../${name}`, import.meta.url)), 'utf8');

/** The names of all settings. */
function settings(): Set<string> {
  const read = new Set<string>();
  const recorded = (vars: Record<string, string>) =>
    new Proxy(vars, { get: (given, name) => read.add(String(name)) && given[String(name)] });
  readEnv(recorded({ ...MAIL, AI_URL: 'http://localhost/v1', AI_MODEL: 'm', MAIL_IN_URL: 'lmtp://127.0.0.1:24' }));
  readEnv(recorded({ ...MAIL, OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'parley' }));
  const MAIL_IN_OAUTH_URL = 'https://login.example.com/token';
  const oauth = { MAIL_IN_OAUTH_URL, MAIL_IN_OAUTH_CLIENT_ID: 'c', MAIL_IN_OAUTH_CLIENT_SECRET: 's' };
  readEnv(recorded({ ...MAIL, MAIL_IN_URL: 'imaps://chat@mail.example.com', ...oauth }));
  return read;
}

test('.env.example and the documentation list exactly the existing settings', () => {
  const read = settings();
  const example = [...page('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(example.sort()).toEqual([...read].sort());
  const table = page('docs/self-hosting.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect([...read].filter((name) => !table.some((row) => row.includes(`\`${name}\``)))).toEqual([]);
});

test('with REDIS_URL, the settings that nodes share are required', () => {
  const shared = {
    REDIS_URL: 'redis://localhost',
    MONGODB_URI: 'mongodb://localhost/parley',
    JWT_SECRET: 'k3'.repeat(16),
    DATA_KEY: 'k4'.repeat(16),
    VAPID_PRIVATE_KEY: 'v'.repeat(43),
  };
  expect(readEnv(shared).redisUrl).toBe('redis://localhost');
  expect(() => readEnv({ ...shared, REDIS_URL: 'localhost:6379' })).toThrow(/REDIS_URL must begin with/);
  for (const wrong of ['redis://localhost:99999', 'redis://localhost/parley'])
    expect(() => readEnv({ ...shared, REDIS_URL: wrong })).toThrow(/REDIS_URL must be an address like/);
  expect(readEnv({ ...shared, REDIS_URL: 'rediss://me:word@localhost:6380/2' }).redisUrl).toMatch(/2$/);
  expect(() => readEnv({ REDIS_URL: 'redis://localhost', MONGODB_URI: shared.MONGODB_URI })).toThrow(
    'With REDIS_URL several nodes share one database, so JWT_SECRET, DATA_KEY, VAPID_PRIVATE_KEY must be set, too.',
  );
});

test.each(['docker-compose.yml', 'docker-compose.cluster.yml'])('%s has settings that start a server', (name) => {
  const file = page(name);
  const given = { JWT_SECRET: 'k3'.repeat(16), DATA_KEY: 'k4'.repeat(16), VAPID_PRIVATE_KEY: 'v'.repeat(43) };
  // `NAME: value`, where the value may be taken from the environment: `${NAME:-default}` or `${NAME:?why}`.
  const vars = Object.fromEntries(
    [...file.matchAll(/^ +([A-Z][A-Z_]+): "?([^"\n]*)"?$/gm)].map(([, key = '', value = '']) => {
      const [, from, fallback] = /^\$\{([A-Z_]+):[-?](.*)\}$/.exec(value) ?? [];
      if (from === undefined) return [key, value];
      expect(from).toBe(key);
      return [key, given[key as keyof typeof given] ?? fallback];
    }),
  );
  const known = settings();
  expect(Object.keys(vars).filter((key) => !known.has(key))).toEqual([]);
  expect(readEnv(vars)).toMatchObject({ mongodbUri: vars.MONGODB_URI, publicUrl: 'http://localhost', trustProxy: 1 });
  expect(readEnv(vars).redisUrl).toBe(vars.REDIS_URL ?? null);
});

test('AI_URL and AI_MODEL switch the language model on', () => {
  expect(readEnv({ AI_KEY: 'k', AI_MODEL: 'm' }).model).toBeNull();
  const set = { AI_URL: 'http://localhost:11434/v1', AI_MODEL: 'qwen3:8b' };
  expect(readEnv(set).model).toEqual({ url: set.AI_URL, key: null, model: 'qwen3:8b', tokensPerDay: 1_000_000 });
  const { model } = readEnv({ ...set, AI_KEY: 'k', AI_TOKENS_PER_DAY: 'off' });
  expect([model?.key, model?.tokensPerDay]).toEqual(['k', null]);
  expect(readEnv({ ...set, AI_TOKENS_PER_DAY: '0' }).model?.tokensPerDay).toBe(0);
  for (const AI_URL of [
    'localhost:11434',
    'ftp://localhost/v1',
    'https://user:pass@example.com',
    'https://x.example/v1?key=1',
  ])
    expect(() => readEnv({ ...set, AI_URL })).toThrow(/AI_URL must be an address like/);
  expect(() => readEnv({ AI_URL: set.AI_URL })).toThrow(/AI_URL needs AI_MODEL/);
  expect(() => readEnv({ ...set, AI_TOKENS_PER_DAY: 'many' })).toThrow(/AI_TOKENS_PER_DAY must be a whole number/);
});
