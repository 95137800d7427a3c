// npm run demo: Parley with an account, a website and a shop page that carries the widget, all thrown away by Ctrl-C.
import { ensureBuilt, ensureInstalled, followParent, ROOT, requireNode } from './ready.js';

requireNode();
process.chdir(ROOT);
ensureInstalled();
ensureBuilt();
followParent();
await import('./demo/run.js');
