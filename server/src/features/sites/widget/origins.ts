import { domainToASCII } from 'node:url';
import { events } from '#platform/events';
import { DAY_MS } from '#platform/time';
import type { Installation } from '../contract.ts';
import { type SiteDoc, SiteModel } from '../model.ts';

const PORT_MAX = 65_535;
/** Maximum length of a host name, without the port. */
const HOST_MAX_LENGTH = 253;
/** Maximum length including `:` and a port. */
export const DOMAIN_MAX_LENGTH = HOST_MAX_LENGTH + 6;

/**
 * Converts a typed host (`Shop.Example.com`, `müller.de`, `localhost:8080`, `[::1]`) to its stored form: lower-case
 * ASCII, with its port if it has one.
 * @returns null for anything with a protocol, a path or spaces
 */
export function normalizeDomain(typed: string): string | null {
  const trimmed = typed.trim();
  // Checked before any parsing: converting Unicode names to ASCII takes time quadratic in their length.
  if (trimmed.length > DOMAIN_MAX_LENGTH) return null;
  const [, name, port] = trimmed.match(/^(\[[0-9a-f:.]+\]|[^\s/:@?#\\]+)(?::(\d{1,5}))?$/i) ?? [];
  if (name === undefined || Number(port ?? 1) > PORT_MAX || Number(port ?? 1) === 0) return null;
  const host = domainToASCII(name);
  if (host === '' || host.length > HOST_MAX_LENGTH) return null;
  return port === undefined ? host : `${host}:${Number(port)}`;
}

/**
 * Whether a page of this origin may carry the widget: its host, with or without port, is listed or is a subdomain of a
 * listed one.
 * @param origin the `Origin` header; requests without it come from tools, which no list can keep out
 */
export function allowsOrigin(allowedDomains: string[], origin: string | undefined): boolean {
  if (allowedDomains.length === 0 || origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { host, hostname } = new URL(origin);
  return allowedDomains.some((domain) => host === domain || hostname === domain || hostname.endsWith(`.${domain}`));
}

/** Minimum time between two writes of a site's last sighting. */
const WRITE_EVERY_MS = 60_000;
/** A page outside the site's domain may lie about having the widget: it is stored only if the domain has not shown it for so long. */
const HOME_KEPT_MS = 7 * DAY_MS;
const REMEMBERED_MAX = 10_000;
const PAGE_MAX = 500;
const VERSION_MAX = 20;
/** Path of the page that a mailed link opens; the site's id follows. */
export const RESUME_PATH = '/c/';
/** Path of the page on which a team tries its widget; the widget code follows. */
const TEST_PATH = '/test/';

/** The place that a widget reports. */
export interface Sighting {
  /** The `Origin` header; browsers leave it out on the product's own pages. */
  origin: string | undefined;
  /** The `Referer` header, or the page that the widget reports. */
  page: string | undefined;
  version: string | undefined;
}

/** Stores where widgets were seen, in the background: no request waits for it. */
export interface Installations {
  seen(site: SiteDoc, sighting: Sighting): void;
}

/** @param now milliseconds */
export function createInstallations(now: () => number): Installations {
  const writtenAt = new Map<string, number>();
  return {
    seen(site, sighting) {
      const place = placeOf(sighting);
      if (place === null) return;
      const isHome = isHomeOf(site, place.origin);
      const { seenAt, origin } = site.installation ?? {};
      const wasHome = seenAt && isHomeOf(site, origin) && now() - seenAt.getTime() < HOME_KEPT_MS;
      if (!isHome && wasHome) return;
      const id = `${site._id.toHexString()} ${isHome}`;
      if (now() - (writtenAt.get(id) ?? 0) < WRITE_EVERY_MS) return;
      if (writtenAt.size >= REMEMBERED_MAX) writtenAt.clear();
      writtenAt.set(id, now());
      const fields = { seenAt: new Date(now()), ...place };
      SiteModel.updateOne({ _id: site._id }, { $set: dotted(fields) }).catch((error) =>
        events.fail(error, 'installation'),
      );
    },
  };
}

const isHomeOf = ({ domain, settings: { allowedDomains } }: SiteDoc, origin: string | undefined) =>
  origin !== undefined && allowsOrigin([domain, ...allowedDomains], origin);

/** A page's address without query and fragment, which may contain secrets. */
function placeOf({ origin, page = '', version }: Sighting) {
  const url = URL.canParse(page) ? new URL(page) : null;
  const from = origin !== undefined && URL.canParse(origin) ? new URL(origin).origin : url?.origin;
  if (from === undefined || from === 'null') return null;
  if (origin === undefined && isOwnPage(url)) return null;
  return {
    origin: from,
    ...(url?.origin === from ? { page: (from + url.pathname).slice(0, PAGE_MAX) } : {}),
    ...(version === undefined ? {} : { version: version.slice(0, VERSION_MAX) }),
  };
}

/** The product's own pages carry widgets too, but are not an installation. */
const isOwnPage = (url: URL | null) =>
  url !== null && [RESUME_PATH, TEST_PATH].some((own) => url.pathname.startsWith(own));

const dotted = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`installation.${name}`, value]));

/** When and where the widget was last seen; all null: never. */
export function installationView({ installation }: SiteDoc): Installation {
  const { seenAt, origin = null, page = null, version = null } = installation ?? {};
  return { seenAt: seenAt?.toISOString() ?? null, origin, page, version };
}
