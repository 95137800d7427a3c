import type { ArticleLanguage } from 'server/contract';
import { msg, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { directionOf } from '../words.ts';
import type { SaverState, TextValues } from './saver.ts';

const FIELD_NAMES: Record<keyof TextValues, string> = {
  title: msg('Title'),
  text: msg('Text'),
  description: msg('Description'),
  alsoAsked: msg('Also asked as'),
  slug: msg('Address'),
};

interface ConflictProps {
  conflicts: SaverState['conflicts'];
  lang: ArticleLanguage;
  onChoose: (side: 'mine' | 'theirs') => void;
}

/** What somebody else has saved while the user was writing, and what the user has written. Nothing is saved until one is chosen. */
export function Conflict({ conflicts, lang, onChoose }: ConflictProps) {
  return (
    <div role="alert" className="flex flex-col gap-3 rounded-card border border-waiting/50 bg-waiting-soft p-4">
      <p className="font-medium">
        {t('Somebody else has saved this text while you were writing. Nothing is lost: choose.')}
      </p>
      {conflicts.map(({ field, mine, theirs }) => (
        <div key={field} className="grid gap-3 md:grid-cols-2">
          {[
            { side: t('{field}: yours', { field: t(FIELD_NAMES[field]) }), text: mine },
            { side: t('{field}: theirs', { field: t(FIELD_NAMES[field]) }), text: theirs },
          ].map(({ side, text }) => (
            <section key={side} aria-label={side} className="min-w-0 rounded-control border bg-surface p-3">
              <p className="pb-1 text-xs text-muted">{side}</p>
              <p
                lang={lang}
                dir={directionOf(lang)}
                className="max-h-56 overflow-y-auto whitespace-pre-wrap wrap-anywhere"
              >
                {text || t('None')}
              </p>
            </section>
          ))}
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => onChoose('mine')}>
          {t('Save mine instead')}
        </Button>
        <Button variant="secondary" size="sm" onClick={() => onChoose('theirs')}>
          {t('Take theirs')}
        </Button>
        <CopyButton text={conflicts.map(({ mine }) => mine).join('\n\n')} label={t('Copy mine')} />
      </div>
    </div>
  );
}
