import { type FlowButton, type FlowTexts, withFlowTexts } from '../flows/contract.ts';

/** The languages that the widget speaks, by their ISO codes. */
export const WIDGET_LANGUAGES = ['ar', 'de', 'en', 'es', 'fa', 'fr', 'hi', 'ja', 'pt', 'ru', 'tr', 'zh'] as const;
export type WidgetLanguage = (typeof WIDGET_LANGUAGES)[number];

/** The texts of one language as JSON have at most as many characters. */
export const SITE_TEXTS_MAX_LENGTH = 20_000;

/** What a site says to visitors in one more language. What is left out is shown in the site's main texts. */
export interface SiteTexts {
  navbarTitle?: string;
  welcomeMessage?: string;
  offlineMessage?: string;
  launcherText?: string;
  /** What visitors agree to. */
  consent?: string;
  /** By the ids of the greetings. */
  greetings?: Record<string, string>;
  /** By the ids of the buttons. */
  buttons?: Record<string, FlowTexts>;
  /** The names of departments, by their ids. */
  departments?: Record<string, string>;
  /** By the ids of the fields of the form before the chat. */
  fields?: Record<string, FieldTexts>;
}

/** A field of the form before the chat in one more language. */
export interface FieldTexts {
  label?: string;
  options?: OptionText[];
}

/** A possible answer in one more language. */
export interface OptionText {
  /** The answer in the site's main texts, under which it is stored. */
  option: string;
  text: string;
}

/** By language; null: none, as where it is left out. */
export type SiteTranslations = Partial<Record<WidgetLanguage, SiteTexts | null>>;

/** What of a site visitors read. */
interface SpokenSite {
  customization: { navbarTitle: string; welcomeMessage: string; offlineMessage: string };
  settings: {
    greetings: { id: string; text: string }[];
    preChatFields: SpokenField[];
    consent: { text: string } | null;
    buttons: FlowButton[];
    launcher: { text: string };
  };
}

interface SpokenField {
  id?: string;
  kind: string;
  label: string;
  options?: string[];
}

/** The widget's language for a BCP 47 tag, such as `pt` for `pt-BR`; undefined: the widget has another language. */
export function toWidgetLanguage(tag = ''): WidgetLanguage | undefined {
  const [base] = tag.toLowerCase().split(/[-_]/, 1);
  return WIDGET_LANGUAGES.find((language) => language === base);
}

/** A site as it speaks with the texts of one language in place of its main ones. */
export function withTexts<Content extends SpokenSite>(content: Content, texts: SiteTexts): Content {
  const { customization, settings } = content;
  const { greetings, preChatFields, consent, buttons, launcher } = settings;
  const { navbarTitle, welcomeMessage, offlineMessage } = texts;
  return {
    ...content,
    customization: {
      ...customization,
      ...(navbarTitle && { navbarTitle }),
      ...(welcomeMessage && { welcomeMessage }),
      ...(offlineMessage && { offlineMessage }),
    },
    settings: {
      ...settings,
      greetings: greetings.map((greeting) => ({ ...greeting, text: texts.greetings?.[greeting.id] || greeting.text })),
      preChatFields: fieldsIn(texts, preChatFields),
      consent: consent && { ...consent, text: texts.consent || consent.text },
      buttons: withFlowTexts(buttons, texts.buttons ?? {}),
      launcher: { ...launcher, text: texts.launcherText || launcher.text },
    },
  };
}

function fieldsIn({ fields = {} }: SiteTexts, main: SpokenField[]): SpokenField[] {
  const textsOf = ({ id = '' }: SpokenField) => fields[id] ?? {};
  const names = main.map(({ label, kind }) => label || kind);
  const labels = distinct(
    names,
    main.map((field) => textsOf(field).label),
  );
  return main.map((field, at) => {
    const { options } = field;
    const textOf = (option: string) => textsOf(field).options?.find((each) => each.option === option)?.text;
    const label = labels[at] ?? '';
    return {
      ...field,
      ...(label !== names[at] && { label }),
      ...(options && { options: distinct(options, options.map(textOf)) }),
    };
  });
}

/** The translations of texts. One that reads like another text stays in the main language, so that visitors tell them apart. */
export function distinct(main: string[], translations: (string | undefined)[]): string[] {
  const used = new Set(main);
  return main.map((text, at) => {
    const translation = translations[at];
    if (!translation || used.has(translation)) return text;
    used.add(translation);
    return translation;
  });
}
