import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** A customer of an IPv6 provider is given at least this much of an address, and chooses the rest himself. */
const IPV6_PREFIX_GROUPS = 4;
/** What a proxy forwarded that is no address is counted as it stands, up to here. */
const OTHER_MAX_LENGTH = 64;

/**
 * What limits by address count by: an IPv4 address as it is (also when it came mapped into IPv6), an IPv6 address as
 * its /64, because one customer has all the addresses of it.
 * @param ip Express's `req.ip`; undefined when the connection is gone
 */
export function addressKey(ip: string | undefined = ''): string {
  if (!ipaddr.isValid(ip)) return ip.slice(0, OTHER_MAX_LENGTH);
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const prefix = address.parts.slice(0, IPV6_PREFIX_GROUPS).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** Whether this address, so many hops from here, is a proxy whose word counts: Express's `trust proxy fn`. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** Where a request comes from that Express never sees, as `addressKey` makes it: the same answer as its `req.ip`. */
export function requestAddress(request: IncomingMessage, trusts: TrustsProxy): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const hops = [request.socket.remoteAddress ?? '', ...forwarded.map((hop) => hop.trim()).reverse()].filter(Boolean);
  return addressKey(hops.find((address, hop) => !trusts(address, hop)) ?? hops.at(-1));
}
