export { helpAssets } from './pages/assets.ts';
export { type Html, html } from './pages/html.ts';
export { helpPages } from './pages/routes.ts';
export { directionOf } from './pages/texts.ts';
export { findArticles } from './readers/find.ts';
