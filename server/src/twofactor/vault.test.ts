import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

const vault = createVault('k'.repeat(32));

test('what is sealed opens again, and never looks the same twice', () => {
  const sealed = vault.seal('JBSWY3DPEHPK3PXP', 'ana');
  expect(vault.open(sealed, 'ana')).toBe('JBSWY3DPEHPK3PXP');
  expect(sealed).not.toContain('JBSWY3DPEHPK3PXP');
  expect(vault.seal('JBSWY3DPEHPK3PXP', 'ana')).not.toBe(sealed);
});

test('it opens for nobody else, with no other key, and not when a single bit was turned', () => {
  const sealed = vault.seal('JBSWY3DPEHPK3PXP', 'ana');
  expect(vault.open(sealed, 'ben')).toBeNull();
  expect(createVault('j'.repeat(32)).open(sealed, 'ana')).toBeNull();
  for (const odd of ['', 'short', sealed.slice(0, -4)]) expect(vault.open(odd, 'ana')).toBeNull();
  const bytes = Buffer.from(sealed, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const turned = Buffer.from(bytes);
    turned.writeUInt8(turned.readUInt8(at) ^ 1, at);
    expect(vault.open(turned.toString('base64url'), 'ana')).toBeNull();
  }
});
