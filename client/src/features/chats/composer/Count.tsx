import { MESSAGE_MAX_LENGTH } from 'server/contract';
import { formatCount } from '../../../lib/format.ts';

/** From here on what is left is counted. */
const COUNT_FROM = MESSAGE_MAX_LENGTH - 200;

/** How the keys work, until how much more may be written matters more. */
export function Count({ length }: { length: number }) {
  const over = length - MESSAGE_MAX_LENGTH;
  if (length <= COUNT_FROM) return <span className="max-lg:hidden">Enter sends, Shift+Enter begins a new line</span>;
  if (over <= 0) return <span className="tabular-nums">{-over} characters left</span>;
  return (
    <span role="alert" className="font-medium text-danger tabular-nums">
      {over} {over === 1 ? 'character' : 'characters'} too long. A message has at most {formatCount(MESSAGE_MAX_LENGTH)}
      .
    </span>
  );
}
