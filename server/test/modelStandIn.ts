import { startModelStandIn } from '../../scripts/model/standIn.js';
import type { LanguageModelSettings } from '../src/platform/env/index.ts';

/** A server that speaks the protocol of a language model, and says what it is told to. */
export type ModelStandIn = Awaited<ReturnType<typeof startModelStandIn>>;

/** Starts a stand-in on a free port. */
export const startStandIn = (): Promise<ModelStandIn> => startModelStandIn();

/** The last request that came, as the texts in it. */
export const lastPrompt = ({ requests }: ModelStandIn): string =>
  (requests.at(-1)?.body.messages ?? []).map(({ content }: { content: string }) => content).join('\n');

/** The settings of a server that uses the stand-in. */
export const modelOf = ({ url }: ModelStandIn, more: Partial<LanguageModelSettings> = {}): LanguageModelSettings => ({
  url,
  key: 'the-key-of-tests',
  model: 'stand-in',
  tokensPerDay: null,
  ...more,
});
