/** The most buttons of one level, and the most levels: the buttons that come first, and those of two questions after them. */
export const FLOW_BUTTONS_MAX = 6;
export const FLOW_LEVELS_MAX = 3;
/** The most buttons of a site, over all levels. */
export const FLOW_TOTAL_MAX = 60;
export const FLOW_LABEL_MAX_LENGTH = 60;
export const FLOW_QUESTION_MAX_LENGTH = 200;
export const FLOW_URL_MAX_LENGTH = 500;

/** A button that visitors tap in place of writing: the tap sends its label as an ordinary message of theirs. */
export interface FlowButton {
  /** Made by the client that adds it: 8 to 36 of `0-9a-f-`, such as a UUID; unique on the site. */
  id: string;
  /** Unique on its level. */
  label: string;
  target: FlowTarget;
}

/**
 * Where a button leads. A department or an article that visitors cannot choose or read (any more) stays in the settings; for visitors,
 * such a button leads to the team. `chat`: nowhere else, the team answers.
 * `link`: an address with https:, http:, mailto: or tel:.
 */
export type FlowTarget =
  | { kind: 'chat' }
  | { kind: 'article'; article: string }
  | { kind: 'department'; department: string }
  | { kind: 'link'; url: string }
  | { kind: 'question'; question: string; buttons: FlowButton[] };

/** A button in one more language; `question`: of a button that leads to one. */
export interface FlowTexts {
  label?: string;
  question?: string;
}

/** The buttons as visitors of one language find them. */
export interface WidgetButtons {
  buttons: FlowButton[];
  /** The labels in the site's main language, by the ids of the buttons whose labels are different: what was tapped in it counts, too. */
  main: Record<string, string>;
}

/** The calls of buttons; the buttons themselves are part of a site's settings. */
export interface FlowsApi {
  /** `l`: the language, as in the config. `v`: what the config says of the buttons, so that no cache answers with earlier ones. */
  'GET /widget/:widgetCode/buttons': { query: { l?: string; v?: string }; data: WidgetButtons };
}

/** All buttons of a tree, each before those that follow it. */
export function allButtons(buttons: readonly FlowButton[]): FlowButton[] {
  return buttons.flatMap((button) => [
    button,
    ...(button.target.kind === 'question' ? allButtons(button.target.buttons) : []),
  ]);
}

/** A tree with the texts of one language. A label that reads like another one of its level stays, so that taps are told apart. */
export function withFlowTexts(buttons: readonly FlowButton[], texts: Record<string, FlowTexts>): FlowButton[] {
  const used = new Set(buttons.map(({ label }) => label));
  return buttons.map(({ id, label: main, target }) => {
    const { label = '', question } = texts[id] ?? {};
    const isFree = label !== '' && !used.has(label);
    if (isFree) used.add(label);
    const to =
      target.kind === 'question'
        ? { ...target, question: question || target.question, buttons: withFlowTexts(target.buttons, texts) }
        : target;
    return { id, label: isFree ? label : main, target: to };
  });
}
