import type { AssistantState } from 'server/contract';
import { formatCount } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Meter } from '../../../ui/Meter.tsx';

/** What the day has cost so far. */
export function Today({ state: { model, today } }: { state: AssistantState }) {
  if (model === null) return null;
  const { tokens, limit, isServerSpent } = today;
  const used = formatCount(tokens);
  const text = limit === null ? used : t('{size} of {max}', { size: used, max: formatCount(limit) });
  return (
    <section aria-labelledby="assistant-today" className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="assistant-today" className="font-medium">
          {t('Tokens today')}
        </h2>
        <span className="text-muted tabular-nums">{text}</span>
      </div>
      {limit !== null && <Meter label={t('Tokens today')} percent={(tokens / limit) * 100} text={text} />}
      <p className="text-xs text-muted">
        {isServerSpent
          ? t('The server has used up its tokens for today. People answer until midnight (UTC).')
          : t('They begin anew at midnight (UTC).')}
      </p>
    </section>
  );
}
