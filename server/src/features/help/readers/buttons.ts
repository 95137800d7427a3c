import type { Router } from 'express';
import { buttonsForVisitors, type SiteDoc } from '#features/sites';
import type { FlowsApi } from '#features/sites/flows/contract';
import { anyPage, languageOf, widgetSite } from '#features/visitors';
import { WIDGET_CONFIG_MAX_AGE_S } from '#features/visitors/contract';
import { addressKey, endpoints, type InputSchema, type Limits, text } from '#platform/http';
import { entryFor, publishedArticles } from './published.ts';
import { isHelp, readersLanguage } from './resolve.ts';

const QUERY_MAX_LENGTH = 64;
const buttonsSchema: InputSchema = Object.fromEntries(
  ['l', 'v'].map((label) => [label, text({ label, max: QUERY_MAX_LENGTH, optional: true, blank: true })]),
);

/** Which articles the visitors of a language can read. */
async function readableArticles(site: SiteDoc, language?: string): Promise<(article: string) => boolean> {
  if (!isHelp(site)) return () => false;
  const { articles } = await publishedArticles.get(site._id.toHexString());
  return (id) => entryFor(articles.get(id), readersLanguage(site.help, language), site.help.language) !== undefined;
}

/** The widget's call for the buttons of a site. It is here because some lead to articles, which can be withdrawn at any time. */
export function buttonRoutes(limits: Limits): Router {
  const { router, on } = endpoints<FlowsApi>();
  const siteOfPage = ({ origin }: { origin: string | undefined }, { widgetCode }: { widgetCode: string }) =>
    widgetSite(widgetCode, origin);
  on(
    'GET /widget/:widgetCode/buttons',
    { authenticate: anyPage, authorize: siteOfPage, query: buttonsSchema },
    async ({ access, query, req, res }) => {
      await limits.take('articlesPerAddress', addressKey(req.ip));
      res.setHeader('Cache-Control', `max-age=${WIDGET_CONFIG_MAX_AGE_S}`);
      res.vary('Accept-Language');
      const language = languageOf(query, req);
      return { data: buttonsForVisitors(access, language, await readableArticles(access, language)) };
    },
  );
  return router;
}
