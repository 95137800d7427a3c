/** How often a greeting was shown, and how many chats began with an answer to it. */
export interface GreetingFigures {
  id: string;
  shown: number;
  answered: number;
}

/** The calls of greetings; the greetings themselves are part of a site's settings. */
export interface GreetingsApi {
  /** The figures of the site's greetings, in their order. */
  'GET /sites/:id/greetings': { data: { greetings: GreetingFigures[] } };
  /** A page shows this greeting: counts it. It stores nothing about the visitor, and has no answer. */
  'POST /widget/:widgetCode/greetings': { body: { greeting: string }; data: Record<string, never> };
}
