// npm run demo: starts Parley with an account, a website and a shop page with the widget. Ctrl-C deletes all of it.
import { ensureBuilt, ensureInstalled, ROOT, requireNode, stopWithParent } from './setup.js';

requireNode();
process.chdir(ROOT);
ensureInstalled();
ensureBuilt();
stopWithParent();
await import('./demo/run.js');
