import { HOUR_S, MINUTE_S } from '#platform/time';
import type { Limit } from './limitRow.ts';
import { type ChangedLimits, type LimitName, type Limits, limitRows } from './limits.ts';

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];
const KILO = 1024;

/** An invalid `LIMITS` in the environment; its message is a sentence for the operator. */
export class LimitsError extends Error {}

/**
 * Parses changed limits in the operator's notation: `visitorMessagesPerAddress=120,siteFileBytes=20GB,callsPerAccount=off`.
 * @throws LimitsError
 */
export function readLimits(given: string): ChangedLimits {
  const changed: ChangedLimits = {};
  for (const part of given.split(',').map((text) => text.trim())) {
    if (part === '') continue;
    const [name = '', value = '', ...more] = part.split('=').map((text) => text.trim());
    const row = limitRows.find(([rowName]) => rowName === name);
    if (!row) throw new LimitsError(`LIMITS: there is no limit '${name}'. The names are in docs/limits.md.`);
    const max = more.length === 0 ? readMax(value, row[1]) : null;
    if (max === null) throw new LimitsError(`LIMITS: ${name} must be ${kindOf(row[1])}, not '${value}'.`);
    changed[row[0]] = max;
  }
  return changed;
}

function kindOf({ unit }: Limit): string {
  const kind = unit === 'bytes' ? 'a size such as 500MB or 20GB' : 'a whole number of 1 or more';
  return `${kind}, or off`;
}

function readMax(value: string, { unit }: Limit): number | null {
  if (value === 'off') return Number.POSITIVE_INFINITY;
  const max = unit === 'bytes' || /^\d+$/.test(value) ? readSize(value) : null;
  return max !== null && max >= 1 ? max : null;
}

/** Parses a number of bytes such as `20GB` or `512`; null: invalid. */
export function readSize(given: string): number | null {
  const [, digits, suffix = ''] = given.match(/^(\d{1,15})([KMGT]B)?$/i) ?? [];
  if (digits === undefined) return null;
  const bytes = Number(digits) * KILO ** Math.max(0, BYTE_UNITS.indexOf(suffix.toUpperCase()));
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** A table of all limits with the numbers in force, for the documentation and the operator. */
export function limitsTable(limits: Pick<Limits, 'max'>): { head: string[]; rows: string[][] } {
  const head = ['At most', 'For each', 'Why'];
  return { head, rows: limitRows.map(([name, row]) => rowOf(name, row, limits.max(name))) };
}

function rowOf(name: LimitName, { unit, seconds, who, why }: Limit, max: number): string[] {
  const most = `${amount(max, unit)}${seconds === null ? '' : ` ${timeWords(seconds)}`}`;
  return [`${most}\n\`${name}\``, who, why];
}

function amount(max: number, unit: string): string {
  if (max === Number.POSITIVE_INFINITY) return 'no limit';
  return unit === 'bytes' ? formatSize(max) : `${max.toLocaleString('en')} ${unit}`;
}

/** A number of bytes in the largest unit that fits: `20 GB`. */
export function formatSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(KILO)), BYTE_UNITS.length - 1);
  return `${Number((bytes / KILO ** step).toFixed(1)).toLocaleString('en')} ${BYTE_UNITS[step]}`;
}

function timeWords(seconds: number): string {
  if (seconds % HOUR_S === 0) return plural(seconds / HOUR_S, 'hour');
  if (seconds % MINUTE_S === 0) return plural(seconds / MINUTE_S, 'minute');
  return plural(seconds, 'second');
}

function plural(n: number, word: string): string {
  return n === 1 ? `a ${word}`.replace('a hour', 'an hour') : `in ${n} ${word}s`;
}
