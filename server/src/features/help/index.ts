export { helpAssets } from './pages/assets.ts';
export { helpPages } from './pages/routes.ts';
export { findArticles } from './readers/find.ts';
