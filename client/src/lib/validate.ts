/** Why this cannot be an e-mail address, as a sentence; null: it may be one, which the server tells. */
export function validateEmail(typed: string): string | null {
  return /^[^\s@]+@\S+$/.test(typed.trim()) ? null : 'Enter an email address like ana@example.com';
}

/** The address as a browser reads it, or nothing when it is no http(s) address. */
export function httpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}
