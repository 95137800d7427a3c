// npm run demo: starts Parley with a website, a week of its chats and a shop page with the widget. Ctrl-C deletes all of it.
import { ensureBuilt, ensureInstalled, ROOT, requireNode, stopWithParent } from './setup.js';

requireNode();
process.chdir(ROOT);
ensureInstalled();
ensureBuilt();
stopWithParent();
await import('./demo/run.js');
