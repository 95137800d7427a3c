import type { HelpCenter, HelpCenterPatch, WidgetArticles } from 'server/contract';
import { msg } from '../../../lib/i18n.ts';

/** The fields of the form. `host` is '' where the site has no host name of its own. */
export type HelpValues = Pick<
  HelpCenter,
  'enabled' | 'handle' | 'language' | 'languages' | 'links' | 'agentsEdit' | 'widget' | 'rev'
> & { host: string };

type Field = Exclude<keyof HelpValues, 'rev'>;

export const LABELS = {
  enabled: msg('Help centre switched on'),
  handle: msg('Address'),
  host: msg('Host name of your own'),
  language: msg('Main language'),
  languages: msg('Other languages'),
  links: msg('Links at the foot of each page'),
  agentsEdit: msg('Agents may write and publish articles'),
  widget: msg('Articles in the widget'),
} as const satisfies Record<Field, string>;

export const HELP_FIELDS = Object.keys(LABELS) as Field[];

/** What visitors see of articles in the widget. */
export const WIDGET_CHOICES: readonly { value: WidgetArticles; label: string; hint: string }[] = [
  { value: 'off', label: msg('Not at all'), hint: msg('The widget opens the conversation at once, as before.') },
  {
    value: 'first',
    label: msg('Before a conversation'),
    hint: msg('Visitors without an open chat first see articles and a search, and can write from there.'),
  },
  {
    value: 'always',
    label: msg('Always first'),
    hint: msg('Each visitor first sees articles and a search, also with an open chat.'),
  },
  { value: 'only', label: msg('Articles only'), hint: msg('Visitors can read and search; nobody can begin a chat.') },
];

export function helpDraftKey(userId: string, siteId: string): string {
  return `${userId}:help:${siteId}`;
}

/** The form of a help centre as the server has it. */
export function valuesOf(help: HelpCenter): HelpValues {
  const { enabled, handle, host, language, languages, links, agentsEdit, widget, rev } = help;
  return { enabled, handle, host: host ?? '', language, languages, links, agentsEdit, widget, rev };
}

/** What the form sends of the changed fields. */
export function patchOf(values: HelpValues, { rev }: HelpValues, changed: readonly string[]): HelpCenterPatch {
  const { handle, host, links, languages, ...others } = values;
  const body = {
    ...others,
    handle: handle.trim().toLowerCase(),
    host: hostOf(host) || null,
    links: links
      .map(({ label, url }) => ({ label: label.trim(), url: url.trim() }))
      .filter(({ label, url }) => label !== '' || url !== ''),
    languages: languages.filter((each) => each !== values.language),
  };
  // The new main language may have been among the others.
  const sent = changed.includes('language') ? [...changed, 'languages'] : changed;
  return { ...Object.fromEntries(Object.entries(body).filter(([name]) => sent.includes(name))), rev };
}

/** The host name, also where a whole web address was pasted. */
function hostOf(text: string): string {
  const host = text.trim().toLowerCase();
  return URL.canParse(host) && host.includes('//') ? new URL(host).host : host;
}
