/** A random UUID. Not by `crypto.randomUUID`, which pages without https lack. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  let hex = '';
  // Not by `Array.from`: Prototype.js and MooTools put one in its place that takes no function.
  for (const byte of bytes) hex += (byte + 256).toString(16).slice(1);
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
