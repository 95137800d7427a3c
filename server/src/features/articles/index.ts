export { articleTokens, plainText, renderArticle, textOf } from './markdown.ts';
export {
  type ArticleDoc,
  ArticleModel,
  type ArticleTextDoc,
  ArticleTextModel,
} from './model.ts';
export { articleBytes, isArticlePicture } from './storage.ts';
export { articleUrl, helpCenterUrl } from './urls.ts';
export { publishedView } from './view.ts';
