export { articleTokens, plainText, renderArticle, textOf } from './markdown.ts';
export {
  type ArticleDoc,
  ArticleModel,
  type ArticleTextDoc,
  ArticleTextModel,
  type PublishedText,
} from './model.ts';
export { articleBytes, isArticlePicture } from './storage.ts';
export { articleUrl, categoryOf, helpCenterUrl } from './urls.ts';
