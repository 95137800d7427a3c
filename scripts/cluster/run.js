// Several nodes behind a proxy, until a signal.
import { startNodes } from './cluster.js';
import { startProxy } from './proxy.js';

const PORT = 3000;

/** Starts them, prints their addresses, and stops them at a signal. @param {number} count */
export async function runCluster(count) {
  let stopAll = async () => {};
  const stop = async (code) => {
    await stopAll();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(0));
  try {
    const { nodes, redis, store, stop: stopNodes } = await startNodes(count);
    stopAll = stopNodes;
    const ports = nodes.map(({ url }) => Number(new URL(url).port));
    const proxy = await startProxy(ports, { port: Number(process.env.PORT ?? PORT) });
    stopAll = async () => {
      await proxy.stop();
      await stopNodes();
    };
    console.log(`
  ${count} nodes of one Parley. All data is deleted when you stop them with Ctrl-C.

  Parley   ${proxy.origin} (a proxy that gives each request to the next node)
${nodes.map(({ url, pid }, i) => `  Node ${i + 1}   ${url} (process ${pid})`).join('\n')}
  Redis    ${redis.url}
  Store    ${store.uri()}
`);
  } catch (error) {
    console.error(`\n  The cluster cannot start: ${error.message}\n`);
    await stop(1);
  }
}
