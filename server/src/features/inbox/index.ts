export { removeViewsOf, viewsOf } from './views.ts';
