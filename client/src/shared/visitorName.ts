/** The name that a visitor is shown by; nobody has to give one. */
export function visitorName(name: string | null | undefined, anonymous = 'Anonymous'): string {
  return name || anonymous;
}
