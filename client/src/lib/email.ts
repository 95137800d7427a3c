/** Why this cannot be an e-mail address, as a sentence; null: it may be one, which the server tells. */
export function validateEmail(typed: string): string | null {
  return /^[^\s@]+@\S+$/.test(typed.trim()) ? null : 'Enter an email address like ana@example.com';
}
