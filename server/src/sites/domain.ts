import { domainToASCII } from 'node:url';

const PORT_MAX = 65_535;
const HOST_MAX_LENGTH = 253;

/**
 * A host as people type it (`Shop.Example.com`, `müller.de`, `localhost:8080`, `[::1]`) as it is stored: lower-case
 * ASCII, with its port if it has one. Null for anything with a protocol, a path or blanks in it.
 */
export function normalizeDomain(typed: string): string | null {
  const [, name, port] = typed.trim().match(/^(\[[0-9a-f:.]+\]|[^\s/:@?#\\]+)(?::(\d{1,5}))?$/i) ?? [];
  if (name === undefined || Number(port ?? 1) > PORT_MAX || Number(port ?? 1) === 0) return null;
  const host = domainToASCII(name);
  if (host === '' || host.length > HOST_MAX_LENGTH) return null;
  return port === undefined ? host : `${host}:${Number(port)}`;
}

/**
 * Whether a page of this origin may carry the widget: its host is listed, with or without port, or is below a listed one.
 * @param origin the `Origin` header; none at all comes from tools, which no list keeps out
 */
export function allowsOrigin(allowedDomains: string[], origin: string | undefined): boolean {
  if (allowedDomains.length === 0 || origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { host, hostname } = new URL(origin);
  return allowedDomains.some((domain) => host === domain || hostname === domain || hostname.endsWith(`.${domain}`));
}
