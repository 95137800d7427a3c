import { isPublicUrl } from '#platform/http';

/** Which addresses webhooks may lead to. */
interface AllowedAddresses {
  /** Whether it is a public https address, or at a host of the operator's list, there also with http. */
  isAllowed(url: unknown): boolean;
  /** Whether the operator's list has this name, with any port. */
  isListed(hostname: string): boolean;
}

/**
 * The addresses that the operator allows besides those on the internet.
 * @param hosts of receivers in private networks, such as `mattermost.lan` or `10.0.0.5:8065`
 */
export function allowedAddresses(hosts: readonly string[]): AllowedAddresses {
  const names = new Set(hosts.map((host) => new URL(`http://${host}`).hostname));
  return {
    isAllowed: (url) => isPublicUrl(url) || (typeof url === 'string' && isOfList(url, hosts)),
    isListed: (hostname) => names.has(hostname),
  };
}

function isOfList(url: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, hostname, host } = new URL(url);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return isWeb && username === '' && password === '' && (hosts.includes(hostname) || hosts.includes(host));
}
