/** The address that the way to the form has brought along, as that of an invite does. */
export function emailIn(state: unknown): string {
  const email = typeof state === 'object' && state !== null && 'email' in state ? state.email : '';
  return typeof email === 'string' ? email : '';
}
