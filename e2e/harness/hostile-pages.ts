import { readFileSync } from 'node:fs';

/** Styles and scripts of host pages that can break what is embedded in them. */
const RESETS = `<style>
  * { all: unset !important; box-sizing: content-box !important; font-size: 40px !important; color: red !important; }
  html > * { display: none !important; }
  div { position: fixed; z-index: 2147483647; }
</style>`;
const PATCHES = `<script>
  Array.prototype.toJSON = () => 'patched';
  Array.prototype.extra = () => {};
  Object.prototype.inherited = true;
  const { fetch } = window;
  window.fetch = (...call) => Promise.resolve(fetch(...call));
  const { setTimeout } = window;
  window.setTimeout = (...call) => setTimeout(...call);
</script>`;
/** The built-ins that Prototype.js 1.7 replaces. The library itself is in no package registry. */
const PROTOTYPE = `<script>
  const listOf = (list) => {
    if (!list) return [];
    if ('toArray' in Object(list)) return list.toArray();
    return Array.prototype.slice.call({ ...list, length: list.length || 0 });
  };
  Array.from = listOf;
  String.prototype.startsWith = function (start) { return this.lastIndexOf(start, 0) === 0; };
  Array.prototype.toArray = Array.prototype.entries = function () { return [].concat(this); };
  String.prototype.toArray = function () { return this.split(''); };
  Element.prototype.remove = function () { this.parentNode.removeChild(this); return this; };
  Element.prototype.hide = Element.prototype.show = Element.prototype.update = function () { return this; };
</script>`;
const read = (file: string) => readFileSync(new URL(`../../node_modules/${file}`, import.meta.url), 'utf8');
/** Scripts from packages, read by their path, because some packages do not export these files. */
const scripts = (...files: string[]) => files.map((file) => `<script>${read(file)}</script>`).join('');
const JQUERY = scripts('jquery/dist/jquery.min.js', 'jquery-migrate/dist/jquery-migrate.min.js');
const BOOTSTRAP_STYLES = `<style>${read('bootstrap/dist/css/bootstrap.min.css')}</style>`;
/** Without Tailwind's own functions, which are replaced when it is built. */
const TAILWIND = `<style>${read('tailwindcss/preflight.css')}</style>`;
/** As classic themes of WordPress style whole pages. Their style sheets are in no package. */
const WORDPRESS = `<style>
  html { font-size: 62.5%; line-height: 1.7; box-sizing: border-box; --global--color-primary: #28303d; }
  *, *::before, *::after { box-sizing: inherit; }
  body { font: 1.8rem/1.7 Georgia, serif; color: var(--global--color-primary); background: #d1e4dd; }
  html, body, div, section, h1, p, header, button, textarea { margin: 0; padding: 0; border: 0; vertical-align: baseline; }
  section, .site-main > * { max-width: 610px; margin: 30px auto; }
  button, input[type="submit"], .button { border-radius: 0; padding: 15px 30px; background: #28303d; color: #d1e4dd; text-transform: uppercase; }
  button:not(:hover):not(:active):not(.has-background) { background-color: #28303d; }
  textarea, input { width: 100%; border: 3px solid #39414d; padding: 10px; }
  svg { fill: currentColor; height: auto; max-width: 100%; vertical-align: middle; }
  a, button, img { transition: all 0.5s; }
  a:focus, button:focus { outline: 2px dotted !important; background: #fff !important; }
  .label, .header, .form, .entry, .rating { display: none; float: left; clear: both; }
  @media (min-width: 482px) { .admin-bar body { position: relative; transform: translateY(46px); } }
</style>`;
const NO_STORAGE = `<script>
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError'); } });
</script>`;
const NO_SOCKETS = `<script>
  window.WebSocket = class { constructor() { setTimeout(() => this.onclose()); } close() {} send() {} };
</script>`;
const RIGHT_TO_LEFT = `<script>Object.assign(document.documentElement, { lang: 'ar', dir: 'rtl' });</script>`;

/** The HTML before the script tag, by the kind of page. */
export const HOSTILE_PAGES = {
  'with resets of every style': RESETS,
  'with patched prototypes and wrapped calls': PATCHES,
  'with Prototype.js': PROTOTYPE,
  'with MooTools 1.4': scripts('mootools/lib/mootools-core-1.4.5-server.js'),
  'with MooTools 1.5': scripts('mootools-1.5/lib/mootools-core-1.5.2-server.js'),
  'with jQuery and its Migrate': JQUERY,
  'with Bootstrap': BOOTSTRAP_STYLES + scripts('bootstrap/dist/js/bootstrap.bundle.min.js'),
  "with Tailwind's reset": TAILWIND,
  'with the styles of a WordPress theme': WORDPRESS,
  'without storage': NO_STORAGE,
  'without WebSockets': NO_SOCKETS,
  'from right to left': RIGHT_TO_LEFT,
};
