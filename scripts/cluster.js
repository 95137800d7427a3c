// npm run cluster [-- N]: N nodes (3) of Parley on this machine, with Redis, a shared store and a round-robin proxy, for trying
// out. Ctrl-C stops all of them and deletes their data.
import { ensureBuilt, ensureInstalled, fail, ROOT, requireNode, stopWithParent } from './setup.js';

const NODES_MAX = 16;
const [given = '3'] = process.argv.slice(2);
const nodes = Number(given);
if (!(Number.isInteger(nodes) && nodes >= 1 && nodes <= NODES_MAX)) fail(`npm run cluster -- 1…${NODES_MAX}`);

requireNode();
process.chdir(ROOT);
ensureInstalled();
ensureBuilt();
stopWithParent();
const { runCluster } = await import('./cluster/run.js');
await runCluster(nodes);
