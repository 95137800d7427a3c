import type { Feature } from '#app/feature';
import { sweepImportFiles } from './actions.ts';
import { createErasedPeople, purgeErasedPeople } from './erased.ts';
import { importFileBytes, purgeImports } from './model.ts';
import { importRoutes } from './routes.ts';
import { startImports } from './run.ts';

/** Imports of the history of other chats. */
export const imports: Feature = {
  inReserve: { erasedImports: {} },
  routes: (context) => [importRoutes(context)],
  listeners: ({ secretBox }) => [createErasedPeople(secretBox).listen()],
  start: async (context) => {
    context.usage.countAlso(importFileBytes);
    return startImports({ ...context, erased: createErasedPeople(context.secretBox) });
  },
  jobs: ({ secretBox }) => [sweepImportFiles, createErasedPeople(secretBox).sweep],
  purge: () => [purgeImports, purgeErasedPeople],
};
