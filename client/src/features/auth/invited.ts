/** The id of the invite that the way to the form has come from. */
export function inviteIn(state: unknown): string | undefined {
  const invite = typeof state === 'object' && state !== null && 'invite' in state ? state.invite : undefined;
  return typeof invite === 'string' ? invite : undefined;
}

/** The address that the way to the form has brought along, as that of an invite does. */
export function emailIn(state: unknown): string {
  const email = typeof state === 'object' && state !== null && 'email' in state ? state.email : '';
  return typeof email === 'string' ? email : '';
}
