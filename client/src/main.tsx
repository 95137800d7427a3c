import './styles.css';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { publicPageAt } from './app/public.tsx';
import { followTheme } from './lib/theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root');

followTheme();
// Who reads a public page need not wait for the dashboard's code.
const page = publicPageAt(location.pathname);
const Page = page ? (await page.load()).default : await (await import('./app/App.tsx')).openApp();
const view = (
  <StrictMode>
    <Page />
  </StrictMode>
);

if (root.dataset.pre !== undefined) hydrateRoot(root, view);
else {
  if (page) document.title = page.title;
  createRoot(root).render(view);
}
