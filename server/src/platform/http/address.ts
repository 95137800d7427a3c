import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** A customer of an IPv6 provider has at least a /64, and chooses the remaining groups freely. */
const IPV6_PREFIX_GROUPS = 4;
/** A forwarded value that is not an address is used as it is, up to this length. */
const OTHER_MAX_LENGTH = 64;

/**
 * The key of limits per address: an IPv4 address as it is (also when mapped into IPv6), an IPv6 address as its /64, because
 * one customer has all the addresses of a /64.
 * @param ip Express's `req.ip`; undefined when the connection is gone
 */
export function addressKey(ip: string | undefined = ''): string {
  if (!ipaddr.isValid(ip)) return ip.slice(0, OTHER_MAX_LENGTH);
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const prefix = address.parts.slice(0, IPV6_PREFIX_GROUPS).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** Express's `trust proxy fn`: whether the address at this hop is a trusted proxy. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** The client's address of a request that does not pass Express, as `addressKey` makes it; it equals Express's `req.ip`. */
export function requestAddress(request: IncomingMessage, trusts: TrustsProxy): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const hops = [request.socket.remoteAddress ?? '', ...forwarded.map((hop) => hop.trim()).reverse()].filter(Boolean);
  return addressKey(hops.find((address, hop) => !trusts(address, hop)) ?? hops.at(-1));
}
