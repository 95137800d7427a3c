import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { requirement, siteFor } from '#features/sites';
import { receiveUpload } from '#platform/files';
import { endpoints, type Limits, notFound } from '#platform/http';
import { articlesOf, changeArticle, createArticle, orderArticles, removeArticle } from './actions.ts';
import type { ArticlesApi, ArticleVersion } from './contract.ts';
import type { Editing } from './editing.ts';
import { type ArticleAccess, articleFor, languageOf } from './guards.ts';
import { changeHelpCenter, helpCenterView, saveCategories } from './helpCenter.ts';
import { categoriesSchema, helpPatchSchema } from './helpSchemas.ts';
import { renderArticle } from './markdown.ts';
import { type ArticleDoc, ArticleModel } from './model.ts';
import { addPicture, type PictureDeps } from './pictures.ts';
import { publishArticle } from './publish.ts';
import {
  ARTICLE_BODY_LIMIT,
  articlePatchSchema,
  articleSchema,
  orderSchema,
  pictureSchema,
  previewSchema,
  publishSchema,
  restoreSchema,
  textSchema,
  versionsSchema,
} from './schemas.ts';
import { mustFit } from './storage.ts';
import { removeText, restoreVersion, saveText } from './texts.ts';
import { versionOf, versionsOf, versionViews } from './versions.ts';
import { articleEntries, articleView } from './view.ts';

export interface ArticleDeps extends PictureDeps {
  signedIn: SignedInGuard;
  limits: Limits;
  publicUrl: string | null;
  now: () => number;
}

/** The calls of the help centre's settings and of articles, for the team. */
export function articleRoutes({ signedIn: { orKey }, limits, usage, pictures, publicUrl, now }: ArticleDeps): Router {
  const { router, on } = endpoints<ArticlesApi>();
  const onSite = requirement(siteFor);
  const onArticle = requirement(articleFor);
  const reading = { authenticate: orKey.read, authorize: onArticle('articles.read') };
  const writing = { authenticate: orKey.manage, authorize: onArticle('articles.edit') };

  /** The caller as editor. Takes one from the limit of changes. */
  async function editing(caller: Editing['caller']): Promise<Editing> {
    await limits.take('articleChangesPerAccount', caller.user._id.toHexString());
    return { caller, now: now() };
  }

  /** The article as it is now. */
  async function current({ site, article: { _id } }: ArticleAccess) {
    const article = await ArticleModel.findById(_id).lean<ArticleDoc>();
    if (!article) throw notFound('article');
    return { data: { article: await articleView(site, article, publicUrl) } };
  }

  on(
    'GET /sites/:id/help-center',
    { authenticate: orKey.read, authorize: onSite('articles.read') },
    async ({ access: { site } }) => ({ data: { helpCenter: helpCenterView(site, publicUrl) } }),
  );

  on(
    'PATCH /sites/:id/help-center',
    { authenticate: orKey.manage, authorize: onSite('sites.edit'), body: helpPatchSchema },
    async ({ access, body, caller }) => {
      const site = await changeHelpCenter(access.site, body, caller, publicUrl);
      return { data: { helpCenter: helpCenterView(site, publicUrl) } };
    },
  );

  on(
    'PUT /sites/:id/help-center/categories',
    { authenticate: orKey.manage, authorize: onSite('articles.edit'), body: categoriesSchema },
    async ({ access, body, caller }) => {
      const site = await saveCategories(access.site, body, caller);
      return { data: { helpCenter: helpCenterView(site, publicUrl) } };
    },
  );

  on(
    'GET /sites/:id/articles',
    { authenticate: orKey.read, authorize: onSite('articles.read') },
    async ({ access: { site } }) => ({
      data: { articles: await articleEntries(site, await articlesOf(site._id)) },
    }),
  );

  on(
    'POST /sites/:id/articles',
    {
      authenticate: orKey.manage,
      authorize: onSite('articles.edit'),
      body: articleSchema,
      bodyLimit: ARTICLE_BODY_LIMIT,
    },
    async ({ access: { site }, body, caller }) => {
      mustFit(usage, site._id, body);
      const article = await createArticle(site, body, await editing(caller));
      return { status: 201, data: { article: await articleView(site, article, publicUrl) } };
    },
  );

  on(
    'PUT /sites/:id/articles/order',
    { authenticate: orKey.manage, authorize: onSite('articles.edit'), body: orderSchema },
    async ({ access: { site }, body, caller }) => {
      await editing(caller);
      await orderArticles(site, body.category, body.articles);
      return { data: {} };
    },
  );

  on(
    'POST /sites/:id/articles/preview',
    {
      authenticate: orKey.manage,
      authorize: onSite('articles.read'),
      body: previewSchema,
      bodyLimit: ARTICLE_BODY_LIMIT,
    },
    async ({ body, caller }) => {
      await limits.take('articlePreviewsPerAccount', caller.user._id.toHexString());
      return { data: { html: renderArticle(body.text) } };
    },
  );

  on('GET /articles/:id', reading, ({ access }) => current(access));

  on('PATCH /articles/:id', { ...writing, body: articlePatchSchema }, async ({ access, body, caller }) => {
    await changeArticle(access, body, await editing(caller));
    return current(access);
  });

  on('DELETE /articles/:id', writing, async ({ access, caller }) => {
    await removeArticle(access, caller);
    return { message: 'Article deleted', data: {} };
  });

  on(
    'PUT /articles/:id/texts/:lang',
    { ...writing, body: textSchema, bodyLimit: ARTICLE_BODY_LIMIT },
    async ({ access, params, body, caller }) => {
      mustFit(usage, access.site._id, body);
      await saveText(access, languageOf(params.lang), body, await editing(caller));
      return current(access);
    },
  );

  on('DELETE /articles/:id/texts/:lang', writing, async ({ access, params, caller }) => {
    await removeText(access, languageOf(params.lang), await editing(caller));
    return current(access);
  });

  on('POST /articles/:id/publish', { ...writing, body: publishSchema }, async ({ access, body, caller }) => {
    await publishArticle(access, body.lang, await editing(caller));
    return current(access);
  });

  on('GET /articles/:id/versions', { ...reading, query: versionsSchema }, async ({ access, query }) => ({
    data: { versions: await versionsOf(access.article._id, query.lang) },
  }));

  on('GET /articles/:id/versions/:versionId', reading, async ({ access, params }) => {
    const version = await versionOf(access.article._id, params.versionId);
    const [view] = await versionViews([version]);
    return { data: { version: { ...(view as ArticleVersion), text: version.text } } };
  });

  on(
    'POST /articles/:id/versions/:versionId/restore',
    { ...writing, body: restoreSchema },
    async ({ access, params, body, caller }) => {
      await restoreVersion(access, params.versionId, body.rev, await editing(caller));
      return current(access);
    },
  );

  on(
    'POST /articles/:id/pictures',
    { ...writing, query: pictureSchema, upload: true },
    async ({ req, access, caller, query: { name } }) => {
      await limits.take('articlePicturesPerAccount', caller.user._id.toHexString());
      return receiveUpload(req, async (received) => {
        const url = await addPicture(access.article, caller, { received, name, now: now() }, { pictures, usage });
        return { status: 201, data: { url } };
      });
    },
  );

  return router;
}
