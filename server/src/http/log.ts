import { type DestinationStream, type Logger, pino } from 'pino';

/** Errors whose message quotes what they choked on: a document, a query, a body. */
const QUOTING = /^(Mongo|Mongoose|BSON|Bulk|Cast|Validat|Duplicate|Document|Strict|Syntax)/;

/**
 * The process's log. What people wrote, their addresses and their secrets never get in: requests are logged by
 * their route's pattern, and of an error that quotes data only its kind, its code and where it arose.
 * @param to where lines go instead of the standard output
 */
export function createLog(level: string, to?: DestinationStream): Logger {
  const options = { level, serializers: { err: plainError } };
  return to ? pino(options, to) : pino(options);
}

function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = '' } = error;
  const quotes = QUOTING.test(name);
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return {
    type: name,
    ...('code' in error ? { code: error.code } : {}),
    ...(quotes ? {} : { message }),
    stack: frames.join('\n'),
  };
}
