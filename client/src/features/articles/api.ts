import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  Api,
  Article,
  ArticleCategory,
  ArticleEntry,
  ArticleLanguage,
  HelpCenter,
  HelpCenterPatch,
} from 'server/contract';
import { call } from '../../lib/api.ts';
import { useReload } from '../../lib/query.ts';
import { useSocketEvents } from '../../lib/socket.tsx';

/** Query keys; here and not in `lib/query.ts`, which every screen loads. */
export const keys = {
  help: (siteId: string) => ['help', siteId, 'center'] as const,
  articles: (siteId: string) => ['help', siteId, 'articles'] as const,
  questions: (siteId: string) => ['help', siteId, 'questions'] as const,
  article: (id: string) => ['article', id] as const,
  versions: (id: string, lang: string) => ['article', id, 'versions', lang] as const,
};
/** Throttle: while a colleague writes, autosave sends an event every few seconds. */
const RELOAD_AFTER_MS = 300;

export function useHelpCenter(siteId: string | undefined) {
  return useQuery({
    queryKey: keys.help(siteId ?? ''),
    queryFn: async ({ signal }) =>
      (await call('GET /sites/:id/help-center', { params: { id: siteId ?? '' }, signal })).helpCenter,
    enabled: siteId !== undefined,
  });
}

export function useArticles(siteId: string | undefined) {
  return useQuery({
    queryKey: keys.articles(siteId ?? ''),
    queryFn: async ({ signal }) =>
      (await call('GET /sites/:id/articles', { params: { id: siteId ?? '' }, signal })).articles,
    enabled: siteId !== undefined,
    // Changes made on the previous screen came in no event while this one was not mounted.
    staleTime: 0,
  });
}

export function useQuestions(siteId: string) {
  return useQuery({
    queryKey: keys.questions(siteId),
    queryFn: async ({ signal }) =>
      (await call('GET /sites/:id/articles/questions', { params: { id: siteId }, signal })).questions,
    staleTime: 0,
  });
}

export function useArticle(id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.article(id),
    queryFn: async ({ signal }) =>
      newest(client, (await call('GET /articles/:id', { params: { id }, signal })).article),
    staleTime: 0,
  });
}

/** Reads a site's help centre again when somebody has changed it. */
export function useHelpLive(siteId: string): void {
  const [reload, soon] = useReload(['help', siteId], RELOAD_AFTER_MS);
  useSocketEvents({ articles_updated: (event) => event.siteId === siteId && soon() }, reload);
}

/** Reads an article again when somebody has changed it. */
export function useArticleLive(id: string): void {
  const [reload, soon] = useReload(keys.article(id), RELOAD_AFTER_MS);
  useSocketEvents({ articles_updated: ({ articleId }) => (articleId ?? id) === id && soon() }, reload);
}

/** Keeps an article as the server answered it. */
export function keepArticle(client: QueryClient, article: Article): Article {
  const kept = newest(client, article);
  client.setQueryData(keys.article(article._id), kept);
  return kept;
}

/** Each language is saved by its own call, and a slow answer may hold an older state of the other languages: the newest `rev` wins. */
function newest(client: QueryClient, article: Article): Article {
  const known = client.getQueryData<Article>(keys.article(article._id))?.texts ?? [];
  const texts = article.texts.map(
    (text) => known.find(({ lang, rev }) => lang === text.lang && rev > text.rev) ?? text,
  );
  return { ...article, texts };
}

/** Changes the settings of a help centre. */
export function usePatchHelp(siteId: string) {
  return useHelpChange(siteId, (body: HelpCenterPatch) =>
    call('PATCH /sites/:id/help-center', { params: { id: siteId }, body }),
  );
}

/** Writes all categories in their order; articles of those that are gone have none. */
export function usePutCategories(siteId: string) {
  const client = useQueryClient();
  return useHelpChange(siteId, async (change: (categories: readonly ArticleCategory[]) => ArticleCategory[]) => {
    const key = keys.help(siteId);
    const known = client.getQueryData<HelpCenter>(key);
    if (!known) throw new Error('Categories are shown from their help centre');
    const body = { categories: change(known.categories), rev: known.rev };
    return call('PUT /sites/:id/help-center/categories', { params: { id: siteId }, body });
  });
}

function useHelpChange<Input>(siteId: string, change: (input: Input) => Promise<{ helpCenter: HelpCenter }>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => (await change(input)).helpCenter,
    onSuccess: (help) => client.setQueryData(keys.help(siteId), help),
    onError: () => client.invalidateQueries({ queryKey: keys.help(siteId) }),
  });
}

type NewArticle = Api['POST /sites/:id/articles']['body'] & { alsoAsked?: string };

/** Begins an article, of a question that had no answer for example. */
export function useNewArticle(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ alsoAsked, ...body }: NewArticle) => {
      const { article } = await call('POST /sites/:id/articles', { params: { id: siteId }, body });
      const [text] = article.texts;
      if (alsoAsked === undefined || !text) return article;
      const params = { id: article._id, lang: text.lang };
      const asked = { alsoAsked: [alsoAsked], rev: text.rev };
      return (await call('PUT /articles/:id/texts/:lang', { params, body: asked })).article;
    },
    onSuccess: (article) => {
      keepArticle(client, article);
      return client.invalidateQueries({ queryKey: keys.articles(siteId) });
    },
  });
}

/** Puts an article somewhere else; shown at once. @param articles all of the category, in their new order */
export function useOrderArticles(siteId: string) {
  const client = useQueryClient();
  const queryKey = keys.articles(siteId);
  return useMutation({
    mutationFn: (body: Api['PUT /sites/:id/articles/order']['body']) =>
      call('PUT /sites/:id/articles/order', { params: { id: siteId }, body }),
    onMutate: async ({ category, articles }) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData<ArticleEntry[]>(queryKey, (known = []) => {
        const placed = articles.flatMap((id) => known.filter(({ _id }) => _id === id));
        return [
          ...known.filter(({ _id }) => !articles.includes(_id)),
          ...placed.map((each) => ({ ...each, category })),
        ];
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

/** Removes a question from those without an answer. */
export function useDismissQuestion(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (questionId: string) =>
      call('DELETE /sites/:id/articles/questions/:questionId', { params: { id: siteId, questionId } }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.questions(siteId) }),
  });
}

/** What is done to a whole article, or to its text in one language. */
export function useArticleChange<Input>(change: (input: Input) => Promise<{ article: Article }>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => keepArticle(client, (await change(input)).article),
    onSuccess: ({ siteId }) => client.invalidateQueries({ queryKey: keys.articles(siteId) }),
  });
}

/** Deletes an article with its texts. */
export function useDeleteArticle(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('DELETE /articles/:id', { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.articles(siteId) }),
  });
}

export function useVersions(id: string, lang: ArticleLanguage) {
  return useQuery({
    queryKey: keys.versions(id, lang),
    queryFn: async ({ signal }) =>
      (await call('GET /articles/:id/versions', { params: { id }, query: { lang }, signal })).versions,
    staleTime: 0,
  });
}
