import type { ImportCounts } from 'server/contract';
import { formatCount } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { SKIPS } from './words.ts';

/** What an import would do, or has done, and the rows that it leaves out. */
export function Counts({ counts, isDone = false }: { counts: ImportCounts; isDone?: boolean }) {
  const { chats, messages, people, knownChats, knownMessages, skipped } = counts;
  const figures = [
    [isDone ? t('Chats imported') : t('New chats'), chats],
    [isDone ? t('Messages imported') : t('New messages'), messages],
    [isDone ? t('People added') : t('New people'), people],
  ] as const;
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-3 gap-3 max-sm:gap-2">
        {figures.map(([label, count]) => (
          <div key={label} className="flex flex-col-reverse justify-end rounded-control border px-3 py-2">
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="text-lg font-semibold tabular-nums">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {knownChats > 0 && (
        <p>
          {plural(
            knownChats,
            '{count} chat with {messages} messages is already there, and stays as it is.',
            '{count} chats with {messages} messages are already there, and stay as they are.',
            { messages: formatCount(knownMessages) },
          )}
        </p>
      )}
      {skipped.length > 0 && (
        <div>
          <p className="font-medium">{t('Rows that are left out')}</p>
          <ul className="divide-y pt-1">
            {skipped.map(({ why, rows, lines }) => (
              <li key={why} className="flex flex-wrap justify-between gap-x-4 py-1.5">
                <span>{t(SKIPS[why])}</span>
                <span className="text-muted tabular-nums">
                  {rows > lines.length
                    ? plural(rows, '{count} row, first {lines}', '{count} rows, first {lines}', {
                        lines: lines.join(', '),
                      })
                    : plural(rows, 'row {lines}', 'rows {lines}', { lines: lines.join(', ') })}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
