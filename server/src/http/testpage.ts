import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import express, { Router } from 'express';

const CODE_MARK = '__WIDGET_CODE__';
/** A site's `widgetCode` or id; nothing of it has a meaning in HTML. */
const CODE = /^[\w-]{1,64}$/;

/** A page of the product's own that carries a site's widget, for whoever wants to see it work before it is installed. */
export function testPage(dist: string): Router {
  const router = Router();
  const folder = path.join(dist, 'test');
  const document = path.join(folder, 'index.html');
  if (!existsSync(document)) return router;
  const html = readFileSync(document, 'utf8');
  router.use('/test', express.static(folder, { index: false, redirect: false, cacheControl: false }));
  router.get('/test/:widgetCode', ({ params: { widgetCode } }, res, next) => {
    if (!CODE.test(widgetCode)) return next();
    res.setHeader('X-Robots-Tag', 'noindex');
    res.setHeader('Cache-Control', 'no-cache');
    res.type('html').send(html.replaceAll(CODE_MARK, widgetCode));
  });
  return router;
}
