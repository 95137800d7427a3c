import { events } from '../events.ts';
import type { Feature } from '../feature.ts';
import { startJobs } from '../jobs.ts';
import { SECOND_MS } from '../time.ts';
import { sweepImportFiles } from './actions.ts';
import { purgeImports } from './model.ts';
import { importRoutes } from './routes.ts';
import { isImportAwaited, onImportAwaited, runImports } from './run.ts';

/** Imports of the history of other chats. */
export const imports: Feature = {
  routes: (context) => [importRoutes(context)],
  start: async ({ usage, importReader, now, lease, noticesEveryMs = SECOND_MS }) => {
    const run = (_: number, signal: AbortSignal) => runImports({ usage, workerUrl: importReader }, signal);
    const failed = (error: unknown) => events.fail(error, 'import');
    const jobs = startJobs([run], {
      everyMs: noticesEveryMs,
      now,
      failed,
      isAwaited: isImportAwaited,
      lease: lease('imports'),
    });
    const stopListening = onImportAwaited(() => jobs.wake());
    return async () => {
      stopListening();
      await jobs.stop();
    };
  },
  jobs: () => [sweepImportFiles],
  purge: () => [purgeImports],
};
