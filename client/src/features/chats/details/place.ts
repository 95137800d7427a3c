/** The time zone that a coarse location begins with ('Europe/Berlin · de'), if it names one. */
export function zoneOf(location: string | null): string | null {
  const [first = ''] = (location ?? '').split(' · ');
  try {
    return first && new Intl.DateTimeFormat('en', { timeZone: first }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
