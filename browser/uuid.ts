/** A random UUID. `crypto.randomUUID` exists on https pages only. */
export function uuid(): string {
  // Each 0 and 1 becomes a random digit, the 8 one of 8 to b.
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (+digit ^ (random & (15 >> (+digit / 4)))).toString(16);
  });
}
