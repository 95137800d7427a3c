import type { Article, ArticleLanguage } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { networkError } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { useAction } from '../../../shared/useAction.ts';
import { toastAction } from '../../../ui/actionToast.tsx';
import { useArticleChange } from '../api.ts';
import type { Savers } from './useSavers.ts';

/** Publishes what is written: first it is saved, so that readers get what the screen shows. */
export function usePublish({ _id }: Article, lang: ArticleLanguage, savers: Savers) {
  const change = useArticleChange(async (which: 'this' | 'all') => {
    // What somebody else has changed, too, is decided first; the screen asks.
    if (!(await savers.flush())) throw networkError(t('What you wrote is not saved yet.'));
    return call('POST /articles/:id/publish', { params: { id: _id }, body: which === 'all' ? {} : { lang } });
  });
  const run = useAction(change, {
    failure: t('The article could not be published.'),
    onSuccess: ({ urls }) => {
      const url = urls[lang] ?? Object.values(urls)[0];
      toastAction({
        text: t('Published'),
        label: t('Open the public page'),
        run: url === undefined ? null : () => void window.open(url, '_blank', 'noopener'),
      });
    },
  });
  return { publish: run, isPending: change.isPending };
}
