import { setFlagsFromString } from 'node:v8';
import { boot } from '#app/boot';
import { BootError } from '#app/secrets';
import { EnvError, readEnv } from '#platform/env';
import { StoreError } from '#store';

const EXIT_FAILED = 1;
/**
 * For the worker threads; the main thread keeps what `npm start` gives it. What they allocate is short-lived, so more room would not
 * save collections but hold 38 MB more after every visitor has connected once. With less, V8 collects every other second where
 * little happens: it shrinks to 1 MB.
 */
const WORKER_SEMI_SPACE_MB = { min: 4, max: 8 };

for (const [bound, size] of Object.entries(WORKER_SEMI_SPACE_MB))
  setFlagsFromString(`--${bound}-semi-space-size=${size}`);
try {
  const env = readEnv(process.env);
  const running = await boot(env, {
    store: new URL('./store-worker.js', import.meta.url),
    hash: new URL('./hash-worker.js', import.meta.url),
    picture: new URL('./picture-worker.js', import.meta.url),
    pdf: new URL('./pdf-worker.js', import.meta.url),
    importReader: new URL('./import-worker.js', import.meta.url),
    mailReader: new URL('./mail-worker.js', import.meta.url),
    fonts: new URL('./fonts/', import.meta.url),
    maintenance: new URL('./maintenance.js', import.meta.url),
    client: new URL('../../client/dist/', import.meta.url),
    widget: new URL('../../widget/dist/', import.meta.url),
  });

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await running.stop();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  running.failed.then((error) => {
    console.error(`The store has stopped: ${error.message}`);
    process.exit(EXIT_FAILED);
  });

  const address = env.publicUrl ?? running.url;
  console.log(`\n  Parley is running at ${address}`);
  if (running.foundingCode === null) {
    console.log(`  Open it, sign up, add your website, and paste its script tag into your page.\n`);
  } else {
    console.log(`  The first account administers this server. Create it with this link:\n`);
    console.log(`  ${address}/register#code=${running.foundingCode}\n`);
  }
} catch (error) {
  const isForPeople = error instanceof EnvError || error instanceof BootError || error instanceof StoreError;
  console.error(isForPeople ? `\n  Parley cannot start. ${error.message}\n` : error);
  process.exit(EXIT_FAILED);
}
