import type { SessionEndReason } from './contract.ts';

declare module '../bus.ts' {
  interface Facts {
    sessionEnded: { sessionId: string; reason: SessionEndReason };
  }
}
