import type { Router } from 'express';
import { Types } from 'mongoose';
import type { SignedInGuard } from '#features/auth';
import { requirement, siteFor } from '#features/sites';
import { events } from '#platform/events';
import { endpoints, type Limits } from '#platform/http';
import { createAsker } from '../asking.ts';
import type { AssistApi, AssistantRun } from '../contract.ts';
import type { Model } from '../model/model.ts';
import type { Outcome } from '../runs/answering.ts';
import { assistantTestsSchema, assistantTrySchema } from './schemas.ts';
import { runTestsAt, saveTests, testsOf } from './tests.ts';

type Calls =
  | 'POST /sites/:id/assistant/try'
  | 'GET /sites/:id/assistant/tests'
  | 'PUT /sites/:id/assistant/tests'
  | 'POST /sites/:id/assistant/tests/run';

interface TestDeps {
  signedIn: SignedInGuard;
  model: Model | null;
  publicUrl: string | null;
  limits: Limits;
  now: () => number;
}

/** The calls with which a team tries its assistant out. */
export function assistantTestRoutes(deps: TestDeps): Router {
  const { signedIn, limits, now } = deps;
  const { orKey } = signedIn;
  const asker = createAsker(deps);
  const { router, on } = endpoints<Pick<AssistApi, Calls>>();
  const onSite = requirement(siteFor);
  const edits = { authenticate: orKey.manage, authorize: onSite('sites.edit') };

  on(
    'POST /sites/:id/assistant/try',
    { ...edits, body: assistantTrySchema },
    async ({ access: { site }, body: { question, lang = site.help?.language ?? 'en' }, caller }) => {
      await limits.take('assistantTriesPerAccount', caller.user._id.toHexString());
      const outcome = await asker.answer(site, question, lang);
      if (outcome) return { data: { run: runOf(outcome, now()), links: outcome.sources } };
      return { data: { run: null, links: await asker.links(site, question, lang) } };
    },
  );

  on(
    'GET /sites/:id/assistant/tests',
    { authenticate: orKey.read, authorize: onSite('sites.read') },
    async ({ access: { site } }) => ({ data: await testsOf(site) }),
  );

  on(
    'PUT /sites/:id/assistant/tests',
    { ...edits, body: assistantTestsSchema },
    async ({ access: { site }, body: { tests, rev } }) => {
      const saved = await saveTests(site, tests, rev, now());
      await events.emit('testsAwaited', { siteId: site._id.toHexString() });
      return { data: saved };
    },
  );

  on('POST /sites/:id/assistant/tests/run', edits, async ({ access: { site }, caller }) => {
    await limits.take('assistantTestRunsPerAccount', caller.user._id.toHexString());
    await runTestsAt(site._id, new Date(now()));
    await events.emit('testsAwaited', { siteId: site._id.toHexString() });
    return { data: await testsOf(site) };
  });

  return router;
}

/** What came of a question, as the team sees it. It is stored nowhere. */
const runOf = ({ sources, ...outcome }: Outcome, at: number): AssistantRun => ({
  _id: new Types.ObjectId().toHexString(),
  chatId: null,
  at: new Date(at).toISOString(),
  ...outcome,
});
