import { expect, test } from 'vitest';
import { createSecretBox } from './secretBox.ts';

const secretBox = createSecretBox('k'.repeat(32));

test('an encrypted text can be decrypted, and never looks the same twice', () => {
  const sealed = secretBox.seal('JBSWY3DPEHPK3PXP', 'ana');
  expect(secretBox.open(sealed, 'ana')).toBe('JBSWY3DPEHPK3PXP');
  expect(sealed).not.toContain('JBSWY3DPEHPK3PXP');
  expect(secretBox.seal('JBSWY3DPEHPK3PXP', 'ana')).not.toBe(sealed);
});

test('it cannot be decrypted for another context, with another key, or after any change', () => {
  const sealed = secretBox.seal('JBSWY3DPEHPK3PXP', 'ana');
  expect(secretBox.open(sealed, 'ben')).toBeNull();
  expect(createSecretBox('j'.repeat(32)).open(sealed, 'ana')).toBeNull();
  for (const odd of ['', 'short', sealed.slice(0, -4)]) expect(secretBox.open(odd, 'ana')).toBeNull();
  const bytes = Buffer.from(sealed, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const turned = Buffer.from(bytes);
    turned.writeUInt8(turned.readUInt8(at) ^ 1, at);
    expect(secretBox.open(turned.toString('base64url'), 'ana')).toBeNull();
  }
});
