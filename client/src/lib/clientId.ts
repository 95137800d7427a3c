/** A new UUID (version 4) for a message; `crypto.randomUUID` is missing on pages served without TLS. */
export function newClientId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return value.toString(16).padStart(2, '0');
  }).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The `clientId` for a text: the same one while the text is the same, so that a retry is idempotent. */
export function clientIdFor(last: { content: string; clientId: string } | undefined, content: string) {
  return last?.content === content ? last : { content, clientId: newClientId() };
}
