import { useId } from 'react';
import type { Report } from 'server/contract';
import { formatCount } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';

/** The average rating, and how many ratings there are with each number of stars. */
export function Satisfaction({ report, days }: { report: Report; days: number }) {
  const { stars, rating } = report;
  const titleId = useId();
  const ratings = stars.reduce((sum, count) => sum + count, 0);
  return (
    <section aria-labelledby={titleId} className="flex min-w-0 flex-col rounded-card border bg-surface p-4 sm:p-5">
      <h2 id={titleId} className="text-base font-semibold">
        {t('Satisfaction')}
      </h2>
      <p className="text-xs text-muted">
        {plural(days, 'Ratings from 1 to 5 stars, last {count} day', 'Ratings from 1 to 5 stars, last {count} days')}
      </p>
      {rating === null ? (
        <p className="flex flex-1 items-center pt-2 text-muted">{t('No chats were rated in these days')}</p>
      ) : (
        <>
          <p className="flex items-baseline gap-2 pt-3">
            <span className="text-3xl font-semibold tabular-nums">{formatCount(rating)}</span>
            <span className="text-muted">{plural(ratings, 'of 5, {count} rating', 'of 5, {count} ratings')}</span>
          </p>
          <ul aria-label={t('Ratings by stars')} className="mt-auto flex flex-col gap-2 pt-5">
            {stars
              .map((count, at) => ({ count, of: at + 1 }))
              .toReversed()
              .map(({ count, of }) => (
                <li key={of} className="grid grid-cols-[2.25rem_1fr_2.5rem] items-center gap-2 tabular-nums">
                  <span className="sr-only">
                    {t('{name}: {text}', {
                      name: plural(of, '{count} star', '{count} stars'),
                      text: plural(count, '{count} rating', '{count} ratings'),
                    })}
                  </span>
                  <span aria-hidden>
                    {of} <span className="text-muted">★</span>
                  </span>
                  <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-text/10">
                    <span
                      className="block h-full rounded-full bg-accent"
                      style={{ width: `${(count / ratings) * 100}%` }}
                    />
                  </span>
                  <span aria-hidden className="text-end text-muted">
                    {formatCount(count)}
                  </span>
                </li>
              ))}
          </ul>
        </>
      )}
    </section>
  );
}
