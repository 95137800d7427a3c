import { PassThrough } from 'node:stream';
import type { Response, Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { type ChatAccess, chatFor, contentField } from '#features/chats';
import {
  AppError,
  asAppError,
  choice,
  conflict,
  type Download,
  endpoints,
  type InputSchema,
  internal,
  type Limits,
  partsOf,
  sentence,
  text,
  whenClosed,
} from '#platform/http';
import { SECOND_MS } from '#platform/time';
import { DRAFT_ACTIONS, type DraftApi, type DraftEvent, LANGUAGE_TAG_MAX_LENGTH } from '../contract.ts';
import { ModelError, modelFailure } from '../model/failures.ts';
import type { Model } from '../model/model.ts';
import { assistantOf } from '../settings/settings.ts';
import { draft } from './draft.ts';

/** Keeps the connection while a model thinks. */
const KEEP_EVERY_MS = 15 * SECOND_MS;
const EVENTS = 'text/event-stream';

const draftSchema: InputSchema = {
  action: { ...choice('action', DRAFT_ACTIONS), optional: false },
  text: { ...contentField, optional: { options: { values: 'undefined' } } },
  language: text({ label: 'language', max: LANGUAGE_TAG_MAX_LENGTH }),
};

interface DraftDeps {
  signedIn: SignedInGuard;
  limits: Limits;
  /** null: the server has none. */
  model: Model | null;
  report(error: unknown, what: string): void;
}

/** The call with which agents let the model write. */
export function draftRoutes({ signedIn: { orKey }, limits, model, report }: DraftDeps): Router {
  const { router, on } = endpoints<DraftApi>();

  on(
    'POST /chats/:id/draft',
    {
      authenticate: orKey.reply,
      authorize: (caller, { id }) => chatFor(caller, id, 'chats.reply'),
      body: draftSchema,
      files: [EVENTS],
    },
    async ({ res, caller: { user }, access, body }) => {
      const available = modelFor(model, access);
      if (body.text === undefined && body.action !== 'draft' && body.action !== 'summary') throw textMissing();
      await limits.take('draftsPerAccount', user._id.toHexString());
      await limits.take('draftsPerSite', access.site._id.toHexString());
      const wish = { ...access, user: user._id, body };
      return events(res, report, (signal, say) => draft(available, wish, { signal, say }));
    },
  );

  return router;
}

/** @throws AppError 409 where nothing writes for this site's agents */
function modelFor(model: Model | null, { site }: ChatAccess): Model {
  if (!model) throw conflict('NO_MODEL', sentence('This server has no language model.'));
  if (assistantOf(site).step === 'links')
    throw conflict('ASSISTANT_OFF', sentence('The assistant is switched off for this website.'));
  return model;
}

const textMissing = () => new AppError(422, 'TEXT_MISSING', sentence('There is no text to change.'));

/** An answer in events: the texts as they come, then that it is complete, or why it is not. It ends when its reader leaves. */
function events(
  res: Response,
  report: DraftDeps['report'],
  work: (signal: AbortSignal, say: (text: string) => void) => Promise<unknown>,
): Download {
  const left = new AbortController();
  const file = new PassThrough();
  const send = (line: string) => void (file.destroyed || file.write(`${line}\n\n`));
  const sendEvent = (event: DraftEvent) => send(`data: ${JSON.stringify(event)}`);
  const keep = setInterval(() => send(':'), KEEP_EVERY_MS);
  whenClosed(res, () => {
    clearInterval(keep);
    left.abort();
  });
  work(left.signal, (text) => sendEvent({ text }))
    .then(
      () => sendEvent({ done: true }),
      (error) => left.signal.aborted || sendEvent({ failure: failureOf(error, report) }),
    )
    .finally(() => file.end());
  // A proxy or a compression that waits for more would hold back what is said.
  const headers = {
    'Content-Type': `${EVENTS}; charset=utf-8`,
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  };
  return { file, fileName: 'draft.txt', headers };
}

function failureOf(error: unknown, report: DraftDeps['report']) {
  const known = error instanceof ModelError ? modelFailure(error) : asAppError(error);
  if (!known) report(error, 'a draft of the assistant');
  const { code, message, text } = known ?? internal();
  return { code, message, ...partsOf(text) };
}
