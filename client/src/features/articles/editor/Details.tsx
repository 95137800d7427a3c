import {
  ARTICLE_ALSO_ASKED_MAX,
  ARTICLE_DESCRIPTION_MAX_LENGTH,
  ARTICLE_SLUG_MAX_LENGTH,
  type Article,
  type ArticleLanguage,
  type HelpCenter,
  slugOf,
} from 'server/contract';
import { call } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Field } from '../../../ui/Field.tsx';
import { Input, Textarea } from '../../../ui/Input.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useArticleChange } from '../api.ts';
import { directionOf, inMain } from '../words.ts';
import { fieldError } from './SavedState.tsx';
import type { Saver, TextValues } from './saver.ts';
import { useSaverState } from './useSavers.ts';

/** No category has this id. */
const NONE = 'none';

interface DetailsProps {
  article: Article;
  help: HelpCenter;
  lang: ArticleLanguage;
  saver: Saver;
  values: TextValues;
  isReadOnly: boolean;
}

/** What stands around the text of an article: where it is, and how it is found. */
export function Details({ article, help, lang, saver, values, isReadOnly }: DetailsProps) {
  const { failure } = useSaverState(saver);
  const written = { lang, dir: directionOf(lang), readOnly: isReadOnly };
  return (
    <section
      aria-label={t('Details')}
      className="grid gap-x-6 gap-y-5 rounded-card border bg-surface p-5 lg:grid-cols-2"
    >
      <CategoryField article={article} help={help} isReadOnly={isReadOnly} />
      <Field
        label={t('Address')}
        hint={<bdi className="address wrap-anywhere">{pageUrl(help, lang, values.slug || slugOf(values.title))}</bdi>}
        error={fieldError(failure, 'slug')}
      >
        <Input
          value={values.slug}
          readOnly={isReadOnly}
          maxLength={ARTICLE_SLUG_MAX_LENGTH}
          placeholder={slugOf(values.title)}
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          onChange={({ target }) => saver.change({ slug: target.value })}
        />
      </Field>
      <Field
        label={t('Description')}
        hint={t('One sentence for search engines and lists. Empty: the beginning of the text.')}
        error={fieldError(failure, 'description')}
      >
        <Textarea
          {...written}
          value={values.description}
          maxLength={ARTICLE_DESCRIPTION_MAX_LENGTH}
          onChange={({ target }) => saver.change({ description: target.value })}
        />
      </Field>
      <Field
        label={t('Also asked as')}
        hint={t(
          'Other words for the same question, one in each line, up to {max}. The search finds the article by them.',
          {
            max: ARTICLE_ALSO_ASKED_MAX,
          },
        )}
        error={fieldError(failure, 'alsoAsked')}
      >
        <Textarea
          {...written}
          value={values.alsoAsked.join('\n')}
          onChange={({ target }) => saver.change({ alsoAsked: target.value === '' ? [] : target.value.split('\n') })}
        />
      </Field>
    </section>
  );
}

function CategoryField({ article, help, isReadOnly }: Pick<DetailsProps, 'article' | 'help' | 'isReadOnly'>) {
  const params = { id: article._id };
  const patch = useArticleChange((category: string | null) =>
    call('PATCH /articles/:id', { params, body: { category } }),
  );
  const move = useAction(patch, { failure: t('The article could not be moved.') });
  const options = [
    { value: NONE, label: t('Without a category') },
    ...help.categories.map(({ id, name }) => ({
      value: id,
      label: inMain(name, help.language) || t('Without a name'),
    })),
  ];
  const value = options.find((option) => option.value === article.category)?.value ?? NONE;
  return (
    <Field label={t('Category')}>
      <Select
        value={value}
        options={options}
        disabled={isReadOnly}
        onValueChange={(next) => void move(next === NONE ? null : next)}
      />
    </Field>
  );
}

/** Where the article is, or will be. */
function pageUrl({ url, handle }: HelpCenter, lang: ArticleLanguage, slug: string): string {
  return decodeURI(new URL([url ?? `/help/${handle}`, lang, slug].join('/'), location.origin).href);
}
