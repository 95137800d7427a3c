import type { Types } from 'mongoose';
import type { VisitorAssistant } from '#features/assistant/contract';
import { peopleById } from '#features/auth';
import { type Assistance, agentView, type ChatDoc, ratingView } from '#features/chats';
import type { WidgetDepartment } from '#features/departments/contract';
import type { Presence } from '#features/presence';
import type { PersonNote, VisitorDetails } from '#features/presence/contract';
import { launcherOf } from '#features/settings';
import {
  appearanceView,
  buttonsVersion,
  departmentsForVisitors,
  greetingsOf,
  launcherOfSite,
  preChatView,
  type SiteDoc,
  siteCache,
  siteIn,
  visitorAvailability,
} from '#features/sites';
import type { PreChatField } from '#features/sites/contract';
import { launcherColors, launcherLook } from '#features/sites/launcher/contract';
import type { Mail } from '#platform/mail';
import type { ChatReceipt, Visitor, VisitorChat, WidgetConfig } from './contract.ts';
import type { PersonNoteDoc, VisitorDoc } from './model.ts';
import { isBounced } from './people/bounces.ts';

/** Builds the public configuration of a site; the launcher's text and the people come from elsewhere. */
function configView(
  site: SiteDoc,
  {
    buttonText,
    logo,
    availability,
    usualReplyMinutes,
    mail,
    isAssisted,
    departments,
  }: Pick<WidgetConfig, 'buttonText' | 'logo' | 'usualReplyMinutes' | 'mail'> & {
    availability: Pick<WidgetConfig, 'online' | 'opensAt'>;
    isAssisted: boolean;
    departments: WidgetDepartment[];
  },
): WidgetConfig {
  const greetings = greetingsOf(site).flatMap(({ enabled, ...greeting }) => (enabled ? [greeting] : []));
  const launcher = launcherOfSite(site.settings);
  const { help } = site;
  const buttons = buttonsVersion(site);
  return {
    widgetCode: site.widgetCode,
    name: site.name,
    customization: appearanceView(site),
    preChat: site.settings.preChat,
    ...formView(site),
    privacyUrl: site.settings.privacyUrl,
    visitorPages: site.settings.visitorPages,
    ...(site.settings.typingPreview && { typingPreview: true as const }),
    ...(greetings.length > 0 && { greetings }),
    ...(help?.enabled && help.widget !== 'off' && { articles: help.widget }),
    ...(isAssisted && { assistant: { name: site.assistant?.name ?? '' } }),
    ...launcherLook(launcher),
    colors: launcherColors(appearanceView(site).color),
    ...(departments.length > 0 && { departments }),
    ...(buttons && { buttons }),
    buttonText: launcher.text || buttonText,
    logo,
    ...availability,
    usualReplyMinutes,
    mail,
  };
}

/** What the forms ask for. Most sites ask for name and e-mail only: their config carries nothing more for it. */
function formView({ settings }: SiteDoc): Pick<WidgetConfig, 'preChatFields' | 'consent'> {
  const { preChatFields, consent } = preChatView(settings);
  const asked = preChatFields.map(({ id: _, ...field }) => field);
  return { ...(asked.length > 0 && { preChatFields: asked }), ...(consent && { consent }) };
}

/** What staff see of a visitor besides name and address. */
export function visitorDetailsView(visitor: VisitorDoc): VisitorDetails {
  const { page, pages = [], userId, verified = false, attributes = [], phone, consent, bounced, note } = visitor;
  return {
    page: page && { url: page.url, title: page.title },
    pages: pages.map(({ url, title, at }) => ({ url, title, at: at.toISOString() })),
    userId: userId ?? null,
    verified,
    attributes: attributes.map(({ name, value, asked }) => ({ name, value, ...(asked && { asked }) })),
    ...(phone && { phone }),
    ...(consent && { consent: { text: consent.text, at: consent.at.toISOString() } }),
    ...(bounced && isBounced(visitor) && { bounced: { status: bounced.status, at: bounced.at.toISOString() } }),
    ...(note && { note: personNoteView(note) }),
  };
}

/** The team's note on a person. */
export function personNoteView({ version, content, author, authorName, at }: PersonNoteDoc): PersonNote {
  return {
    version: version.toHexString(),
    content,
    author: { _id: author.toHexString(), name: authorName },
    at: at.toISOString(),
  };
}

/** The visitor's own data, as its browser receives it. */
export function visitorView({ _id, name, email }: VisitorDoc): Visitor {
  return { _id: _id.toHexString(), name, email };
}

/** The same with what the site's form need not ask any more. @param speaks the language of the form */
export function askedVisitorView(visitor: VisitorDoc, site: SiteDoc, speaks?: string): Visitor {
  const { preChatFields } = preChatView(site.settings);
  const shown = preChatView(siteIn(site, speaks).settings).preChatFields;
  const given = new Set((visitor.attributes ?? []).map(({ name }) => name));
  const isKnown = ({ kind, label }: PreChatField) =>
    kind === 'name' || kind === 'email' || kind === 'phone' ? Boolean(visitor[kind]) : given.has(label);
  const known = shown
    .filter((_, at) => isKnown(preChatFields[at] as PreChatField))
    .map(({ kind, label }) => label || kind);
  return { ...visitorView(visitor), ...(preChatFields.length > 0 && { known }) };
}

/** Presence and time: besides the site itself, its public configuration depends on these. */
export interface ConfigDeps {
  presence: Presence;
  now: () => number;
  /** A site's usual time to answer, in minutes; null: not known. */
  usualReply: (site: Types.ObjectId) => Promise<number | null>;
  mail: Pick<Mail, 'enabled'>;
  assistance: Assistance;
}

/** The public configuration of a site at this moment. @param speaks the widget's language; left out: any */
export async function widgetConfig(
  site: SiteDoc,
  { presence, now, usualReply, mail, assistance }: ConfigDeps,
  speaks?: string,
): Promise<WidgetConfig> {
  const at = now();
  const spoken = siteIn(site, speaks);
  const [availability, departments] = [
    visitorAvailability(site, presence, at),
    departmentsForVisitors(spoken, presence, at),
  ];
  const isAssisted = assistance.answers(site, speaks);
  const [launcher, usualReplyMinutes] = await Promise.all([launcherOf(site.owner), usualReply(site._id)]);
  const around = { ...launcher, availability, usualReplyMinutes, mail: mail.enabled, isAssisted, departments };
  return configView(spoken, around);
}

/** A chat as its visitor sees it. */
export async function visitorChatView(chat: ChatDoc): Promise<VisitorChat> {
  const { status, claimedBy } = chat;
  const { chatId, ...receipts } = receiptOf(chat);
  const agent = claimedBy && (await peopleById([claimedBy])).get(claimedBy.toHexString());
  return {
    _id: chatId,
    status,
    agent: agent ? agentView(agent) : null,
    receipts,
    readSeq: chat.receipts.visitor.read,
    rating: ratingView(chat),
    ...(chat.assisted && { assistant: await assistantView(chat) }),
  };
}

async function assistantView({ site, assistant }: ChatDoc): Promise<VisitorAssistant> {
  const { assistant: settings } = (await siteCache.find(site.toHexString())) ?? {};
  return { name: settings?.name ?? '', ...(assistant?.run && { run: assistant.run.toHexString() }) };
}

/** How far the team has received and read a chat. */
export function receiptOf({ _id, receipts: { staff } }: ChatDoc): ChatReceipt {
  return { chatId: _id.toHexString(), delivered: staff.delivered, read: staff.read };
}
