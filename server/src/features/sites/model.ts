import { Schema, Types } from 'mongoose';
import type { SiteRole } from '#features/team/contract';
import { createDocumentCache } from '#platform/cache';
import { defineModel } from '#platform/database';
import { type Events, events } from '#platform/events';
import { type AssistantDoc, assistantSchema } from './assistantModel.ts';
import {
  type Customization,
  GREETING_VISITS,
  type Greeting,
  CUSTOMIZATION_DEFAULTS as LOOK,
  PRE_CHAT_CHOICES,
  type PreChatField,
  SITE_SETTINGS_DEFAULTS as SETTINGS,
  type SiteSettings,
} from './contract.ts';
import { type DepartmentsDoc, departmentsSchema, hoursSchema } from './departmentModel.ts';
import { type HelpDoc, helpSchema } from './helpModel.ts';
import { LAUNCHER_DEFAULTS } from './launcher/contract.ts';
import { type RulesDoc, rulesSchema } from './ruleModel.ts';
import { WIDGET_LANGUAGES } from './texts/contract.ts';
import { type WebhookDoc, webhookSchema } from './webhookModel.ts';

declare module '#platform/events' {
  interface Events {
    siteCreated: { site: SiteDoc };
    /** `fields`: dotted names of the changed fields (`settings.hours`); empty where a form was saved without changes. */
    siteUpdated: { site: SiteDoc; by: Types.ObjectId; fields: string[] };
    siteDeleted: { site: SiteDoc; by: Types.ObjectId };
    /** The previous widget code is invalid. */
    widgetCodeChanged: { site: SiteDoc; by: Types.ObjectId };
    identitySecretChanged: { site: SiteDoc; by: Types.ObjectId };
  }
}

/** A site as stored. */
export interface SiteDoc {
  _id: Types.ObjectId;
  name: string;
  domain: string;
  widgetEnabled: boolean;
  widgetCode: string;
  owner: Types.ObjectId;
  /**
   * The owner's slot that this site takes, from 0. A unique index on it enforces the limit under races; removed on
   * deletion.
   */
  ownerSlot?: number;
  team: { user: Types.ObjectId; role: SiteRole }[];
  customization: Customization;
  settings: SiteSettings;
  /** Grows with every change of the site's settings, for optimistic locking; absent: none yet. */
  rev?: number;
  /** Key with which a site's server signs identity tokens, sealed with `DATA_KEY`; sent to admins only. */
  sealedIdentity?: string;
  /** The same as plain text, as long as a node may run that reads no other form. */
  identitySecret?: string;
  /** Where the widget was last seen. */
  installation?: { seenAt: Date; origin: string; page?: string; version?: string };
  webhooks?: WebhookDoc[];
  /** Absent: nobody has added any. */
  departments?: DepartmentsDoc;
  /** Absent: nobody has added any. */
  rules?: RulesDoc;
  /** Absent: nobody has set up a help centre. */
  help?: HelpDoc;
  /** Absent: as `ASSISTANT_DEFAULTS`. */
  assistant?: AssistantDoc;
  createdAt: Date;
  /** Tombstone, set first when a site is deleted: the site cannot be reached while its data is removed. */
  deletedAt?: Date;
  /** When its data was completely removed for the first time. */
  purgedAt?: Date;
}

const text = (fallback: string) => ({ type: String, default: fallback });
const flag = (fallback: boolean) => ({ type: Boolean, required: true, default: fallback });

const greetingSchema = new Schema<Greeting>(
  {
    id: String,
    text: String,
    enabled: Boolean,
    page: String,
    after: Number,
    visits: { type: String, enum: GREETING_VISITS },
    whileOnline: Boolean,
    oncePerVisitor: Boolean,
  },
  { _id: false, id: false },
);

const preChatFieldSchema = new Schema<PreChatField>(
  {
    id: String,
    kind: String,
    label: String,
    required: Boolean,
    options: { type: [String], default: undefined },
  },
  { _id: false, id: false },
);

const siteSchema = new Schema<SiteDoc>(
  {
    name: { type: String, required: true },
    domain: { type: String, required: true },
    widgetEnabled: flag(true),
    widgetCode: { type: String, required: true, unique: true },
    owner: { type: Schema.Types.ObjectId, required: true },
    ownerSlot: { type: Number },
    team: [
      {
        _id: false,
        user: { type: Schema.Types.ObjectId, required: true },
        role: { type: String, enum: ['admin', 'agent', 'viewer'] as const, required: true },
      },
    ],
    customization: {
      color: text(LOOK.color),
      position: { type: String, enum: ['right', 'left'] as const, required: true, default: LOOK.position },
      navbarTitle: text(LOOK.navbarTitle),
      welcomeMessage: text(LOOK.welcomeMessage),
      offlineMessage: text(LOOK.offlineMessage),
    },
    settings: {
      autoAssign: flag(SETTINGS.autoAssign),
      notifications: flag(SETTINGS.notifications),
      offlineMode: flag(SETTINGS.offlineMode),
      allowedDomains: { type: [String], default: [] },
      preChat: { type: String, enum: PRE_CHAT_CHOICES, required: true, default: SETTINGS.preChat },
      maskCards: flag(SETTINGS.maskCards),
      retentionDays: { type: Number, required: true, default: SETTINGS.retentionDays },
      typingPreview: flag(SETTINGS.typingPreview),
      visitorPages: flag(SETTINGS.visitorPages),
      identityVerification: flag(SETTINGS.identityVerification),
      autoCloseHours: { type: Number, required: true, default: SETTINGS.autoCloseHours },
      hours: { type: hoursSchema, default: null },
      privacyUrl: { type: String, default: null },
      preChatFields: {
        type: [preChatFieldSchema],
        default: [],
      },
      consent: { type: new Schema({ text: String, url: String }, { _id: false }), default: null },
      greetings: { type: [greetingSchema], default: [] },
      buttons: { type: [Schema.Types.Mixed], default: [] },
      launcher: {
        shape: text(LAUNCHER_DEFAULTS.shape),
        icon: text(LAUNCHER_DEFAULTS.icon),
        text: text(LAUNCHER_DEFAULTS.text),
        side: { type: Number, default: LAUNCHER_DEFAULTS.side },
        bottom: { type: Number, default: LAUNCHER_DEFAULTS.bottom },
        hideOnPhones: { type: Boolean, default: false },
        hideOffline: { type: Boolean, default: false },
        hideOn: { type: [String], default: [] },
      },
      mainLanguage: { type: String, enum: [...WIDGET_LANGUAGES, null], default: null },
      translations: { type: Schema.Types.Mixed },
    },
    rev: { type: Number },
    sealedIdentity: { type: String },
    identitySecret: { type: String },
    installation: { seenAt: Date, origin: String, page: String, version: String },
    webhooks: { type: [webhookSchema], default: undefined },
    departments: { type: departmentsSchema },
    rules: { type: rulesSchema },
    help: { type: helpSchema },
    assistant: { type: assistantSchema },
    createdAt: { type: Date, required: true },
    deletedAt: { type: Date },
    purgedAt: { type: Date },
  },
  { versionKey: false },
);
siteSchema.index({ 'team.user': 1 });
siteSchema.index(
  { owner: 1, ownerSlot: 1 },
  { unique: true, partialFilterExpression: { ownerSlot: { $exists: true } } },
);
for (const name of ['help.handle', 'help.host'])
  siteSchema.index({ [name]: 1 }, { unique: true, partialFilterExpression: { [name]: { $exists: true } } });
siteSchema.index({ deletedAt: 1 }, { partialFilterExpression: { deletedAt: { $exists: true } } });

/** Cache of the sites with active chats. */
export const siteCache = createDocumentCache<SiteDoc>(siteSchema, () => SiteModel);
export const SiteModel = defineModel<SiteDoc>('Site', siteSchema, 'sites');

const VISITED_AT_ONCE = 100;

/**
 * Visits all sites that are not deleted one by one, oldest first, with a bounded number in memory, until the signal
 * aborts. An error at one site does not stop the others.
 * @throws the first error, after all sites were visited
 */
export async function eachSite(signal: AbortSignal, visit: (site: SiteDoc) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  let after = new Types.ObjectId('0'.repeat(24));
  while (!signal.aborted) {
    const sites = await SiteModel.find({ _id: { $gt: after }, deletedAt: null })
      .sort({ _id: 1 })
      .limit(VISITED_AT_ONCE)
      .lean<SiteDoc[]>();
    for (const site of sites) if (!signal.aborted) await visit(site).catch((error) => failures.push(error));
    const last = sites.at(-1);
    if (!last || sites.length < VISITED_AT_ONCE) break;
    after = last._id;
  }
  if (failures.length > 0) throw failures[0];
}

/** The site as it is in the store now, be it deleted; null: none. */
export async function uncachedSite(id: string): Promise<SiteDoc | null> {
  siteCache.forget(id);
  return siteCache.find(id);
}

type OfSite = {
  [Name in keyof Events]: Events[Name] extends { site: SiteDoc; by: Types.ObjectId } ? Name : never;
}[keyof Events];

/** Declares an event that holds its site, who did it, and besides only plain data. */
export function crossesNodesWithSite<Name extends OfSite>(name: Name): void {
  events.crossesNodes(name, {
    encode: ({ site, by, ...rest }: Events[Name]) => ({ siteId: site._id.toHexString(), by: by.toHexString(), rest }),
    async decode({ siteId, by, rest }) {
      const site = await uncachedSite(siteId);
      return site && ({ ...rest, site, by: new Types.ObjectId(by) } as unknown as Events[Name]);
    },
  });
}
for (const name of ['siteUpdated', 'siteDeleted', 'widgetCodeChanged'] as const) crossesNodesWithSite(name);
events.crossesNodes('siteCreated', {
  encode: ({ site }) => ({ siteId: site._id.toHexString() }),
  async decode({ siteId }) {
    const site = await uncachedSite(siteId);
    return site && { site };
  },
});
