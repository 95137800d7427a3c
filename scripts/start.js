// npm start: installs if needed, builds what changed, and serves from this same process, so that signals arrive by themselves.
import { ensureBuilt, ensureInstalled, followParent, loadSettings, ROOT, requireNode } from './ready.js';

requireNode();
process.chdir(ROOT);
ensureInstalled();
ensureBuilt();
loadSettings();
process.setSourceMapsEnabled(true);
followParent();
await import('../server/dist/main.js');
