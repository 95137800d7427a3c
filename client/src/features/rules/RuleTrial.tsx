import { Link } from 'react-router-dom';
import { RULE_TRIAL_CHATS } from 'server/contract';
import { failureText } from '../../lib/http.ts';
import { plural, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { Button } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import { useRuleTrial } from './api.ts';
import type { RuleValues } from './words.ts';

/** To which of the newest chats the rule would have applied, as it stands in the form. */
export function RuleTrial({ siteId, values }: { siteId: string; values: RuleValues }) {
  const trial = useRuleTrial(siteId);
  const tried = trial.variables && JSON.stringify(trial.variables) === JSON.stringify(bodyOf(values));
  const found = tried ? trial.data : undefined;
  return (
    <section aria-label={t('Dry run')} className="flex flex-col gap-3">
      <div>
        <Button variant="secondary" size="sm" busy={trial.isPending} onClick={() => trial.mutate(bodyOf(values))}>
          {t('Try it on the last {max} chats', { max: RULE_TRIAL_CHATS })}
        </Button>
        <p className="pt-1.5 text-xs text-muted">{t('Nothing is changed.')}</p>
      </div>
      <div role="status">
        {found && (
          <p className="font-medium">
            {plural(
              found.chats,
              'It would have applied to {matches} of {count} chat.',
              'It would have applied to {matches} of {count} chats.',
              { matches: found.matches.length },
            )}
          </p>
        )}
        {tried && trial.error && (
          <p className="font-medium text-danger">{failureText(trial.error, t('The rule could not be tried.'))}</p>
        )}
      </div>
      {found && found.matches.length > 0 && (
        // In a new tab, because the form is not saved yet.
        <ul aria-label={t('Chats')} className="max-h-48 divide-y overflow-y-auto rounded-card border">
          {found.matches.map(({ chatId, visitorName: name, at }) => (
            <li key={chatId} className="flex items-baseline justify-between gap-3 px-3 py-2">
              <Link
                to={paths.chat(chatId)}
                target="_blank"
                dir="auto"
                className="min-w-0 truncate font-medium text-accent hover:text-accent-strong"
              >
                {visitorName(name)} <span className="sr-only">{t('(opens in a new tab)')}</span>
              </Link>
              <Time at={at} className="shrink-0 text-muted" />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The rule as it is tried: its name and what it does need not be filled in yet, because nothing is done. */
const bodyOf = (values: RuleValues): RuleValues => ({
  ...values,
  name: 'trial',
  actions: [{ do: 'tag', tag: 'trial' }],
});
