import { lookup } from 'node:dns';
import { Agent } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Sockets of an agent, unless its owner wants another number. */
const SOCKETS_MAX = 32;

/**
 * Networks that are not the public internet.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const RESERVED_V4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** In IPv6 only global unicast is public, except tunnels, whose target is unknown, and documentation addresses. */
const GLOBAL_V6: [string, number] = ['2000::', 3];
const RESERVED_V6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const reserved = new BlockList();
for (const [network, bits] of RESERVED_V4) reserved.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of RESERVED_V6) reserved.addSubnet(network, bits, 'ipv6');
const global = new BlockList();
global.addSubnet(...GLOBAL_V6, 'ipv6');

/** Whether an IP address is on the public internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !reserved.check(address, 'ipv4');
  return isIP(address) === 6 && global.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

/** Whether this is an https address that can be on the public internet; what its name resolves to is checked when connecting. */
export function isPublicUrl(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, username, password, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isOutside = isIP(host) === 0 ? host.includes('.') : isPublic(host);
  return protocol === 'https:' && username === '' && password === '' && isOutside;
}

/** A name that resolves to no public address. */
export class PrivateAddressError extends Error {}

/**
 * An agent that connects to public addresses only (SSRF guard). It connects to exactly the addresses that it checked, so that a name that
 * resolves differently the second time (DNS rebinding) does not get around the check.
 * @param resolve looks names up
 * @param isAllowed names that may have any address
 */
export function publicAgent(
  resolve: typeof lookup = lookup,
  {
    sockets = SOCKETS_MAX,
    isAllowed = () => false,
  }: { sockets?: number; isAllowed?: (hostname: string) => boolean } = {},
): Agent {
  const lookupPublic: LookupFunction = (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const [first, ...others] = (found ?? []).filter(({ address }) => isPublic(address) || isAllowed(hostname));
      if (error) done(error, []);
      else if (!first) done(new PrivateAddressError(`${hostname} has no public address`), []);
      else if (options.all) done(null, [first, ...others]);
      else done(null, first.address, first.family);
    });
  };
  return new Agent({ lookup: lookupPublic, maxTotalSockets: sockets });
}
