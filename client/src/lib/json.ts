/** What is in the JSON of an object. It may come from any script or release: nothing, where it is something else. */
export function readJson(text: string | null): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    return kindOf(parsed) === 'object' ? { ...Object(parsed) } : {};
  } catch {
    return {};
  }
}

/** Whether two values are the same as JSON, which is how they are stored and sent. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Whether one value may stand where the other does: both are texts, say, or both lists. Any value may stand where null does, and
 * null may stand for a number or an object.
 */
export function isSameKind(one: unknown, other: unknown): boolean {
  if (one === null) return ['number', 'object'].includes(kindOf(other));
  return other === null || kindOf(one) === kindOf(other);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
