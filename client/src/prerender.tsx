import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { PUBLIC_PAGES, type PublicPage } from './app/public.tsx';

/** Every public page as HTML; run by the build, never in a browser. */
export default function renderAll(): Promise<(PublicPage & { html: string })[]> {
  return Promise.all(
    PUBLIC_PAGES.map(async (page) => {
      const { default: Page } = await page.load();
      const html = renderToString(
        <StrictMode>
          <Page />
        </StrictMode>,
      );
      return { ...page, html };
    }),
  );
}
