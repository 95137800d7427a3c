import { type DestinationStream, type Logger, pino } from 'pino';

/** Errors whose message quotes the data that caused them: a document, a query, a body. */
const QUOTING = /^(Mongo|Mongoose|BSON|Bulk|Cast|Validat|Duplicate|Document|Strict|Syntax)/;

/**
 * The process's log. It never contains what people wrote, their addresses or their secrets: requests are logged by their
 * route's pattern, and of an error that quotes data only its kind, its code and where it arose.
 * @param to the destination of log lines instead of the standard output
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
