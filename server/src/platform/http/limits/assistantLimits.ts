import { DAY_S, HOUR_S, MINUTE_S } from '#platform/time';
import { type Limit, rate } from './limitRow.ts';

/** The limits of the assistant, and of what helps agents to answer. */
export const ASSISTANT_LIMITS = {
  assistantQuestionsPerVisitor: {
    ...rate(20, 'questions to the assistant', DAY_S, 'visitor'),
    why: 'Strangers look for a language model that costs them nothing. Further questions go to a person.',
  },
  assistantQuestionsPerAddress: {
    ...rate(100, 'questions to the assistant', DAY_S, 'address'),
    why: 'An address can create many visitors, so it is counted, too. Further questions go to a person.',
  },
  assistantQuestionsPerSite: {
    ...rate(2_000, 'questions to the assistant', DAY_S, 'site'),
    why: 'For many addresses together. Further questions go to a person.',
  },
  draftsPerAccount: {
    ...rate(30, 'drafts, translations and summaries', MINUTE_S, 'account'),
    why: 'Each asks the language model, which takes seconds of its time, or costs money.',
  },
  draftsPerSite: {
    ...rate(600, 'drafts, translations and summaries', HOUR_S, 'site'),
    why: 'The same for all members of a team together: one website does not use up what is there for all.',
  },
  suggestionsPerAccount: {
    ...rate(240, 'suggestions of answers', MINUTE_S, 'account'),
    why: 'The dashboard asks once for each message of a visitor in the open chat. In a site with a hundred thousand answers each takes some milliseconds.',
  },
} as const satisfies Record<string, Limit>;
