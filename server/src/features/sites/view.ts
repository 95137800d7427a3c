import { type Caller, peopleById } from '#features/auth';
import { SITE_SETTINGS_DEFAULTS, type Site } from './contract.ts';
import { departmentsOf } from './departments.ts';
import { buttonsOf } from './flows/buttons.ts';
import { memberOf } from './guards.ts';
import { LAUNCHER_DEFAULTS, type Launcher } from './launcher/contract.ts';
import type { SiteDoc } from './model.ts';
import { currentTranslations } from './texts/current.ts';
import { greetingsOf } from './widget/greetings.ts';
import { withFieldIds } from './widget/preChat.ts';

/** Counts the chats of some sites; the keys are hex ids. */
export type CountChats = (sites: SiteDoc[]) => Promise<Map<string, Site['stats']>>;

/** Sites as a member sees them, each with its figures and its team's names. */
export async function siteViews(sites: SiteDoc[], { user }: Caller, countChats: CountChats): Promise<Site[]> {
  const [counts, people] = await Promise.all([
    countChats(sites),
    peopleById(sites.flatMap((site) => site.team.map((entry) => entry.user))),
  ]);
  return sites.map((site) => {
    const member = memberOf(site, user._id);
    return {
      _id: site._id.toHexString(),
      name: site.name,
      domain: site.domain,
      widgetEnabled: site.widgetEnabled,
      widgetCode: site.widgetCode,
      owner: site.owner.toHexString(),
      role: member?.role ?? 'viewer',
      isOwner: member?.isOwner ?? false,
      ...(member?.agentsEditArticles && { agentsEditArticles: true }),
      stats: counts.get(site._id.toHexString()) ?? { totalChats: 0, activeChats: 0 },
      team: site.team.flatMap(({ user: id, role }) => {
        const person = people.get(id.toHexString());
        return person ? [{ userId: { _id: id.toHexString(), name: person.name, email: person.email }, role }] : [];
      }),
      customization: appearanceView(site),
      settings: settingsView(site),
      ...(site.assistant && site.assistant.step !== 'links' && { assistantStep: site.assistant.step }),
      createdAt: site.createdAt.toISOString(),
    };
  });
}

/** Appearance of the site's widget: the only part of a site that visitors see too. */
export function appearanceView({ customization }: SiteDoc): Site['customization'] {
  const { color, position, navbarTitle, welcomeMessage, offlineMessage } = customization;
  return { color, position, navbarTitle, welcomeMessage, offlineMessage };
}

/** The settings of a site, with the usual values of those that were not there when it was stored. */
export function settingsView(site: SiteDoc): Site['settings'] {
  const { settings } = site;
  const { autoAssign, notifications, offlineMode, allowedDomains, preChat, retentionDays } = settings;
  // A site that was stored before the setting existed has none.
  const { maskCards = SITE_SETTINGS_DEFAULTS.maskCards } = settings as Partial<SiteDoc['settings']>;
  const { typingPreview = SITE_SETTINGS_DEFAULTS.typingPreview } = settings as Partial<SiteDoc['settings']>;
  const { visitorPages, identityVerification, autoCloseHours, hours, privacyUrl } = settings;
  const form = preChatView(settings);
  const [greetings, buttons] = [greetingsOf(site), buttonsOf(site)];
  return {
    autoAssign,
    notifications,
    offlineMode,
    allowedDomains,
    preChat,
    maskCards,
    retentionDays,
    typingPreview,
    visitorPages,
    identityVerification,
    autoCloseHours,
    hours,
    privacyUrl,
    ...form,
    greetings,
    buttons,
    launcher: launcherOfSite(settings),
    mainLanguage: settings.mainLanguage ?? null,
    translations: currentTranslations(settings.translations ?? {}, {
      ...form,
      greetings,
      buttons,
      departments: departmentsOf(site),
    }),
  };
}

/** What the form before the chat asks for. Sites stored before there were such fields have none of them. */
export function preChatView({
  preChatFields = [],
  consent = null,
}: Partial<SiteDoc['settings']>): Pick<Site['settings'], 'preChatFields' | 'consent'> {
  return {
    preChatFields: withFieldIds(preChatFields).map(({ id, kind, label, required, options }) => ({
      id,
      kind,
      label,
      required,
      ...(options && { options }),
    })),
    consent: consent && { text: consent.text, url: consent.url },
  };
}

/** How the launcher looks. Sites stored before it could be changed have the usual one. */
export function launcherOfSite({ launcher }: Partial<SiteDoc['settings']>): Launcher {
  const { shape, icon, text, side, bottom, hideOnPhones, hideOffline, hideOn } = { ...LAUNCHER_DEFAULTS, ...launcher };
  return { shape, icon, text, side, bottom, hideOnPhones, hideOffline, hideOn: [...hideOn] };
}
