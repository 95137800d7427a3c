import { ARTICLE_LANGUAGES, type ArticleLanguage } from '#features/articles/contract';
import type { Asking, Assistance } from '#features/chats';
import type { Presence } from '#features/presence';
import { type SiteDoc, siteIsOnline } from '#features/sites';
import type { Limits } from '#platform/http';

interface BeginDeps {
  /** Whether the operator has set a model. */
  hasModel: boolean;
  presence: Pick<Presence, 'agentIsOnline'>;
  limits: Limits;
  now: () => number;
}

/** The language of an assistant's sentences for a widget in this language. */
function languageOf(speaks: string | undefined, site: SiteDoc): ArticleLanguage {
  const [base] = (speaks ?? '').toLowerCase().split(/[-_]/, 1);
  return ARTICLE_LANGUAGES.find((lang) => lang === base) ?? site.help?.language ?? 'en';
}

/** Whether the assistant answers visitors of a site in this language, as its settings are now. */
function answersVisitors({ assistant }: SiteDoc, lang: ArticleLanguage | null): boolean {
  if (assistant?.step !== 'answer') return false;
  return lang === null || assistant.languages.length === 0 || assistant.languages.includes(lang);
}

/** Decides which chats the assistant answers first. */
export function createAssistance({ hasModel, presence, limits, now }: BeginDeps): Assistance {
  function answers(site: SiteDoc, lang: ArticleLanguage | null): boolean {
    if (!hasModel || !answersVisitors(site, lang)) return false;
    return site.assistant?.when === 'always' || !siteIsOnline(site, presence, now());
  }

  async function mayAsk({ visitor, address, site }: Omit<Asking, 'speaks'>): Promise<boolean> {
    return (
      (await limits.mayTake('assistantQuestionsPerVisitor', visitor.toHexString())) &&
      (await limits.mayTake('assistantQuestionsPerAddress', address)) &&
      limits.mayTake('assistantQuestionsPerSite', site._id.toHexString())
    );
  }

  return {
    mayAsk,
    answers: (site, speaks) => answers(site, speaks === undefined ? null : languageOf(speaks, site)),
    async start({ speaks, ...asking }, wantsPerson) {
      const lang = languageOf(speaks, asking.site);
      if (!answers(asking.site, lang)) return {};
      const assistant = { answers: 0, lang };
      if (wantsPerson) return { assistant: { ...assistant, reason: 'asked' } };
      if (!(await mayAsk(asking))) return { assistant: { ...assistant, reason: 'limit' } };
      return { assisted: true, assistant };
    },
  };
}
