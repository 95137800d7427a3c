import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import ece from 'http_ece';
import type { PushDevice, PushPayload } from '../contract.ts';
import { selfMade } from './certificate.ts';
import { agentTo } from './receivers.ts';

/** Of the service of a browser, and of one that anybody could have set up. */
export const BROWSER_PUSH = 'fcm.googleapis.com';
const HOST = 'push.example.com';

/** A push message as it came, read with the device's keys. */
interface Received {
  payload: PushPayload;
  headers: Record<string, string | string[] | undefined>;
}

/** A browser at the test's push service. */
export interface TestDevice {
  device: PushDevice;
  /** All messages that came for it so far. */
  received: Received[];
}

/** A push service of the test's own, over https with a certificate that it made itself. */
export interface PushService {
  /** Connects to it, whatever the name. */
  agent: Agent;
  certificate: string;
  newDevice(more?: Partial<PushDevice>, host?: string): TestDevice;
  /** What is answered from now on, one by one; the last one stays. */
  answer(...statuses: number[]): void;
  /** How many requests came. */
  readonly asked: number;
  stop(): Promise<void>;
}

/** Starts a push service. */
export async function startPushService(): Promise<PushService> {
  const certificate = selfMade(HOST, BROWSER_PUSH);
  const devices = new Map<string, (body: Buffer, headers: Received['headers']) => void>();
  let answers = [201];
  let asked = 0;
  const server = createServer(certificate, async (req, res) => {
    asked++;
    const [status = 201] = answers.length > 1 ? answers.splice(0, 1) : answers;
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    if (status < 300) devices.get(req.url ?? '')?.(Buffer.concat(chunks), req.headers);
    res.writeHead(status, status === 302 ? { Location: `https://${HOST}/elsewhere` } : {}).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    agent: agentTo(certificate.cert),
    certificate: certificate.cert,
    newDevice(more = {}, host = HOST) {
      const keys = createECDH('prime256v1');
      const p256dh = keys.generateKeys('base64url', 'uncompressed');
      const auth = randomBytes(16).toString('base64url');
      const path = `/${randomBytes(8).toString('hex')}`;
      const received: Received[] = [];
      devices.set(path, (body, headers) => {
        const text = ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth });
        received.push({ payload: JSON.parse(text.toString()), headers });
      });
      return { device: { endpoint: `https://${host}:${port}${path}`, keys: { p256dh, auth }, ...more }, received };
    },
    answer: (...statuses) => {
      answers = statuses;
    },
    get asked() {
      return asked;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
