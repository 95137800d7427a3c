declare module '../bus.ts' {
  interface Facts {
    twoFactorEnabled: { userId: string };
    /** `operator`: by whoever runs the server, for somebody who has lost phone and recovery codes. */
    twoFactorDisabled: { userId: string; by: 'owner' | 'operator' };
    recoveryCodesChanged: { userId: string };
    recoveryCodeUsed: { userId: string };
  }
}

export {};
