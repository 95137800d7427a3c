import { generateKeyPairSync, sign } from 'node:crypto';

/** A key and a certificate that vouches for itself, as PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BITS = 0x03;
const OCTETS = 0x04;
const OBJECT_ID = 0x06;
const UTF8 = 0x0c;
const GENERALIZED_TIME = 0x18;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const DNS_NAME = 0x82;

const X509_V3 = 2;
const COMMON_NAME = [0x55, 0x04, 0x03];
const ALTERNATIVE_NAME = [0x55, 0x1d, 0x11];
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];

/** A certificate for these hosts, good until 2100. @see https://www.rfc-editor.org/rfc/rfc5280 */
export function selfMade(host: string, ...others: string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8, Buffer.from(host)))));
  const hosts = der(SEQUENCE, ...[host, ...others].map((each) => der(DNS_NAME, Buffer.from(each))));
  const body = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, [X509_V3])),
    der(INTEGER, [1]),
    algorithm,
    name,
    der(SEQUENCE, time('20200101000000Z'), time('21000101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, der(OBJECT_ID, ALTERNATIVE_NAME), der(OCTETS, hosts)))),
  );
  const signature = der(BITS, [0], sign('sha256', body, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(der(SEQUENCE, body, algorithm, signature)),
  };
}

const time = (at: string) => der(GENERALIZED_TIME, Buffer.from(at));

/** One element: what it is, how long, and what is in it. */
function der(tag: number, ...parts: (Buffer | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
