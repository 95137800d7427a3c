import type { SessionEndReason } from './contract.ts';

declare module '../bus.ts' {
  interface Facts {
    signedIn: { userId: string };
    /** Too many wrong passwords for one e-mail; told once for each stretch of refusals. */
    signInsRefused: { userId: string | null };
    sessionEnded: { sessionId: string; userId: string; reason: SessionEndReason };
    passwordChanged: { userId: string };
    /** A link for a new password: mailed, or printed for whoever runs the server. */
    resetLinkMade: { userId: string; by: 'mail' | 'operator' };
    passwordReset: { userId: string };
    /** Made a platform admin by whoever runs the server. */
    accountPromoted: { userId: string };
    /** The account or one of its settings; `fields` names what changed. */
    accountChanged: { userId: string; fields: string[] };
  }
}
