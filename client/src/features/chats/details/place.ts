/** The time zone that a coarse location begins with ('Europe/Berlin · de'), if it names one. */
export function zoneOf(location: string | null): string | null {
  const [first = ''] = (location ?? '').split(' · ');
  try {
    return first && new Intl.DateTimeFormat('en', { timeZone: first }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** What the clocks show there: '14:05, Tuesday'. */
export function hourIn(timeZone: string, now: number): string {
  const time = new Date(now).toLocaleTimeString('en', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return `${time}, ${new Date(now).toLocaleDateString('en', { timeZone, weekday: 'long' })}`;
}
