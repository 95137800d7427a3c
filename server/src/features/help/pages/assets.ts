import { createHash } from 'node:crypto';
import { type Response, Router } from 'express';
import type { SiteDoc } from '#features/sites';
import { recentlyUsed } from '#platform/cache';
import { colorRules } from './colors.ts';
import lists from './lists.css?raw';
import reading from './reading.css?raw';
import style from './style.css?raw';

const FOLDER = '/help-assets/';
const HASH_LENGTH = 10;
const YEAR_S = 31_536_000;
const COLORS_MAX = 500;

/** Shows 'Ask us' where the widget is there, and lets it open the chat. Without script nothing of it shows. */
const SCRIPT = `addEventListener('load',()=>{for(const box of document.querySelectorAll('[data-ask]'))if(window.Parley){box.hidden=false;box.querySelector('button').onclick=()=>window.Parley.open()}})`;

const STYLE = style + lists + reading;
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
/** Part of the file's name: changes whenever the computed colours change. */
const STYLE_NAME = hashOf(STYLE + colorRules('#3366cc'));
const SCRIPT_NAME = hashOf(SCRIPT);
const COLOR = /^#([\da-f]{6})$/i;
const COLOR_USUAL = '000000';
const NAME = /^([\w-]{10})(?:-([\da-f]{6}))?\.(css|js)$/;

/** Addresses of the files that pages load, with a hash of the content in the name. */
export const ASSETS = {
  of({ customization: { color } }: Pick<SiteDoc, 'customization'>): { css: string; script: string } {
    const [, hex = COLOR_USUAL] = COLOR.exec(color) ?? [];
    return { css: `${FOLDER}${STYLE_NAME}-${hex.toLowerCase()}.css`, script: `${FOLDER}${SCRIPT_NAME}.js` };
  },
};

/** Serves the style sheet of each colour, and the script. A name of another release is answered with this release's file, and not cached. */
export function helpAssets(): Router {
  const router = Router();
  const sheets = recentlyUsed<string>(COLORS_MAX);
  const send = (res: Response, isOwn: boolean, type: string, text: string) => {
    res.setHeader('Cache-Control', isOwn ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
    res.type(type).send(text);
  };
  router.get(`${FOLDER}:name`, ({ params: { name } }, res, next) => {
    const [, hash, color, ending] = NAME.exec(name) ?? [];
    if (ending === 'js' && color === undefined) return send(res, hash === SCRIPT_NAME, 'js', SCRIPT);
    if (ending !== 'css' || color === undefined) return next();
    const sheet = sheets.get(color) ?? colorRules(`#${color}`) + STYLE;
    sheets.set(color, sheet);
    return send(res, hash === STYLE_NAME, 'css', sheet);
  });
  return router;
}
