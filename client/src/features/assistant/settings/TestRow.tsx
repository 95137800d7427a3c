import { Check, Pencil, Trash2, X } from 'lucide-react';
import type { AssistantTest } from 'server/contract';
import { directionOf, languageName } from '#features/articles';
import { facts, t } from '../../../lib/i18n.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Time } from '../../../ui/Time.tsx';

interface TestRowProps {
  test: AssistantTest;
  /** The title of the expected article; undefined: readers do not see it, or a person is expected. */
  expected: string | undefined;
  mayEdit: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

/** One test question, what is expected, and what came of it last. */
export function TestRow({ test, expected, mayEdit, onEdit, onRemove }: TestRowProps) {
  const { question, lang, article, result } = test;
  const wanted = article === null ? t('A person') : (expected ?? t('An article that is not published'));
  const got = result && (result.title ?? t('A person'));
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p dir={directionOf(lang)} lang={lang} className="text-start font-medium wrap-anywhere">
          {question}
        </p>
        <p className="text-xs text-muted wrap-anywhere">
          {facts(languageName(lang), t('Expected: {title}', { title: wanted }))}
        </p>
      </div>
      <div className="flex min-w-0 basis-64 items-start gap-2 max-sm:w-full max-sm:basis-full">
        {result ? (
          <>
            <Badge tone={result.passed ? 'success' : 'waiting'}>
              {result.passed ? <Check size={12} aria-hidden /> : <X size={12} aria-hidden />}
              {result.passed ? t('As expected') : t('Otherwise')}
            </Badge>
            <p className="min-w-0 flex-1 text-xs text-muted wrap-anywhere">
              {!result.passed && <>{t('Found: {title}', { title: got ?? '' })} · </>}
              <Time at={result.at} />
            </p>
          </>
        ) : (
          <Badge>{t('Not asked yet')}</Badge>
        )}
      </div>
      {mayEdit && (
        <div className="-my-1 flex">
          <IconButton label={t('Edit: {name}', { name: question })} onClick={onEdit}>
            <Pencil size={16} aria-hidden />
          </IconButton>
          <IconButton label={t('Remove: {name}', { name: question })} onClick={onRemove}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </div>
      )}
    </li>
  );
}
