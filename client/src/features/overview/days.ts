/** A day like `2026-05-31` as people say it: 'May 31'. */
export function dayWord(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
}
