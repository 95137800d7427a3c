/** An invalid setting; its message is for the operator. */
export class EnvError extends Error {}

/** The value of a variable; null: it is unset or empty. */
export function text(vars: NodeJS.ProcessEnv, name: string): string | null {
  return vars[name]?.trim() || null;
}

/** A whole number between two others. @throws EnvError */
export function whole(vars: NodeJS.ProcessEnv, name: string, fallback: number, min: number, max: number): number {
  const given = text(vars, name);
  if (given === null) return fallback;
  const value = Number(given);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new EnvError(`${name} must be a whole number from ${min} to ${max}, not '${given}'.`);
}

/** One of several words. @throws EnvError */
export function oneOf(vars: NodeJS.ProcessEnv, name: string, allowed: string[], fallback: string): string {
  const given = text(vars, name) ?? fallback;
  if (allowed.includes(given)) return given;
  throw new EnvError(`${name} must be one of ${allowed.join(', ')}, not '${given}'.`);
}
