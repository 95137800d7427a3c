import { expect, test } from 'vitest';
import { EnvError, readEnv } from './env.ts';

test.each([
  [undefined, ['loopback', 'linklocal', 'uniquelocal']],
  ['2', 2],
  ['off', false],
  ['0', false],
  ['10.1.2.3, 192.168.0.0/16', ['10.1.2.3', '192.168.0.0/16']],
  ['loopback,fd00::/8', ['loopback', 'fd00::/8']],
])('TRUST_PROXY=%s trusts %j', (given, trusted) => {
  expect(readEnv(given === undefined ? {} : { TRUST_PROXY: given }).trustProxy).toEqual(trusted);
});

test.each(['true', 'everybody', '10.0.0.0/33', '10.0.0.0/8/8', '11', 'loopback,'])(
  'TRUST_PROXY=%s stops the start with a sentence',
  (given) => {
    expect(() => readEnv({ TRUST_PROXY: given })).toThrow(EnvError);
    expect(() => readEnv({ TRUST_PROXY: given })).toThrow(/TRUST_PROXY must be/);
  },
);
