import { expect, it } from 'vitest';
import { uuid } from './uuid.ts';

it('makes UUIDs, also on pages without TLS', () => {
  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(uuid()).toMatch(pattern);
  const secure = Object.getOwnPropertyDescriptor(crypto, 'randomUUID');
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  expect(uuid()).toMatch(pattern);
  expect(uuid()).not.toBe(uuid());
  if (secure) Object.defineProperty(crypto, 'randomUUID', secure);
  else Reflect.deleteProperty(crypto, 'randomUUID');
});
