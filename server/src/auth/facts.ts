import type { SessionEndReason } from './contract.ts';

declare module '../bus.ts' {
  interface Facts {
    signedIn: { userId: string };
    /** Too many wrong passwords for one e-mail; told once for each stretch of refusals. */
    signInsRefused: { userId: string | null };
    sessionEnded: { sessionId: string; userId: string; reason: SessionEndReason };
    passwordChanged: { userId: string };
    /** The account or one of its settings; `fields` names what changed. */
    accountChanged: { userId: string; fields: string[] };
  }
}
