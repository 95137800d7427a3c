import { domainToASCII } from 'node:url';

const PORT_MAX = 65_535;
/** A host name's own limit, without the port. */
const HOST_MAX_LENGTH = 253;
/** With `:` and a port. */
export const DOMAIN_MAX_LENGTH = HOST_MAX_LENGTH + 6;

/**
 * A host as people type it (`Shop.Example.com`, `müller.de`, `localhost:8080`, `[::1]`) as it is stored: lower-case
 * ASCII, with its port if it has one. Null for anything with a protocol, a path or blanks in it.
 */
export function normalizeDomain(typed: string): string | null {
  const trimmed = typed.trim();
  // Before any look at it: writing Unicode names in ASCII costs the square of their length.
  if (trimmed.length > DOMAIN_MAX_LENGTH) return null;
  const [, name, port] = trimmed.match(/^(\[[0-9a-f:.]+\]|[^\s/:@?#\\]+)(?::(\d{1,5}))?$/i) ?? [];
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
