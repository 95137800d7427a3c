import {
  allButtons,
  CONSENT_TEXT_MAX_LENGTH,
  DEPARTMENT_NAME_MAX_LENGTH,
  type DepartmentName,
  type FieldTexts,
  FLOW_LABEL_MAX_LENGTH,
  FLOW_QUESTION_MAX_LENGTH,
  type FlowButton,
  type FlowTexts,
  GREETING_TEXT_MAX_LENGTH,
  LAUNCHER_TEXT_MAX_LENGTH,
  PRE_CHAT_LABEL_MAX_LENGTH,
  PRE_CHAT_OPTION_MAX_LENGTH,
  type PreChatField,
  SITE_TEXT_MAX_LENGTH,
  type SiteTexts,
} from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { labelOf } from '../form/siteFields.ts';
import type { SiteValues } from '../form/siteForm.ts';
import { fieldName } from '../widget/preChat.ts';

/** One text of the site that can be written in another language. */
export interface Translatable {
  key: string;
  label: string;
  /** The main text; empty: the site leaves it to the widget or to the owner's account. */
  main: string;
  max: number;
  isLong: boolean;
  /** What stands in these texts; empty: nothing. */
  read: (texts: SiteTexts) => string;
  /** The same texts with this one changed. */
  write: (texts: SiteTexts, text: string) => SiteTexts;
}

export interface TranslatableGroup {
  title: string;
  texts: Translatable[];
}

/** Everything that a site says in its own words, as its form has it now, and the names of its departments. */
export function translatables(
  { customization, settings }: SiteValues,
  departments: readonly DepartmentName[],
): TranslatableGroup[] {
  const { buttons, consent, greetings, launcher, preChat, preChatFields } = settings;
  const { navbarTitle, welcomeMessage, offlineMessage } = customization;
  const asked = preChat === 'off' ? [] : preChatFields;
  const groups = [
    {
      title: t('Widget'),
      texts: [
        plain('navbarTitle', labelOf('customization.navbarTitle'), navbarTitle, SITE_TEXT_MAX_LENGTH),
        plain('welcomeMessage', labelOf('customization.welcomeMessage'), welcomeMessage, SITE_TEXT_MAX_LENGTH, true),
        plain('offlineMessage', labelOf('customization.offlineMessage'), offlineMessage, SITE_TEXT_MAX_LENGTH, true),
        plain('launcherText', labelOf('settings.launcher.text'), launcher.text, LAUNCHER_TEXT_MAX_LENGTH),
      ],
    },
    {
      title: t('Forms'),
      texts: [
        ...asked.flatMap(ofField),
        ...(consent ? [plain('consent', t('What visitors agree to'), consent.text, CONSENT_TEXT_MAX_LENGTH)] : []),
      ],
    },
    { title: t('Buttons'), texts: allButtons(buttons).flatMap(ofButton) },
    { title: t('Greetings'), texts: greetings.map(({ id, text }, at) => ofGreeting(id, text, at + 1)) },
    { title: t('Departments'), texts: departments.map(ofDepartment) },
  ];
  return groups.filter(({ texts }) => texts.length > 0);
}

type PlainName = 'navbarTitle' | 'welcomeMessage' | 'offlineMessage' | 'launcherText' | 'consent';

function plain(name: PlainName, label: string, main: string, max: number, isLong = false): Translatable {
  return {
    key: name,
    label,
    main,
    max,
    isLong,
    read: (texts) => texts[name] ?? '',
    write: ({ [name]: _, ...others }, text) => ({ ...others, ...(text && { [name]: text }) }),
  };
}

function ofGreeting(id: string, main: string, number: number): Translatable {
  return {
    key: id,
    label: t('Greeting {number}', { number }),
    main,
    max: GREETING_TEXT_MAX_LENGTH,
    isLong: true,
    read: (texts) => texts.greetings?.[id] ?? '',
    write: (texts, text) => withPart(texts, 'greetings', changed(texts.greetings, id, text)),
  };
}

/** The label of a button, and the question that it leads to. One that nobody has named yet has nothing to translate. */
function ofButton({ id, label, target }: FlowButton): Translatable[] {
  const read = (texts: SiteTexts) => texts.buttons?.[id] ?? {};
  const part = (name: 'label' | 'question', title: string, main: string, max: number): Translatable => ({
    key: `${id} ${name}`,
    label: title,
    main,
    max,
    isLong: false,
    read: (texts) => read(texts)[name] ?? '',
    write(texts, text) {
      const { [name]: _, ...others } = read(texts);
      const next: FlowTexts = { ...others, ...(text && { [name]: text }) };
      const isEmpty = !next.label && !next.question;
      return withPart(texts, 'buttons', changed(texts.buttons, id, isEmpty ? undefined : next));
    },
  });
  const name = label.trim();
  const question = target.kind === 'question' ? target.question.trim() : '';
  return [
    ...(name ? [part('label', t('Button “{name}”', { name }), name, FLOW_LABEL_MAX_LENGTH)] : []),
    ...(question ? [part('question', t('Question after “{name}”', { name }), question, FLOW_QUESTION_MAX_LENGTH)] : []),
  ];
}

function ofDepartment({ _id, name }: DepartmentName): Translatable {
  return {
    key: _id,
    label: name,
    main: name,
    max: DEPARTMENT_NAME_MAX_LENGTH,
    isLong: false,
    read: (texts) => texts.departments?.[_id] ?? '',
    write: (texts, text) => withPart(texts, 'departments', changed(texts.departments, _id, text)),
  };
}

/** The label of a field and its possible answers. The widget itself names those that have no label. */
function ofField(field: PreChatField): Translatable[] {
  const { id, label, options = [] } = field;
  // A field that the server has not seen yet.
  if (!id) return [];
  const read = (texts: SiteTexts): FieldTexts => texts.fields?.[id] ?? {};
  const write = (texts: SiteTexts, next: FieldTexts) => {
    const isEmpty = !next.label && !next.options;
    return withPart(texts, 'fields', changed(texts.fields, id, isEmpty ? undefined : next));
  };
  const ofLabel: Translatable = {
    key: id,
    label: t('Label of {name}', { name: fieldName(field) }),
    main: label,
    max: PRE_CHAT_LABEL_MAX_LENGTH,
    isLong: false,
    read: (texts) => read(texts).label ?? '',
    write(texts, text) {
      const { label: _, ...others } = read(texts);
      return write(texts, { ...others, ...(text && { label: text }) });
    },
  };
  const ofOptions = options.filter(Boolean).map(
    (option, at): Translatable => ({
      key: `${id} ${at}`,
      label: t('{name}: answer {number}', { name: fieldName(field), number: at + 1 }),
      main: option,
      max: PRE_CHAT_OPTION_MAX_LENGTH,
      isLong: false,
      read: (texts) => read(texts).options?.find((each) => each.option === option)?.text ?? '',
      write(texts, text) {
        const { options: before = [], ...others } = read(texts);
        const rest = before.filter((each) => each.option !== option);
        const next = text ? [...rest, { option, text }] : rest;
        return write(texts, { ...others, ...(next.length > 0 && { options: next }) });
      },
    }),
  );
  return label.trim() === '' ? ofOptions : [ofLabel, ...ofOptions];
}

function changed<Value>(by: Record<string, Value> = {}, id: string, value: Value | undefined): Record<string, Value> {
  const { [id]: _, ...others } = by;
  return value ? { ...others, [id]: value } : others;
}

/** The texts with another part; without it, where nothing is in it. */
function withPart<Name extends 'greetings' | 'buttons' | 'departments' | 'fields'>(
  texts: SiteTexts,
  name: Name,
  part: SiteTexts[Name] & object,
) {
  const { [name]: _, ...others } = texts;
  return (Object.keys(part).length > 0 ? { ...others, [name]: part } : others) as SiteTexts;
}
