import { expect, it } from 'vitest';
import { newClientId } from './clientId.ts';

it('makes UUIDs, also on pages without TLS', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(newClientId()).toMatch(uuid);
  const secure = Object.getOwnPropertyDescriptor(crypto, 'randomUUID');
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  expect(newClientId()).toMatch(uuid);
  expect(newClientId()).not.toBe(newClientId());
  if (secure) Object.defineProperty(crypto, 'randomUUID', secure);
  else Reflect.deleteProperty(crypto, 'randomUUID');
});
