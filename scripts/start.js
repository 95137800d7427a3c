// npm start: installs if needed, builds if a source changed, and runs the server in this process, so that it gets the signals.
import { ensureBuilt, ensureInstalled, loadSettings, ROOT, requireNode, stopWithParent } from './setup.js';

requireNode();
process.chdir(ROOT);
ensureInstalled();
ensureBuilt();
loadSettings();
process.setSourceMapsEnabled(true);
stopWithParent();
await import('../server/dist/main.js');
